import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Records an answer whose length is known from its header or its source.
    ///
    /// - Returns: whether it was recorded; if not, its length is known when the body has been read.
    func isRecorded(_ loaded: Loaded, _ request: URLRequest) -> Bool {
        guard let recorder = configuration.recorder else { return true }
        guard let size = Self.knownSize(of: loaded) else { return false }
        recorder.note(loaded, request, size: size, at: clock.now)
        return true
    }

    /// Records an answer that was not recorded when it began.
    func recordUnsized(_ loaded: Loaded, _ request: URLRequest, size: Int?) {
        guard !loaded.isRecorded else { return }
        configuration.recorder?.note(loaded, request, size: size, at: clock.now)
    }

    private static func knownSize(of loaded: Loaded) -> Int? {
        switch loaded.body {
        case .empty: return 0
        case .stored(let stored): return stored.entry.bodyCount
        case .part(_, let range): return range.count
        case .stream:
            guard loaded.response.value(forHTTPHeaderField: "Content-Encoding") == nil,
                loaded.response.expectedContentLength >= 0
            else { return nil }
            return Int(loaded.response.expectedContentLength)
        }
    }
}

extension RequestRecorder {
    fileprivate func note(
        _ loaded: CachingSession.Loaded, _ request: URLRequest, size: Int?, at time: CacheTime
    ) {
        let response = HTTPResponse(loaded.response)
        let request = HTTPRequest(request)
        note(
            request.url,
            RecordedAnswer(
                method: request.method, status: response.status, size: size, requestFields: request.headerFields,
                responseFields: response.headerFields), at: time)
    }
}
