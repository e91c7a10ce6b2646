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
