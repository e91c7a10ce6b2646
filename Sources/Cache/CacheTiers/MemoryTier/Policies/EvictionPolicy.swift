/// The rule by which a tier chooses the entries to evict: exact in the memory tier, approximate in the disk tier.
public enum EvictionPolicy: String, Sendable, CaseIterable {
    /// Least recently used first.
    case leastRecentlyUsed = "lru"
    /// Greedy Dual Size with Frequency: large entries with few hits first, by a value that ages. It finds more entries
    /// than least recently used, and returns fewer bytes. L. Cherkasova, "Improving WWW Proxies Performance with
    /// Greedy-Dual-Size-Frequency Caching Policy", HP Labs HPL-98-69R1, 1998.
    case greedyDualSizeFrequency = "gdsf"

    /// An empty order of this policy; `nil` for the default policy, for which the recency list suffices.
    func makeOrder() -> EvictionOrder? {
        switch self {
        case .leastRecentlyUsed: nil
        case .greedyDualSizeFrequency: GreedyDualSizeOrder()
        }
    }
}

/// The order in which a memory tier evicts its entries, each given by its node number. Every policy but the default one
/// is a case of `EvictionPolicy` and a subclass, in a file beside this one.
///
/// Used under the tier's lock. Node numbers are 1 to the capacity; 0 is not a node.
class EvictionOrder {
    /// Makes room for the nodes 1 to `capacity`.
    func grow(to capacity: Int) {}

    /// Puts in a node whose entry is new, as used once.
    ///
    /// - Parameter size: the cost of the entry, in the tier's unit.
    func insert(_ node: UInt32, size: Int) {}

    /// Takes a node out for a while: its entry is going to be replaced.
    func holdBack(_ node: UInt32) {}

    /// Puts in a node that was held back, as used once more.
    func putBack(_ node: UInt32, size: Int) {}

    /// Takes a node out.
    func remove(_ node: UInt32) {}

    /// Takes all nodes out, and keeps room for the nodes 1 to `capacity`.
    func removeAll(capacity: Int) {}

    /// Notes a use of a node that is in the order; ignores other numbers.
    func use(_ node: UInt32) {}

    /// The node to evict next, 0 when the order is empty.
    func next() -> UInt32 { 0 }

    /// Notes that the next node is about to be evicted; `remove` follows.
    func willEvict(_ node: UInt32) {}

    /// The nodes from the first to evict to the last.
    func nodes() -> [UInt32] { [] }

    /// Gives each node the number `numbers[node]`, and the order room for `capacity`.
    func renumber(_ numbers: [UInt32], capacity: Int) {}
}
