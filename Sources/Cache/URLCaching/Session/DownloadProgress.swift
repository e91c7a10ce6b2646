import HTTPCache

/// What a download has so far, over the requests that it takes.
struct DownloadProgress {
    /// What the body is written to.
    var file: DownloadFile?
    /// What continues the download while nothing has come since.
    var earlier: ResumeData?
    /// The answer ended before the whole, so that the rest is asked for.
    private(set) var asksForMore = false
    private var isLater = false

    init(file: DownloadFile? = nil) { self.file = file }

    /// What the next request continues; `nil` if it asks for the whole.
    func broken(now: CacheTime) -> BrokenDownload? {
        guard let earlier, let request = earlier.request, let response = earlier.response else { return nil }
        return BrokenDownload(request, earlier.byteCount, response, now: now, acceptsLess: true)
    }

    /// A header has come. Chooses where the body goes: behind the part, in its place, or into another file.
    ///
    /// - Returns: the position that an earlier task's download continues at.
    mutating func begin(_ response: HTTPURLResponse, _ core: TaskCore) throws -> Int64? {
        guard let begun = earlier else { return nil }
        if core.withValues({ $0.continues }) {
            earlier = nil
            guard !isLater else { return nil }
            core.didReceive(byteCount: Int(begun.byteCount))
            return begun.byteCount
        }
        if response.statusCode == 200 {
            try file?.empty()
            core.withValues { $0.received = 0 }
            earlier = nil
        } else if isLater {
            throw URLError(
                .networkConnectionLost, core.originalRequest,
                "the origin sent \(begun.byteCount) bytes, and \(response.statusCode) for the rest; continue later")
        } else {
            // The application gets the error as it came, and the part may be continued later.
            file?.close()
            file = try DownloadFile()
        }
        return nil
    }

    /// The end of a body has come. An origin may send less than the rest (RFC 9110, section 15.3.7).
    ///
    /// - Returns: an error if it sends nothing more.
    mutating func lacking(_ core: TaskCore) -> URLError? {
        let (response, received, expected, continues): (HTTPURLResponse?, Int64, Int64, Bool) = core.withValues {
            ($0.response, $0.received, $0.expectedToReceive, $0.continues)
        }
        asksForMore = continues && received < expected
        guard asksForMore, let file else { return nil }
        let before = lastCount
        lastCount = received
        earlier = ResumeData(core.originalRequest, response, file, byteCount: received)
        isLater = true
        guard earlier == nil || received <= before else { return nil }
        return URLError(
            .networkConnectionLost, core.originalRequest,
            "the origin sent \(received) bytes of \(expected) and no more; continue later")
    }

    /// How many bytes there were when more was asked for.
    private var lastCount: Int64 = -1
}
