import CacheTiers

/// Invalidation by the application. What is being fetched meanwhile is not stored.
extension CacheEngine {
    /// Removes what is stored for a request's URL, all variants.
    public func remove(_ request: CacheRequest) {
        if let key = responses.primaryKey(of: request.request) { flights.outdate(key) }
        storage.remove(request)
    }

    /// Removes everything.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    public func removeAll() throws(DiskTierError) {
        flights.outdateAll()
        try responses.tiers.removeAll()
    }

    /// Removes what was stored after `moment`.
    ///
    /// - Throws: when the disk could not be written; see `TwoTierCache.removeAll`.
    public func removeAll(since moment: CacheTime) throws(DiskTierError) {
        flights.outdateAll()
        try responses.tiers.removeAll(since: moment.microseconds)
    }
}
