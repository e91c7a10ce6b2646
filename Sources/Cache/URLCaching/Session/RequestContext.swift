import HTTPCache

/// The session's side of a request to the engine: what hooks and transport need and an `HTTPRequest` cannot say.
struct RequestContext: Sendable {
    /// The application's request, or the one that a redirection has made of it, with the cookies that go with it.
    let request: URLRequest
    /// The session that was asked.
    let session: CachingSession
    /// Asked about the request.
    let delegate: (any CachingSessionDelegate)?
}

extension RequestContext: URLSessionRequestContext {
    func answer(
        _ challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await delegate?.session(session, didReceive: challenge) ?? (.performDefaultHandling, nil)
    }
}

extension CacheRequest {
    var sessionContext: RequestContext? { context as? RequestContext }

    /// The request in Foundation's type; `nil` when Foundation takes no such URL.
    var urlRequest: URLRequest? {
        guard var made = sessionContext?.request, made.url?.absoluteString == request.url else {
            return URLRequest(request)
        }
        // A HEAD is refreshed by a GET.
        if made.httpMethod != request.method { made.httpMethod = request.method }
        return made
    }
}
