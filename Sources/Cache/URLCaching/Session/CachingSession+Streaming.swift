import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Answers a request as soon as its header is known; the body follows part by part.
    ///
    /// A body that is too long for the cache, or may not be kept, is nowhere held as a whole: 512 KB of it are in
    /// memory at most, and a faster origin has to wait (URLSession: the rest waits in a file, `longestBacklog`).
    /// Letting go of the body before its end cancels the fetch, unless it is read elsewhere too.
    ///
    /// - Throws: as `data(for:)`; the iteration throws a `URLError` when the body breaks off.
    public func bytes(
        for request: URLRequest, delegate: (any CachingSessionDelegate)? = nil
    ) async throws -> (ResponseBody, URLResponse) {
        do {
            let loaded = try await counted { try await load(request, delegate ?? self.delegate) }
            recordUnsized(loaded, request, size: nil)
            return (ResponseBody(loaded.body, request), loaded.response)
        } catch {
            throw URLError(error, request)
        }
    }

    /// Goes on with a download that broke off: by `Range` and `If-Range` where that is safe, else from the beginning
    /// (RFC 9110, sections 13.1.5 and 14).
    ///
    /// - Parameters:
    ///   - request: the one that was broken off.
    ///   - byteCount: bytes of the body received.
    ///   - response: the response that brought them; after an earlier continuation, that one's.
    /// - Throws: as `bytes(for:)`.
    public func resume(
        _ request: URLRequest, after byteCount: Int64, of response: HTTPURLResponse
    ) async throws -> ResumedBody {
        do {
            return try await counted {
                try requireOwnProcess(request)
                guard let partial = HTTPResponse(response) else {
                    throw URLError(.badServerResponse, request, "no HTTP response")
                }
                let (url, asked) = try cacheRequest(withAdditionalFields(request), delegate)
                let resumed = try await engine.resume(
                    asked,
                    after: PartialBody(byteCount: byteCount, response: partial, receivedAt: clock.now.seconds))
                guard let whole = HTTPURLResponse(resumed.response, url: url) else {
                    throw URLError(.badServerResponse, request, "\(resumed.response.status) is not an HTTP status code")
                }
                return ResumedBody(
                    continues: resumed.continues, response: whole, body: ResponseBody(resumed.answer.body, request))
            }
        } catch {
            throw URLError(error, request)
        }
    }
}

/// How a download goes on.
public struct ResumedBody: Sendable {
    /// The body goes behind what was received; otherwise what was received is to be dropped.
    public let continues: Bool
    /// Status and fields of the whole.
    public let response: HTTPURLResponse
    /// The rest, or the whole.
    public let body: ResponseBody
}

/// The body of an answer, part by part. To be read once, by one task at a time.
public struct ResponseBody: AsyncSequence, Sendable {
    private let body: AnswerBody
    private let request: URLRequest

    init(_ body: AnswerBody, _ request: URLRequest) {
        self.body = body
        self.request = request
    }

    /// Reads it from where the last reader stopped; a stored one from the beginning.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body, request: request) }

    /// One who reads it.
    public struct Iterator: AsyncIteratorProtocol {
        var body: AnswerBody
        let request: URLRequest

        /// The next part, at least one byte; `nil` at the end.
        public mutating func next() async throws -> Data? {
            switch body {
            case .empty: return nil
            case .stored(let stored):
                body = .empty
                return stored.data.isEmpty ? nil : stored.data
            case .part(let stored, let range):
                body = .empty
                return stored.data(range)
            case .stream(let stream):
                do {
                    return try await stream.next().map { Data($0) }
                } catch {
                    throw URLError(error, request)
                }
            }
        }
    }
}
