/// Least recently used. R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger, "Evaluation techniques for storage
/// hierarchies", IBM Systems Journal 9(2), 1970.
package struct LRUPolicy: ListedPolicy {
    package static let name = "lru"
    package static let summary = "least recently used first"

    private var capacity: Int
    package var lists = ObjectLists(count: 1)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

    func size(of object: Int) -> Int { lists.size(of: object) }

    package mutating func request(_ object: Int) -> Bool {
        guard lists.list(of: object) != 0 else { return false }
        lists.move(object, to: 1)
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        lists.evict(until: capacity - size, evicted)
        lists.insert(object, size: size, into: 1)
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        lists.evict(until: capacity, evicted)
    }
}

/// Adaptive Replacement Cache: one list of objects requested once and one of those requested again, each followed by
/// the ghosts of evicted objects. A request for a ghost moves the target between the two. N. Megiddo, D. S. Modha,
/// "ARC: a self-tuning, low overhead replacement cache", FAST 2003.
///
/// By bytes: sums of sizes replace numbers, and the target moves by the ghost's size, times the ratio of the other
/// ghosts to these if that is more than 1.
package struct ARCPolicy: ListedPolicy {
    package static let name = "arc"
    package static let summary = "recent and frequent objects, balanced by their ghosts (Megiddo 2003)"

    private static let (recent, frequent, recentGhosts, frequentGhosts) = (1, 2, 3, 4)

    private var capacity: Int
    /// The wanted sum of the recent objects: *p* in the paper.
    private var target = 0
    package var lists = ObjectLists(count: 4)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: Self.recent) + lists.sum(of: Self.frequent) }

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

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        target = min(target, capacity)
        replace(until: capacity, favoursFrequent: true, evicted)
        trimGhosts()
    }

    /// The size, times the ratio of two sums if that is more than 1.
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

    /// The recent objects and their ghosts stay within the capacity, and all together within twice of it.
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

/// Low Inter-reference Recency Set: objects requested again after few others (LIR) hold 99 % of the capacity. The
/// others (HIR) pass through a short queue, and their ghosts stay in the stack of recency until no LIR object is older.
/// S. Jiang, X. Zhang, "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002.
///
/// By bytes: sums of sizes replace numbers. Until the cache has been full for the first time, objects become LIR at
/// once. The ghosts' sizes add up to at most twice the capacity.
package struct LIRSPolicy: SimulatedPolicy {
    package static let name = "lirs"
    package static let summary = "objects with short intervals between requests stay (Jiang 2002)"

    /// The only list of `stack`.
    private static let stacked = 1
    /// The lists of `states`: LIR objects, held HIR objects (the queue), and ghosts.
    private static let (low, queue, ghosts) = (1, 2, 3)

    private var capacity: Int
    private var stack = ObjectLists(count: 1)
    private var states = ObjectLists(count: 3)
    private var hasBeenFull = false

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { states.sum(of: Self.low) + states.sum(of: Self.queue) }

    private var lowCapacity: Int { capacity - max(1, capacity / 100) }

    package mutating func reserve(_ count: Int) {
        stack.reserve(count)
        states.reserve(count)
    }

    package mutating func request(_ object: Int) -> Bool {
        switch states.list(of: object) {
        case Self.low:
            stack.move(object, to: Self.stacked)
            prune()
            return true
        case Self.queue:
            if stack.list(of: object) != 0 {
                stack.move(object, to: Self.stacked)
                states.move(object, to: Self.low)
                demote(until: lowCapacity)
                prune()
            } else {
                stack.insert(object, size: states.size(of: object), into: Self.stacked)
                states.move(object, to: Self.queue)
            }
            return true
        default: return false
        }
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        let isGhost = states.list(of: object) == Self.ghosts
        if isGhost {
            states.remove(object)
            stack.remove(object)
        }
        if used + size > capacity { hasBeenFull = true }
        evict(until: capacity - size, evicted)
        stack.insert(object, size: size, into: Self.stacked)
        let isLow = isGhost || !hasBeenFull && states.sum(of: Self.low) + size <= lowCapacity
        states.insert(object, size: size, into: isLow ? Self.low : Self.queue)
        if isLow { demote(until: lowCapacity) }
        trimGhosts()
    }

    package mutating func remove(_ object: Int) {
        if states.list(of: object) != 0 { states.remove(object) }
        if stack.list(of: object) != 0 { stack.remove(object) }
        prune()
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        demote(until: lowCapacity)
        evict(until: capacity, evicted)
        trimGhosts()
    }

    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while used > goal {
            if states.oldest(of: Self.queue) == nil { demoteOldest() }
            guard let object = states.oldest(of: Self.queue) else { return }
            evicted(object, states.size(of: object))
            if stack.list(of: object) != 0 { states.move(object, to: Self.ghosts) } else { states.remove(object) }
        }
    }

    private mutating func demote(until goal: Int) {
        while states.sum(of: Self.low) > max(0, goal) { demoteOldest() }
    }

    private mutating func demoteOldest() {
        prune()
        guard let object = stack.oldest(of: Self.stacked) else { return }
        stack.remove(object)
        states.move(object, to: Self.queue)
        prune()
    }

    /// Takes objects off the bottom of the stack until a LIR object is there. Without any, all stay and can still
    /// become one.
    private mutating func prune() {
        guard states.oldest(of: Self.low) != nil else { return }
        while let object = stack.oldest(of: Self.stacked), states.list(of: object) != Self.low {
            stack.remove(object)
            if states.list(of: object) == Self.ghosts { states.remove(object) }
        }
    }

    private mutating func trimGhosts() {
        while states.sum(of: Self.ghosts) > 2 * capacity, let ghost = states.oldest(of: Self.ghosts) {
            states.remove(ghost)
            stack.remove(ghost)
        }
    }
}
