import HTTPCache
import HTTPSemantics

/// Invalidation by the application. Other than the cache's own methods of these names, these also keep what is being
/// fetched meanwhile from being stored.
extension CachingSession {
    /// Removes what is stored for a request's URL, all variants.
    public func removeCachedResponse(for request: URLRequest) {
        engine.remove(
            CacheRequest(HTTPRequest(request), context: RequestContext(request: request, session: self, delegate: nil)))
    }

    /// Removes everything. A removal that cannot be written to disk is found no more all the same.
    public func removeAllCachedResponses() {
        try? engine.removeAll()
        cache?.removeAllCachedResponses()
    }

    /// Removes what was stored after `date`.
    public func removeCachedResponses(since date: Date) {
        try? engine.removeAll(since: CacheTime(microseconds: date.storedAt))
        cache?.removeCachedResponses(since: date)
    }
}
