import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Answers a request as soon as the header has arrived; the body follows part by part.
    ///
    /// A body that is too long for the cache, or may not be stored, is never in memory as a whole: at most 512 KB are,
    /// and a faster origin must wait (with URLSession, the rest waits in a file; see `longestBacklog`). If its length
    /// is not announced, it is kept until it turns out to be too long. Releasing the body before its end cancels the
    /// fetch, unless another request reads it, too.
    ///
    /// - Throws: as `data(for:)` does; the iteration throws a `URLError` if the body breaks off.
    public func bytes(
        for request: URLRequest, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> (ResponseBody, URLResponse) {
        try await bytes(request, asked(delegate, request))
    }

    /// The same, with a delegate of URLSession's kind for this request.
    @_disfavoredOverload
    public func bytes(
        for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (ResponseBody, URLResponse) {
        try await bytes(request, asked(nil, request, delegate))
    }

    /// The same for a GET of a URL.
    public func bytes(
        from url: URL, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> (ResponseBody, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }

    /// The same for a GET of a URL, with a delegate of URLSession's kind for this request.
    @_disfavoredOverload
    public func bytes(
        from url: URL, delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (ResponseBody, URLResponse) {
        try await bytes(for: URLRequest(url: url), delegate: delegate)
    }

    private func bytes(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?
    ) async throws -> (ResponseBody, URLResponse) {
        do {
            try requireValid(request)
            let loaded = try await counted { try await load(request, delegate) }
            recordUnsized(loaded, request, size: nil)
            return (ResponseBody(loaded.body, request, in: cache?.decoded), loaded.response)
        } catch {
            throw URLError(error, request)
        }
    }

    /// Resumes a download that broke off: with `Range` and `If-Range` if that is safe, otherwise from the start
    /// (RFC 9110, sections 13.1.5 and 14). It is safe only for the URL that the response came from, after redirections.
    ///
    /// - Parameters:
    ///   - request: the request whose download broke off.
    ///   - byteCount: how many bytes of the body were received.
    ///   - response: the response they came with; after an earlier continuation, the response of that one.
    /// - Throws: as `bytes(for:)` does.
    public func resume(
        _ request: URLRequest, after byteCount: Int64, of response: HTTPURLResponse
    ) async throws -> ResumedBody {
        let download = BrokenDownload(request, byteCount, response, now: clock.now)
        do {
            try requireValid(request)
            let loaded = try await counted { try await load(request, asked(nil, request), continuing: download) }
            recordUnsized(loaded, request, size: nil)
            guard let whole = loaded.whole, let rest = rest(loaded, request, after: byteCount) else {
                let body = ResponseBody(loaded.body, request, in: cache?.decoded)
                return ResumedBody(continues: false, response: loaded.response, body: body)
            }
            guard let url = loaded.response.url, let joined = HTTPURLResponse(whole, url: url) else {
                throw URLError(.badServerResponse, request, "\(whole.status) is not an HTTP status code")
            }
            return ResumedBody(continues: true, response: joined, body: rest)
        } catch {
            throw URLError(error, request)
        }
    }

    /// The rest of a body of which `byteCount` bytes had come; `nil` if the answer does not continue it.
    func rest(_ loaded: Loaded, _ request: URLRequest, after byteCount: Int64) -> ResponseBody? {
        guard let whole = loaded.whole else { return nil }
        var rest = ResponseBody(loaded.body, request, in: cache?.decoded)
        rest.expectedCount = whole.headerFields["Content-Length"].flatMap { Int64($0) }.map { $0 - byteCount }
        return rest
    }
}

/// The start of a download, and which resource it is from.
struct BrokenDownload {
    let partial: PartialBody
    private let url: String

    /// See `CacheEngine.resume`.
    let acceptsLess: Bool

    init(
        _ request: URLRequest, _ byteCount: Int64, _ response: HTTPURLResponse, now: CacheTime,
        acceptsLess: Bool = false
    ) {
        self.acceptsLess = acceptsLess
        partial = PartialBody(byteCount: byteCount, response: HTTPResponse(response), receivedAt: now.seconds)
        url = Self.withoutFragment((response.url ?? request.url)?.absoluteString ?? "")
    }

    /// Another resource may have the same entity tag (RFC 9110, section 8.8.3), so a redirection must not lead to one.
    func isOf(_ url: String) -> Bool { Self.withoutFragment(url) == self.url }

    private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}

/// The continuation of a download.
public struct ResumedBody: Sendable {
    /// Whether the body continues the received bytes. If not, it replaces them.
    public let continues: Bool
    /// The status and the header fields of the whole response.
    public let response: HTTPURLResponse
    /// The rest of the body, or all of it.
    public let body: ResponseBody
}

/// An answer's body, part by part. It can be read once, by one task at a time.
public struct ResponseBody: AsyncSequence, Sendable {
    private let body: AnswerBody
    private let request: URLRequest
    private let memory: DecodedMemory?
    /// How many bytes the rest of a download must have; `nil` if that is unknown, or the transport checks it.
    fileprivate var expectedCount: Int64?

    init(_ body: AnswerBody, _ request: URLRequest, in memory: DecodedMemory?) {
        self.body = body
        self.request = request
        self.memory = memory
    }

    /// Reads from where the last reader stopped; a stored body is read from the start.
    public func makeAsyncIterator() -> Iterator {
        Iterator(body: body, request: request, memory: memory, expectedCount: expectedCount)
    }

    /// Reads the body.
    public struct Iterator: AsyncIteratorProtocol {
        var body: AnswerBody
        let request: URLRequest
        fileprivate let memory: DecodedMemory?
        fileprivate let expectedCount: Int64?

        /// See `BodyStream.isCutOff`.
        var isCutOff: Bool { if case .stream(let stream) = body { stream.isCutOff } else { false } }

        /// The next part, at least one byte; `nil` at the end.
        public mutating func next() async throws -> Data? {
            switch body {
            case .empty: return nil
            case .stored(let stored):
                body = .empty
                let data = stored.data(in: memory)
                return data.isEmpty ? nil : data
            case .part(let stored, let range):
                body = .empty
                return stored.data(range)
            case .stream(let stream):
                do {
                    if let bytes = try await stream.next() { return stream.data(bytes) }
                } catch {
                    throw URLError(error, request)
                }
                guard let expectedCount, expectedCount != stream.byteCount else { return nil }
                throw URLError(
                    .networkConnectionLost, request,
                    "the origin sent \(stream.byteCount) bytes of the \(expectedCount) that it announced")
            }
        }
    }
}

extension ResponseBody {
    /// The body as text, line by line, like `URLSession.AsyncBytes.lines`: a line ends at LF, VT, FF, CR, CR LF, U+0085,
    /// U+2028 or U+2029, and empty lines are left out. Bytes that are not UTF-8 become U+FFFD.
    public var lines: ResponseLines { ResponseLines(body: self) }
}

/// The lines of a body.
public struct ResponseLines: AsyncSequence, Sendable {
    /// How many bytes a line may have: 16 MiB. A longer one ends the iteration with `dataLengthExceedsMaximum`.
    public static let longestLine = 16 << 20

    let body: ResponseBody

    /// Begins where the last reader of the body stopped.
    public func makeAsyncIterator() -> Iterator { Iterator(parts: body.makeAsyncIterator()) }

    /// Reads the lines.
    public struct Iterator: AsyncIteratorProtocol {
        private var parts: ResponseBody.Iterator
        private var rest: [UInt8] = []
        private var place = 0
        private var isAtEnd = false

        init(parts: ResponseBody.Iterator) { self.parts = parts }

        /// The next line, without its end; `nil` after the last.
        public mutating func next() async throws -> String? {
            var searched = place
            while true {
                if let end = Self.firstEnd(in: rest[searched...]) {
                    defer { place = end.upperBound }
                    if end.lowerBound > place { return String(decoding: rest[place..<end.lowerBound], as: UTF8.self) }
                    searched = end.upperBound
                    place = end.upperBound
                    continue
                }
                guard !isAtEnd else {
                    defer { (rest, place) = ([], 0) }
                    return place < rest.count ? String(decoding: rest[place...], as: UTF8.self) : nil
                }
                rest.removeFirst(place)
                // The last two bytes may begin an end of three.
                (searched, place) = (Swift.max(rest.count - 2, 0), 0)
                guard rest.count <= ResponseLines.longestLine else {
                    throw URLError(
                        .dataLengthExceedsMaximum, url: "",
                        "a line is longer than \(ResponseLines.longestLine) bytes; read the parts of the body instead")
                }
                if let part = try await parts.next() { rest.append(contentsOf: part) } else { isAtEnd = true }
            }
        }

        /// The first end of a line; CR LF are two, which an empty line is between.
        private static func firstEnd(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
            for (place, byte) in zip(bytes.indices, bytes) where byte <= 0x0D || byte >= 0xC2 {
                let behind = bytes[(place + 1)...].prefix(2)
                switch byte {
                case 0x0A...0x0D: return place..<place + 1
                case 0xC2 where behind.first == 0x85: return place..<place + 2
                case 0xE2 where behind == [0x80, 0xA8] || behind == [0x80, 0xA9]: return place..<place + 3
                default: continue
                }
            }
            return nil
        }
    }
}
