/// Decides about a session's requests and observes them. Every method has a default implementation.
///
/// The methods about a task's progress are called only for tasks without a completion handler, the others for every
/// kind of request. Calls about one task never overlap, so a body arrives no faster than the delegate handles it.
public protocol CachingSessionDelegate: AnyObject, Sendable {
    /// Decides how a response is stored. The answer to the request does not change.
    ///
    /// Called with the whole body, and again with the new fields when the origin has confirmed a stored response. The
    /// edited header counts: it may add a lifetime that the server did not send, or `no-store`.
    ///
    /// - Parameters:
    ///   - session: the session that received the response.
    ///   - proposed: the response to store.
    ///   - request: the request that was sent; after a redirection it differs from the task's original one.
    /// - Returns: `proposed`, or a copy with another body, header, `userInfo` or storage policy; `nil` stores nothing
    ///   and removes the response stored before.
    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse?

    /// The origin redirects.
    ///
    /// - Parameters:
    ///   - session: the session that received the redirection.
    ///   - response: the 3xx.
    ///   - newRequest: the request that follows from it.
    /// - Returns: `newRequest`, or another request instead; `nil` makes the 3xx the answer.
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest?

    /// Answers a challenge: Basic and Digest authentication on every platform, and whatever else the platform's
    /// URLSession asks, e.g. about a server's trust on Apple systems.
    ///
    /// By default the credential in `URLCredentialStorage` is tried once.
    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

    /// The header of the answer has arrived.
    func session(_ session: CachingSession, task: CachingTask, didReceive response: HTTPURLResponse) async

    /// The next part of the body has arrived.
    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async

    /// The task has completed; the error is `nil` if the whole answer has arrived.
    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async
}

extension CachingSessionDelegate {
    /// Stores the response as it is.
    public func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? { proposed }

    /// Follows the redirection.
    public func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { newRequest }

    /// Tries the stored credential.
    public func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }

    /// Does nothing.
    public func session(_ session: CachingSession, task: CachingTask, didReceive response: HTTPURLResponse) async {}

    /// Does nothing.
    public func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async {}

    /// Does nothing.
    public func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {}
}
