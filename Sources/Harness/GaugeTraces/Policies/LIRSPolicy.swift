/// Low Inter-reference Recency Set: objects that are requested again after few others (LIR) hold 99 % of the capacity;
/// the others (HIR) pass through a short queue, and their ghosts stay in the stack of recency until no LIR object is
/// older. S. Jiang, X. Zhang, "LIRS: an efficient low inter-reference recency set replacement policy", SIGMETRICS 2002.
///
/// By bytes: sums of sizes take the place of numbers. Objects become LIR at once until the cache has been full for the
/// first time. The ghosts' sizes add up to at most twice the capacity.
package struct LIRSPolicy: SimulatedPolicy {
    package static let name = "lirs"
    package static let summary = "objects with short intervals between requests stay (Jiang 2002)"

    /// The only list of `stack`.
    private static let stacked = 1
    /// The lists of `states`: LIR objects, HIR objects that are held, which are the queue, and ghosts.
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

    /// Moves the LIR object at the bottom of the stack to the end of the queue.
    private mutating func demoteOldest() {
        prune()
        guard let object = stack.oldest(of: Self.stacked) else { return }
        stack.remove(object)
        states.move(object, to: Self.queue)
        prune()
    }

    /// Takes objects off the bottom of the stack until it is a LIR object. Without any, each keeps its chance to become one.
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
