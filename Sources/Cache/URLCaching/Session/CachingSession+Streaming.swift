import HTTPCache
import HTTPSemantics

extension CachingSession {
    /// Answers a request as soon as the header has arrived; the body follows part by part.
    ///
    /// A body that is too long for the cache, or may not be stored, is never held as a whole: at most 512 KB are in
    /// memory, and a faster origin has to wait (with URLSession, the rest waits in a file; see `longestBacklog`).
    /// Releasing the body before its end cancels the fetch, unless another request reads it too.
    ///
    /// - Throws: as `data(for:)` does; the iteration throws a `URLError` if the body breaks off.
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

    /// Resumes a download that broke off: by `Range` and `If-Range` where that is safe, otherwise from the beginning
    /// (RFC 9110, sections 13.1.5 and 14).
    ///
    /// - Parameters:
    ///   - request: the request whose download broke off.
    ///   - byteCount: the number of bytes of the body that were received.
    ///   - response: the response that they came with; after an earlier continuation, the response of that one.
    /// - Throws: as `bytes(for:)` does.
    public func resume(
        _ request: URLRequest, after byteCount: Int64, of response: HTTPURLResponse
    ) async throws -> ResumedBody {
        do {
            return try await counted {
                try requireOwnProcess(request)
                let partial = HTTPResponse(response)
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

/// The continuation of a download.
public struct ResumedBody: Sendable {
    /// Whether the body continues the received bytes. If not, it replaces them.
    public let continues: Bool
    /// The status and the header fields of the whole response.
    public let response: HTTPURLResponse
    /// The rest of the body, or all of it.
    public let body: ResponseBody
}

/// The body of an answer, part by part. It can be read once, by one task at a time.
public struct ResponseBody: AsyncSequence, Sendable {
    private let body: AnswerBody
    private let request: URLRequest

    init(_ body: AnswerBody, _ request: URLRequest) {
        self.body = body
        self.request = request
    }

    /// Reads from the place where the last reader stopped; a stored body is read from the beginning.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body, request: request) }

    /// Reads the body.
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
