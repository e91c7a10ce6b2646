/// First in, first out: a hit changes nothing. L. A. Belady, "A study of replacement algorithms for a virtual-storage
/// computer", IBM Systems Journal 5(2), 1966.
package struct FIFOPolicy: SimulatedPolicy {
    package static let name = "fifo"
    package static let summary = "first stored first"

    private var capacity: Int
    private var lists = ObjectLists(count: 1)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

    package mutating func reserve(_ count: Int) { lists.reserve(count) }

    package func prefetch(_ object: Int) { lists.prefetch(object) }

    package func prefetchNeighbours(of object: Int) { lists.prefetchNeighbours(of: object) }

    package mutating func request(_ object: Int) -> Bool { lists.list(of: object) != 0 }

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
