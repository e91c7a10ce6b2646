/// LIRS: a stack of objects in the order of requests, a queue of resident HIR objects, and ghosts in the order of
/// eviction.
struct LIRSModel: PolicyModel {
    var capacity: Int
    /// From the bottom to the top.
    var stack: [Int] = []
    var low: [ModelObject] = []
    var queue: [ModelObject] = []
    var ghosts: [ModelObject] = []
    var hasBeenFull = false
    var held: [ModelObject] { low + queue }
    var lowCapacity: Int { capacity - max(1, capacity / 100) }

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        if low.contains(object) {
            toTop(object)
        } else if let place = queue.place(of: object) {
            let found = queue.remove(at: place)
            if stack.contains(object) {
                low.append(found)
                toTop(object)
                while low.sum > max(0, lowCapacity) { demote() }
            } else {
                queue.append(found)
                toTop(object)
            }
        } else {
            return false
        }
        prune()
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        let isGhost = ghosts.contains(object)
        ghosts.drop(object)
        stack.removeAll { $0 == object && isGhost }
        if held.sum + size > capacity { hasBeenFull = true }
        evict(until: capacity - size)
        toTop(object)
        let entry = ModelObject(number: object, size: size)
        if isGhost || !hasBeenFull && low.sum + size <= lowCapacity {
            low.append(entry)
            while low.sum > max(0, lowCapacity) { demote() }
        } else {
            queue.append(entry)
        }
        trim()
    }

    mutating func evict(until goal: Int) {
        while held.sum > goal {
            if queue.isEmpty { demote() }
            let victim = queue.removeFirst()
            if stack.contains(victim.number) { ghosts.append(victim) }
        }
    }

    /// Moves the least recently requested LIR object to the end of the queue.
    mutating func demote() {
        prune()
        let bottom = stack.removeFirst()
        guard let place = low.place(of: bottom) else { return }
        queue.append(low.remove(at: place))
        prune()
    }

    mutating func prune() {
        while !low.isEmpty, let bottom = stack.first, !low.contains(bottom) {
            stack.removeFirst()
            ghosts.drop(bottom)
        }
    }

    mutating func toTop(_ object: Int) {
        stack.removeAll { $0 == object }
        stack.append(object)
    }

    mutating func trim() {
        while ghosts.sum > 2 * capacity {
            let ghost = ghosts.removeFirst()
            stack.removeAll { $0 == ghost.number }
        }
    }

    mutating func remove(_ object: Int) {
        low.drop(object)
        queue.drop(object)
        ghosts.drop(object)
        stack.removeAll { $0 == object }
        prune()
    }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        while low.sum > max(0, lowCapacity) { demote() }
        evict(until: capacity)
        trim()
    }
}
