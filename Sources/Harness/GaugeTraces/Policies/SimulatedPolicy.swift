/// A cache of one tier that follows one paper's rule.
///
/// To add a policy, write its file beside this one and add it to ``PolicyKind/all``.
package protocol SimulatedPolicy: SimulatedContents {
    /// The name on the command line.
    static var name: String { get }
    /// The rule in one line, with its paper.
    static var summary: String { get }

    /// An empty cache.
    ///
    /// - Parameter capacity: the largest sum of sizes, 0 to ``PolicyKind/largestCapacity``.
    init(capacity: Int)

    /// The sum of the held sizes; never more than the capacity.
    var used: Int { get }

    /// Offers an object that isn't held, and evicts others until it fits. The policy may refuse it.
    ///
    /// - Parameters:
    ///   - size: from 0 to the capacity.
    ///   - evicted: called with each object that isn't held anymore, and its size.
    mutating func store(_ object: Int, size: Int, evicted: (_ object: Int, _ size: Int) -> Void)

    /// Offers a new version of a held object, in its place; like ``store(_:size:evicted:)``.
    mutating func replace(_ object: Int, size: Int, evicted: (_ object: Int, _ size: Int) -> Void)

    /// Changes the capacity, and evicts until the rest fits.
    mutating func resize(to capacity: Int, evicted: (_ object: Int, _ size: Int) -> Void)
}

extension SimulatedPolicy {
    package mutating func replace(_ object: Int, size: Int, evicted: (_ object: Int, _ size: Int) -> Void) {
        remove(object)
        store(object, size: size, evicted: evicted)
    }

    @inline(__always)
    package mutating func store(_ object: Int, size: Int) { store(object, size: size) { _, _ in } }

    @inline(__always)
    package mutating func replace(_ object: Int, size: Int) { replace(object, size: size) { _, _ in } }

    package mutating func resize(to capacity: Int) { resize(to: capacity) { _, _ in } }
}

/// The objects that a cache of one or two tiers would hold, without bodies or keys.
///
/// Objects have numbers from 0, and sizes in the capacity's unit.
package protocol SimulatedContents: Sendable {
    /// Makes room for the objects below `count`, before any of them is named.
    mutating func reserve(_ count: Int)

    /// Begins to load the state of an object that will soon be requested. Changes nothing.
    func prefetch(_ object: Int)

    /// Begins to load the states beside an object's, once its own is loaded. Changes nothing.
    func prefetchNeighbours(of object: Int)

    /// Whether an object is held. Notes the request, hit or not.
    mutating func request(_ object: Int) -> Bool

    /// Offers an object that isn't held; its size is at most that of the largest admitted entry.
    mutating func store(_ object: Int, size: Int)

    /// Offers a new version of a held object, in its place; like ``store(_:size:)``.
    mutating func replace(_ object: Int, size: Int)

    /// Drops an object if it is held, and the ghost that it may have left.
    mutating func remove(_ object: Int)
}

extension SimulatedContents {
    package func prefetch(_ object: Int) {}
    package func prefetchNeighbours(of object: Int) {}
}

/// A policy that keeps its objects in lists.
package protocol ListedPolicy: SimulatedPolicy {
    var lists: ObjectLists { get set }
}

extension ListedPolicy {
    @inline(__always)
    package mutating func reserve(_ count: Int) { lists.reserve(count) }
    @inline(__always)
    package func prefetch(_ object: Int) { lists.prefetch(object) }
    @inline(__always)
    package func prefetchNeighbours(of object: Int) { lists.prefetchNeighbours(of: object) }
    package mutating func remove(_ object: Int) { if lists.list(of: object) != 0 { lists.remove(object) } }
}
