/// Least recently used. R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger, "Evaluation techniques for storage
/// hierarchies", IBM Systems Journal 9(2), 1970.
package struct LRUPolicy: SimulatedPolicy {
    package static let name = "lru"
    package static let summary = "least recently used first"

    private var capacity: Int
    private var lists = ObjectLists(count: 1)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

    /// The size of an object that is held.
    func size(of object: Int) -> Int { lists.size(of: object) }

    package mutating func reserve(_ count: Int) { lists.reserve(count) }

    package func prefetch(_ object: Int) { lists.prefetch(object) }

    package func prefetchNeighbours(of object: Int) { lists.prefetchNeighbours(of: object) }

    package mutating func request(_ object: Int) -> Bool {
        guard lists.list(of: object) != 0 else { return false }
        lists.move(object, to: 1)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        evict(until: capacity - size, evicted)
        lists.insert(object, size: size, into: 1)
    }

    package mutating func remove(_ object: Int) { if lists.list(of: object) != 0 { lists.remove(object) } }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        evict(until: capacity, evicted)
    }

    @inline(__always)
    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while lists.sum(of: 1) > goal, let oldest = lists.oldest(of: 1) {
            evicted(oldest, lists.size(of: oldest))
            lists.remove(oldest)
        }
    }
}
