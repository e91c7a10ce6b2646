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
