/// SIEVE: a queue in the order of storing, and a hand that moves from the oldest to the newest. The hand spares an object
/// that was hit since it last passed, and evicts the first one that was not. Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson,
/// K. V. Rashmi, "SIEVE is simpler than LRU", NSDI 2024.
package struct SIEVEPolicy: SimulatedPolicy {
    package static let name = "sieve"
    package static let summary = "first stored first, sparing those hit since the hand last passed (Zhang 2024)"

    private var capacity: Int
    private var lists = ObjectLists(count: 1)
    /// The object that the hand looks at next; `nil` for the oldest.
    private var hand: Int?

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

    package mutating func reserve(_ count: Int) { lists.reserve(count) }

    package func prefetch(_ object: Int) { lists.prefetch(object) }

    package func prefetchNeighbours(of object: Int) { lists.prefetchNeighbours(of: object) }

    package mutating func request(_ object: Int) -> Bool {
        guard lists.list(of: object) != 0 else { return false }
        lists.setUses(of: object, to: 1)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        evict(until: capacity - size, evicted)
        lists.insert(object, size: size, into: 1)
        lists.setUses(of: object, to: 0)
    }

    package mutating func remove(_ object: Int) {
        guard lists.list(of: object) != 0 else { return }
        if hand == object { hand = lists.newer(than: object) }
        lists.remove(object)
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        evict(until: capacity, evicted)
    }

    @inline(__always)
    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while lists.sum(of: 1) > goal, let object = hand ?? lists.oldest(of: 1) {
            hand = lists.newer(than: object)
            if lists.uses(of: object) > 0 {
                lists.setUses(of: object, to: 0)
            } else {
                evicted(object, lists.size(of: object))
                lists.remove(object)
            }
        }
    }
}
