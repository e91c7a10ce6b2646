// Invariant of the pointers: every number in a node is a node's, and `reserve` makes an object's node before the object
// is named.

import CSupport

/// Doubly linked lists of numbered objects. An object is in one list or in none; each list keeps the sum of its sizes.
///
/// Nodes lie in one array in the order of the objects, 24 bytes each. Before them come the lists' anchors, which close
/// each list to a ring: an anchor's `older` is the newest object, its `newer` the oldest, and its `size` the sum. List
/// 0 means being in none.
package struct ObjectLists: Sendable {
    private struct Node {
        var newer: UInt32 = 0
        var older: UInt32 = 0
        var size = 0
        var list: UInt8 = 0
        var uses: UInt8 = 0
    }

    private var nodes: [Node]
    private let anchors: Int

    /// Empty lists with the numbers 1 to `count`.
    init(count: Int) {
        anchors = count + 1
        nodes = (0...count).map { Node(newer: UInt32($0), older: UInt32($0)) }
    }

    /// Makes room for the objects below `count`.
    mutating func reserve(_ count: Int) { nodes.grow(to: anchors + count, with: Node()) }

    /// The list that an object is in; 0 for none.
    @inline(__always)
    func list(of object: Int) -> Int { Int(nodes[object + anchors].list) }

    @inline(__always)
    func size(of object: Int) -> Int { nodes[object + anchors].size }

    @inline(__always)
    func uses(of object: Int) -> UInt8 { nodes[object + anchors].uses }

    @inline(__always)
    mutating func setUses(of object: Int, to uses: UInt8) { nodes[object + anchors].uses = uses }

    @inline(__always)
    func sum(of list: Int) -> Int { nodes[list].size }

    @inline(__always)
    func oldest(of list: Int) -> Int? {
        let node = Int(nodes[list].newer)
        return node < anchors ? nil : node - anchors
    }

    /// Removes the oldest objects of list 1 until its sum is at most `goal`.
    @inline(__always)
    mutating func evict(until goal: Int, _ evicted: (_ object: Int, _ size: Int) -> Void) {
        while sum(of: 1) > goal, let oldest = oldest(of: 1) {
            evicted(oldest, size(of: oldest))
            remove(oldest)
        }
    }

    /// The next newer object in the list.
    @inline(__always)
    func newer(than object: Int) -> Int? {
        let node = Int(nodes[object + anchors].newer)
        return node < anchors ? nil : node - anchors
    }

    /// Begins to load an object's node.
    @inline(__always)
    func prefetch(_ object: Int) { prefetch(node: object + anchors) }

    /// Begins to load the nodes beside an object's.
    @inline(__always)
    func prefetchNeighbours(of object: Int) {
        let node = nodes[object + anchors]
        guard node.list != 0 else { return }
        prefetch(node: Int(node.newer))
        prefetch(node: Int(node.older))
    }

    @inline(__always)
    private func prefetch(node: Int) {
        nodes.withUnsafeBufferPointer { nodes in
            if let base = nodes.baseAddress { cs_prefetch(base + node) }
        }
    }

    /// Puts an object that is in no list at the new end of one.
    @inline(__always)
    mutating func insert(_ object: Int, size: Int, into list: Int) {
        let node = object + anchors
        nodes.withUnsafeMutableBufferPointer { nodes in
            nodes[node].size = size
            nodes[node].list = UInt8(truncatingIfNeeded: list)
            nodes[list].size += size
            Self.link(nodes, node, under: list)
        }
    }

    @inline(__always)
    mutating func remove(_ object: Int) {
        let node = object + anchors
        nodes.withUnsafeMutableBufferPointer { nodes in
            nodes[Int(nodes[node].list)].size -= nodes[node].size
            Self.unlink(nodes, node)
            nodes[node].list = 0
            // Once the oldest object is evicted, the next but one follows soon.
            let newer = Int(nodes[node].newer)
            if let base = nodes.baseAddress { cs_prefetch(base + Int(nodes[newer].newer)) }
        }
    }

    /// Makes an object the newest of its list, or of another one.
    @inline(__always)
    mutating func move(_ object: Int, to list: Int) {
        let node = object + anchors
        nodes.withUnsafeMutableBufferPointer { nodes in
            let old = Int(nodes[node].list)
            if old != list {
                let size = nodes[node].size
                nodes[old].size -= size
                nodes[list].size += size
                nodes[node].list = UInt8(truncatingIfNeeded: list)
            }
            Self.unlink(nodes, node)
            Self.link(nodes, node, under: list)
        }
    }

    @inline(__always)
    private static func link(_ nodes: UnsafeMutableBufferPointer<Node>, _ node: Int, under anchor: Int) {
        let second = nodes[anchor].older
        nodes[node].newer = UInt32(truncatingIfNeeded: anchor)
        nodes[node].older = second
        nodes[Int(second)].newer = UInt32(truncatingIfNeeded: node)
        nodes[anchor].older = UInt32(truncatingIfNeeded: node)
    }

    @inline(__always)
    private static func unlink(_ nodes: UnsafeMutableBufferPointer<Node>, _ node: Int) {
        let (newer, older) = (nodes[node].newer, nodes[node].older)
        nodes[Int(newer)].older = older
        nodes[Int(older)].newer = newer
    }
}
