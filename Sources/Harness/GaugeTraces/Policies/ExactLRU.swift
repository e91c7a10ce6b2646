/// A least-recently-used cache with nothing but the bookkeeping: which keys it would hold, exactly.
///
/// Every access is O(1): a dictionary finds the key's node, a ring of nodes in an array keeps the order. Node 0 is the
/// ring's anchor: what follows it is the most recent, what precedes it the least.
@usableFromInline package struct ExactLRU: Sendable {
    /// What the capacity counts.
    @usableFromInline package enum Capacity: Hashable, Sendable {
        /// Entries, of whatever size.
        case entries(Int)
        /// The sum of the sizes. An entry larger than `largest` is not admitted (and what the key had is gone).
        case bytes(Int, largest: Int)
    }

    private struct Node {
        var key: UInt64 = 0
        var size = 0
        var newer = 0
        var older = 0
    }

    /// What the capacity counts, and how much of it there is; less than 0 is taken as 0.
    package let capacity: Capacity
    /// The sum of the sizes of what is held.
    package private(set) var bytes = 0
    /// How many entries have been evicted so far.
    package private(set) var evictions = 0

    private var nodes = [Node()]
    private var free: [Int] = []
    private var index: [UInt64: Int] = [:]

    /// An empty cache.
    @usableFromInline package init(capacity: Capacity) { self.capacity = capacity }

    /// How many entries are held.
    package var count: Int { index.count }

    /// Whether a key is held. Changes nothing.
    package func contains(_ key: UInt64) -> Bool { index[key] != nil }

    /// What is held, most recent first.
    package var keys: [UInt64] {
        var keys: [UInt64] = []
        var at = nodes[0].older
        while at != 0 {
            keys.append(nodes[at].key)
            at = nodes[at].older
        }
        return keys
    }

    /// Looks a key up, makes it the most recent, and stores it if it is not there.
    ///
    /// - Parameter size: bytes of the entry; a key that is held with another size is taken to have changed: that is a
    ///   miss, and the new one replaces it.
    /// - Returns: whether it was there.
    @usableFromInline package mutating func access(_ key: UInt64, size: Int = 1) -> Bool {
        if lookUp(key, size: size) { return true }
        store(key, size: size)
        return false
    }

    /// Looks a key up, and makes it the most recent.
    ///
    /// - Parameter size: as in ``access(_:size:)``; any, if it is `nil`.
    package mutating func lookUp(_ key: UInt64, size: Int? = nil) -> Bool {
        guard let at = index[key], size == nil || nodes[at].size == size else { return false }
        unlink(at)
        linkAsNewest(at)
        return true
    }

    /// Stores an entry as the most recent, in place of what the key had, and evicts from the other end what no longer
    /// fits.
    ///
    /// - Parameter evicted: called with each key that is evicted, the least recent first.
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

    /// Removes what a key has.
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
