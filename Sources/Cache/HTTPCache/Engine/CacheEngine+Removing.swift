import CacheTiers

/// Invalidation by the application. Responses that are being fetched at that moment are not stored.
extension CacheEngine {
    /// Removes every response stored for a request's URL.
    package func remove(_ request: CacheRequest) {
        if let key = responses.primaryKey(of: request.request) { fetches.markOutdated(key) }
        storage.remove(request)
    }

    /// Removes everything.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll() throws(DiskTierError) {
        fetches.markAllOutdated()
        try responses.tiers.removeAll()
    }

    /// Removes the responses stored after `moment`.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    package func removeAll(since moment: CacheTime) throws(DiskTierError) {
        fetches.markAllOutdated()
        try responses.tiers.removeAll(since: moment.microseconds)
    }
}
