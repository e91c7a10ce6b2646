import HTTPCache
import HTTPSemantics

/// One request from the application's point of view: redirections followed, challenges met.
extension CachingSession {
    /// An answer whose body may still be on its way.
    struct Loaded {
        var response: HTTPURLResponse
        var body: AnswerBody
        var source: Answer.Source
    }

    /// As URLSession on Apple systems and on Linux.
    static let mostRedirections = 20

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - delegate: the task's own, or else the session's.
    ///   - forced: in the place of the request's own policy.
    ///   - onRequest: told about every request that follows from a redirection.
    func load(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?, policy forced: RequestPolicy? = nil,
        onRequest: (URLRequest) -> Void = { _ in }
    ) async throws -> Loaded {
        var request = request
        var redirections = 0
        var challenges = Challenges(self, delegate)
        while true {
            let (url, asked) = try cacheRequest(request, delegate, forced)
            let answer = try await engine.respond(to: asked)
            let status = answer.response.status
            if let target = try Redirection.request(after: answer.response, to: request) {
                redirections += 1
                guard redirections <= Self.mostRedirections else {
                    throw URLError(.httpTooManyRedirects, request, "more than \(Self.mostRedirections) redirections")
                }
                let loaded = try Self.loaded(answer, url, request)
                var next: URLRequest? = target
                if let delegate {
                    next = await delegate.session(self, willPerformHTTPRedirection: loaded.response, newRequest: target)
                }
                guard let next else { return loaded }
                await Self.finish(answer.body)
                request = next
                onRequest(request)
            } else if status == 401, let next = try await challenges.request(after: answer.response, to: request, url) {
                await Self.finish(answer.body)
                request = next
            } else {
                if status != 401 { challenges.succeeded() }
                return try Self.loaded(answer, url, request)
            }
        }
    }

    /// What the engine is asked.
    func cacheRequest(
        _ request: URLRequest, _ delegate: (any CachingSessionDelegate)?, _ forced: RequestPolicy? = nil
    ) throws -> (URL, CacheRequest) {
        guard let url = request.url else { throw URLError(.badURL, request, "the request has no URL") }
        // A base is joined in: what is sent and stored is absolute.
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw URLError(
                .unsupportedURL, request, "\(url) is neither http nor https; use URLSession for other schemes")
        }
        let asking = Asking(request: request, session: self, delegate: delegate)
        return (url, CacheRequest(HTTPRequest(request), policy: forced ?? policy(of: request), context: asking))
    }

    private static func loaded(_ answer: Answer, _ url: URL, _ request: URLRequest) throws -> Loaded {
        if case .stored(let stored) = answer.body, answer.source != .revalidated,
            let decoded = DecodedResponse.of(stored, url: url)
        {
            return Loaded(response: decoded.response, body: answer.body, source: answer.source)
        }
        guard let response = HTTPURLResponse(answer.response, url: url) else {
            throw URLError(.badServerResponse, request, "status \(answer.response.status) is none")
        }
        return Loaded(response: response, body: answer.body, source: answer.source)
    }

    /// Reads what nobody wants, so that it may be stored; gives up where that is long.
    private static func finish(_ body: AnswerBody) async {
        guard case .stream(let stream) = body else { return }
        var left = 64 << 10
        while left > 0, let chunk = try? await stream.next() { left -= chunk.count }
    }
}
