/// A cache of one tier, by the rule of one paper.
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

    /// The sum of the sizes held; never more than the capacity.
    var used: Int { get }

    /// Offers an object that is not held, and evicts others until it fits. The policy may refuse it.
    ///
    /// - Parameters:
    ///   - size: from 0 to the capacity.
    ///   - evicted: called with each object that is not held any more, and its size.
    mutating func store(_ object: Int, size: Int, evicted: (_ object: Int, _ size: Int) -> Void)

    /// Offers another version of an object that is held, in its place; as ``store(_:size:evicted:)``.
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

/// The objects that a cache of one tier or two would hold. No bodies, no keys.
///
/// Objects have numbers from 0, and sizes in the unit of the capacity.
package protocol SimulatedContents: Sendable {
    /// Makes room for the objects below `count`. Called before any of them is named.
    mutating func reserve(_ count: Int)

    /// Begins to load the state of an object that is soon requested. Changes nothing.
    func prefetch(_ object: Int)

    /// Begins to load the state of the objects beside it, once its own is loaded. Changes nothing.
    func prefetchNeighbours(of object: Int)

    /// Whether an object is held. Notes the request, whether it is a hit or not.
    mutating func request(_ object: Int) -> Bool

    /// Offers an object that is not held, of the size of the largest admitted entry at most.
    mutating func store(_ object: Int, size: Int)

    /// Offers another version of an object that is held, in its place; as ``store(_:size:)``.
    mutating func replace(_ object: Int, size: Int)

    /// Drops an object, if it is held, and the ghost that it may have left.
    mutating func remove(_ object: Int)
}

extension SimulatedContents {
    package func prefetch(_ object: Int) {}
    package func prefetchNeighbours(of object: Int) {}
}
