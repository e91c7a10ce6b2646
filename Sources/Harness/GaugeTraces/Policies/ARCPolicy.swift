/// Adaptive Replacement Cache: one list of objects requested once and one of those requested again, each followed by
/// the ghosts of evicted objects; a request for a ghost moves the target between the two. N. Megiddo, D. S. Modha,
/// "ARC: a self-tuning, low overhead replacement cache", FAST 2003.
///
/// By bytes: sums of sizes take the place of numbers, and the target moves by the size of the ghost, times the ratio of
/// the other ghosts to these where that is more than 1.
package struct ARCPolicy: SimulatedPolicy {
    package static let name = "arc"
    package static let summary = "recent and frequent objects, balanced by their ghosts (Megiddo 2003)"

    private static let (recent, frequent, recentGhosts, frequentGhosts) = (1, 2, 3, 4)

    private var capacity: Int
    /// The wanted sum of the recent objects: *p* in the paper.
    private var target = 0
    private var lists = ObjectLists(count: 4)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: Self.recent) + lists.sum(of: Self.frequent) }

    package mutating func reserve(_ count: Int) { lists.reserve(count) }

    package func prefetch(_ object: Int) { lists.prefetch(object) }

    package func prefetchNeighbours(of object: Int) { lists.prefetchNeighbours(of: object) }

    package mutating func request(_ object: Int) -> Bool {
        let list = lists.list(of: object)
        guard list == Self.recent || list == Self.frequent else { return false }
        lists.move(object, to: Self.frequent)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        let list = lists.list(of: object)
        if list != 0 {
            let (recent, frequent) = (lists.sum(of: Self.recentGhosts), lists.sum(of: Self.frequentGhosts))
            if list == Self.recentGhosts {
                target = min(capacity, target + Self.step(size, frequent, over: recent))
            } else {
                target = max(0, target - Self.step(size, recent, over: frequent))
            }
            lists.remove(object)
        }
        replace(until: capacity - size, favoursFrequent: list != Self.frequentGhosts, evicted)
        lists.insert(object, size: size, into: list == 0 ? Self.recent : Self.frequent)
        trimGhosts()
    }

    package mutating func remove(_ object: Int) { if lists.list(of: object) != 0 { lists.remove(object) } }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        target = min(target, capacity)
        replace(until: capacity, favoursFrequent: true, evicted)
        trimGhosts()
    }

    /// The size, times the ratio of two sums where that is more than 1.
    private static func step(_ size: Int, _ others: Int, over own: Int) -> Int {
        guard own > 0, others > own else { return size }
        return Int(min(Double(size) * (Double(others) / Double(own)), 0x1p60))
    }

    private mutating func replace(until goal: Int, favoursFrequent: Bool, _ evicted: (Int, Int) -> Void) {
        while used > goal {
            let recent = lists.sum(of: Self.recent)
            let isRecent = favoursFrequent ? recent > target : recent >= target
            let first = isRecent ? Self.recent : Self.frequent
            guard let object = lists.oldest(of: first) ?? lists.oldest(of: 3 - first) else { return }
            evicted(object, lists.size(of: object))
            lists.move(object, to: lists.list(of: object) + 2)
        }
    }

    /// The recent objects and their ghosts stay within the capacity, and all together within twice the capacity.
    private mutating func trimGhosts() {
        while lists.sum(of: Self.recent) + lists.sum(of: Self.recentGhosts) > capacity,
            let ghost = lists.oldest(of: Self.recentGhosts)
        {
            lists.remove(ghost)
        }
        while used - capacity + lists.sum(of: Self.recentGhosts) + lists.sum(of: Self.frequentGhosts) > capacity,
            let ghost = lists.oldest(of: Self.frequentGhosts)
        {
            lists.remove(ghost)
        }
    }
}
