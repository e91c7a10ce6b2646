import HTTPCache
import HTTPSemantics

/// Invalidation by the application. Other than the cache's own methods of these names, these also keep what is being
/// fetched meanwhile from being stored.
extension CachingSession {
    /// Removes all variants that are stored for a request's URL.
    public func removeCachedResponse(for request: URLRequest) {
        engine.remove(
            CacheRequest(HTTPRequest(request), context: RequestContext(request: request, session: self, delegate: nil)))
    }

    /// Removes all responses. They are not found afterwards even if the removal cannot be written to disk.
    public func removeAllCachedResponses() {
        try? engine.removeAll()
        cache?.removeAllCachedResponses()
    }

    /// Removes the responses that were stored after `date`.
    public func removeCachedResponses(since date: Date) {
        try? engine.removeAll(since: CacheTime(microseconds: date.storedAt))
        cache?.removeCachedResponses(since: date)
    }
}
