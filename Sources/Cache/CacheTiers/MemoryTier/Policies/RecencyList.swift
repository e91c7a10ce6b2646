// Invariant of the pointer: `links` has room for numbers 0 to the capacity, from `init` to `deallocate`.

import Platform

/// Least recently used first: a circular doubly linked list of node numbers, 8 bytes a node. Number 0 is the gap between
/// the most and the least recently used.
///
/// Invariant: no number above the capacity is passed in, and a node is linked from its `insert` to its `remove`. The table
/// ensures that; nothing is checked here.
struct RecencyList {
    /// The neighbours of a node.
    private struct Link {
        /// The node used next after this one.
        var newer: UInt32
        /// The node used last before this one; `unlinked` in a node that is not in the list.
        var older: UInt32
    }

    private static let unlinked = UInt32.max

    private let links: UnsafeMutablePointer<Link>

    /// An empty list with room for the nodes 1 to `capacity`.
    init(capacity: Int) {
        links = .allocateAlone(count: capacity + 1)
        links.initialize(repeating: Link(newer: 0, older: 0), count: capacity + 1)
    }

    /// Becomes a copy of `other`, a list with room for `count` nodes.
    func copy(_ other: RecencyList, count: Int) {
        links.update(from: other.links, count: count + 1)
    }

    /// Gives the memory back; the list may not be used again.
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

    /// Keeps `next` in the place of `node`, which was removed: a chain of free nodes.
    func chain(_ node: UInt32, to next: UInt32) { links[Int(node)] = Link(newer: next, older: Self.unlinked) }
}
