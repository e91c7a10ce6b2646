/// The bookkeeping of an LRU cache: exactly which keys it would hold.
///
/// Every access is O(1): a dictionary finds the key's node, and a ring of nodes in an array keeps the order. Node 0 is
/// the ring's anchor, after the least recent node and before the most recent one.
@usableFromInline package struct ExactLRU: Sendable {
    /// The limit of the cache, in entries or bytes.
    @usableFromInline package enum Capacity: Hashable, Sendable {
        case entries(Int)
        /// The sum of the sizes. An entry larger than `largest` isn't admitted, and its key's earlier entry is removed.
        case bytes(Int, largest: Int)
    }

    private struct Node {
        var key: UInt64 = 0
        var size = 0
        var newer = 0
        var older = 0
    }

    /// The limit; a negative one is taken as 0.
    package private(set) var capacity: Capacity
    /// The sum of the sizes of all entries.
    package private(set) var bytes = 0
    package private(set) var evictions = 0

    private var nodes = [Node()]
    private var free: [Int] = []
    private var index: [UInt64: Int] = [:]

    /// An empty cache.
    @usableFromInline package init(capacity: Capacity) { self.capacity = capacity }

    package var count: Int { index.count }

    /// Whether a key is held; changes nothing.
    package func contains(_ key: UInt64) -> Bool { index[key] != nil }

    /// The keys held, most recent first.
    package var keys: [UInt64] {
        var keys: [UInt64] = []
        var at = nodes[0].older
        while at != 0 {
            keys.append(nodes[at].key)
            at = nodes[at].older
        }
        return keys
    }

    /// Looks a key up, makes it the most recent, and stores it if it is missing.
    ///
    /// - Parameter size: bytes of the entry. If the stored entry has another size, the object has changed: a miss, and
    ///   the new entry replaces the old one.
    /// - Returns: whether it was a hit.
    @usableFromInline package mutating func access(_ key: UInt64, size: Int = 1) -> Bool {
        if lookUp(key, size: size) { return true }
        store(key, size: size)
        return false
    }

    /// Looks a key up, and makes it the most recent.
    ///
    /// - Parameter size: as in ``access(_:size:)``; `nil` matches any size.
    package mutating func lookUp(_ key: UInt64, size: Int? = nil) -> Bool {
        guard let at = index[key], size == nil || nodes[at].size == size else { return false }
        unlink(at)
        linkAsNewest(at)
        return true
    }

    /// Stores an entry as the most recent, in place of its key's earlier one, and evicts the least recent until the
    /// rest fits.
    ///
    /// - Parameter evicted: called with each evicted key, the least recent first.
    package mutating func store(_ key: UInt64, size: Int = 1, evicted: (UInt64) -> Void = { _ in }) {
        remove(key)
        guard admits(size) else { return }
        let at = free.popLast() ?? nodes.endIndex
        if at == nodes.endIndex { nodes.append(Node()) }
        nodes[at].key = key
        nodes[at].size = size
        index[key] = at
        bytes += size
        linkAsNewest(at)
        while isOverfull {
            let oldest = nodes[nodes[0].newer].key
            remove(oldest)
            evictions += 1
            evicted(oldest)
        }
    }

    package mutating func remove(_ key: UInt64) {
        guard let at = index.removeValue(forKey: key) else { return }
        unlink(at)
        bytes -= nodes[at].size
        free.append(at)
    }

    private func admits(_ size: Int) -> Bool {
        switch capacity {
        case .entries(let limit): limit > 0
        case .bytes(let limit, let largest): size >= 0 && size <= min(largest, limit)
        }
    }

    private var isOverfull: Bool {
        switch capacity {
        case .entries(let limit): count > limit
        case .bytes(let limit, _): bytes > limit
        }
    }

    private mutating func unlink(_ at: Int) {
        nodes[nodes[at].newer].older = nodes[at].older
        nodes[nodes[at].older].newer = nodes[at].newer
    }

    private mutating func linkAsNewest(_ at: Int) {
        let second = nodes[0].older
        nodes[at].newer = 0
        nodes[at].older = second
        nodes[second].newer = at
        nodes[0].older = at
    }
}
