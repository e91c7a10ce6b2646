import HTTPCache
import HTTPSemantics

/// Invalidation by the application, as by the cache's own methods of these names. Nothing that was sent to an origin before
/// these return is stored afterwards, whichever session sent it.
extension CachingSession {
    /// Removes all variants that are stored for a request's URL.
    public func removeCachedResponse(for request: URLRequest) {
        engine.remove(
            CacheRequest(HTTPRequest(request), context: RequestContext(request: request, session: self, delegate: nil)))
    }

    /// Removes all responses. They are not found afterwards even if the removal cannot be written to disk.
    public func removeAllCachedResponses() {
        cache?.removeAllCachedResponses()
        engine.responses.order.noteRemovalOfAll()
    }

    /// Removes the responses that were stored after `date`.
    public func removeCachedResponses(since date: Date) {
        cache?.removeCachedResponses(since: date)
        engine.responses.order.noteRemovalOfAll()
    }
}
