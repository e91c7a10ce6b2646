import CacheTiers

/// Invalidation by the application. Nothing that was sent to the origin before these return is stored afterwards.
extension CacheEngine {
    /// Removes every response stored for a request's URL.
    package func remove(_ request: CacheRequest) {
        storage.remove(request, .invalidated)
        // An application's storage may remove by itself.
        if !isDirect { responses.noteRemoval(request.request) }
    }

    /// Removes everything.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll() throws(DiskTierError) { try responses.removeAll() }

    /// Removes the responses stored after `moment`.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll(since moment: CacheTime) throws(DiskTierError) {
        try responses.removeAll(since: moment.microseconds)
    }
}
