/// A simulated cache of one capacity: applies the accesses of a trace to least-recently-used bookkeeping.
package struct AccessSimulation {
    private struct Entry {
        var version = 0
        var expiry = -Double.infinity
    }

    package private(set) var cache: ExactLRU
    /// The hits so far.
    package private(set) var sum = HitSum()
    /// The last stored entry of each object, by number.
    private var entries: [Entry] = []

    /// An empty cache.
    package init(_ capacity: ExactLRU.Capacity) { cache = ExactLRU(capacity: capacity) }

    /// The same cache with a larger capacity. Valid as long as nothing has been evicted or refused.
    package func enlarged(to capacity: ExactLRU.Capacity) -> AccessSimulation {
        var enlarged = self
        enlarged.cache = cache.enlarged(to: capacity)
        return enlarged
    }

    /// Applies an access.
    ///
    /// - Returns: whether it was a hit.
    @discardableResult
    package mutating func apply(_ access: TraceAccess) -> Bool {
        guard access.hasKey else { return false }
        let key = UInt64(access.object)
        // A lookup makes even an entry that cannot answer the most recent.
        if access.mayBeAnswered, cache.lookUp(key) {
            let entry = entries[access.object]
            if entry.version == access.version, access.now < entry.expiry {
                if access.updatesCost { cache.store(key, size: access.cost) }
                sum.add(access.size)
                return true
            }
        }
        switch access.response {
        case .stored(let expiry):
            while entries.count <= access.object { entries.append(Entry()) }
            entries[access.object] = Entry(version: access.version, expiry: expiry)
            cache.store(key, size: access.cost)
        case .removes: cache.remove(key)
        case .keeps: break
        }
        return false
    }
}
