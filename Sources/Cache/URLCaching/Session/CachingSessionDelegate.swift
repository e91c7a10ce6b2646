/// Is asked and told about a session's requests. Every method has a default, so that only the useful ones are written.
///
/// The methods about a task's progress are called for tasks without a completion handler; the others for every kind of
/// use. All calls about one task come one after the other, each once the one before has returned: a body comes no faster
/// than it is taken.
public protocol CachingSessionDelegate: AnyObject, Sendable {
    /// Decides how a response is stored. The answer to the request does not change.
    ///
    /// Called with the whole body, and again with the new fields when the origin has confirmed a stored response. The
    /// edited header counts: it may add a lifetime that the server did not send, or `no-store`.
    ///
    /// - Parameters:
    ///   - session: the session that received the response.
    ///   - proposed: the response that would be stored.
    ///   - request: the request that was sent; after a redirection it differs from the task's original one.
    /// - Returns: `proposed`, or a copy with another body, header, `userInfo` or storage policy; `nil` stores nothing
    ///   and removes the response that was stored before.
    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse?

    /// The origin redirects.
    ///
    /// - Parameters:
    ///   - session: the session that received the redirection.
    ///   - response: the 3xx.
    ///   - newRequest: the request that follows from it.
    /// - Returns: `newRequest`, or another request in its place; `nil` makes the 3xx the answer.
    func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest?

    /// Credentials are wanted: for Basic authentication on every platform, and where the platform's URLSession asks for
    /// something that it cannot decide itself, as a server's trust on Apple systems.
    ///
    /// By default the credential that `URLCredentialStorage` has is tried, once.
    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

    /// The header of the answer is here.
    func session(_ session: CachingSession, task: CachingTask, didReceive response: HTTPURLResponse) async

    /// The next part of the body is here.
    func session(_ session: CachingSession, task: CachingTask, didReceive data: Data) async

    /// The task is over; `nil` when all of the answer has come.
    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async
}

extension CachingSessionDelegate {
    /// Stores the response as it is.
    public func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? { proposed }

    /// Follows.
    public func session(
        _ session: CachingSession, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest
    ) async -> URLRequest? { newRequest }

    /// Tries what is stored.
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
