import Platform

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

/// The order in which a memory tier evicts its nodes. Every policy but the default one is a case of `EvictionPolicy`
/// and a subclass, in a file beside this one.
///
/// Used under the tier's lock. Node numbers are 1 to the capacity; 0 is not a node.
class EvictionOrder {
    /// Makes room for the nodes 1 to `capacity`.
    func grow(to capacity: Int) {}

    /// Inserts a node whose entry is new, as used once.
    ///
    /// - Parameter size: the cost of the entry, in the tier's unit.
    func insert(_ node: UInt32, size: Int) {}

    /// Takes a node out until `putBack`: its entry is going to be replaced.
    func holdBack(_ node: UInt32) {}

    /// Puts a node back that was held back, as used once more.
    func putBack(_ node: UInt32, size: Int) {}

    /// Removes a node.
    func remove(_ node: UInt32) {}

    /// Removes all nodes, and keeps room for the nodes 1 to `capacity`.
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

// Invariant of the pointer: `links` has room for numbers 0 to the capacity, from `init` to `deallocate`.

/// Least recently used first: a circular doubly linked list of node numbers, 8 bytes a node. Number 0 stands between
/// the most and the least recently used.
///
/// Invariant: no number above the capacity is passed in, and a node is linked from its `insert` to its `remove`. The
/// table ensures that; nothing is checked here.
struct RecencyList {
    /// The neighbours of a node.
    private struct Link {
        /// The node that was used next.
        var newer: UInt32
        /// The node that was used before; `unlinked` in a node that isn't in the list.
        var older: UInt32
    }

    private static let unlinked = UInt32.max

    private let links: UnsafeMutablePointer<Link>

    /// An empty list with room for the nodes 1 to `capacity`.
    init(capacity: Int) {
        links = .allocateAlone(count: capacity + 1)
        links.initialize(repeating: Link(newer: 0, older: 0), count: capacity + 1)
    }

    /// Copies `other`, a list with room for `count` nodes.
    func copy(_ other: RecencyList, count: Int) {
        links.update(from: other.links, count: count + 1)
    }

    /// Frees the memory; the list may not be used again.
    func deallocate() { links.deallocateAlone() }

    // MARK: The order

    /// The node used longest ago, 0 when the list is empty.
    var oldest: UInt32 { links[0].newer }

    /// The node used next after `node`, 0 when that was the last.
    func newer(than node: UInt32) -> UInt32 { links[Int(node)].newer }

    /// Links `node` as the most recently used.
    @inline(__always)
    func insert(_ node: UInt32) {
        let newest = links[0].older
        links[Int(node)] = Link(newer: 0, older: newest)
        links[Int(newest)].newer = node
        links[0].older = node
    }

    /// Unlinks `node`.
    @inline(__always)
    func remove(_ node: UInt32) {
        let link = links[Int(node)]
        links[Int(link.older)].newer = link.newer
        links[Int(link.newer)].older = link.older
    }

    /// Makes `node` the most recently used, if it is linked.
    @inline(__always)
    func touch(_ node: UInt32) {
        guard links[0].older != node, links[Int(node)].older != Self.unlinked else { return }
        remove(node)
        insert(node)
    }

    /// Links `node`, which was removed, to `next`, in the list of free nodes.
    func chain(_ node: UInt32, to next: UInt32) { links[Int(node)] = Link(newer: next, older: Self.unlinked) }
}
