/// Least recently used: a hit moves to the end of the queue.
struct LRUModel: PolicyModel {
    var capacity: Int
    var held: [ModelObject] = []

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        guard let place = held.place(of: object) else { return false }
        held.append(held.remove(at: place))
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        while held.sum + size > capacity { held.removeFirst() }
        held.append(ModelObject(number: object, size: size))
    }

    mutating func remove(_ object: Int) { held.drop(object) }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        while held.sum > capacity { held.removeFirst() }
    }
}

/// First in, first out.
struct FIFOModel: PolicyModel {
    var queue: LRUModel
    var held: [ModelObject] { queue.held }

    init(capacity: Int) { queue = LRUModel(capacity: capacity) }

    mutating func request(_ object: Int) -> Bool { held.contains(object) }
    mutating func store(_ object: Int, size: Int) { queue.store(object, size: size) }
    mutating func remove(_ object: Int) { queue.remove(object) }
    mutating func resize(to capacity: Int) { queue.resize(to: capacity) }
}

/// SIEVE: the hand is a place in the queue.
struct SIEVEModel: PolicyModel {
    var capacity: Int
    var held: [ModelObject] = []
    var hand = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        guard let place = held.place(of: object) else { return false }
        held[place].uses = 1
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        evict(until: capacity - size)
        // After the newest, the hand begins again with the oldest.
        if hand == held.count { hand = 0 }
        held.append(ModelObject(number: object, size: size))
    }

    mutating func evict(until goal: Int) {
        while held.sum > goal {
            if hand == held.count { hand = 0 }
            if held[hand].uses == 0 {
                held.remove(at: hand)
            } else {
                held[hand].uses = 0
                hand += 1
            }
        }
    }

    mutating func remove(_ object: Int) {
        guard let place = held.place(of: object) else { return }
        held.remove(at: place)
        if place < hand { hand -= 1 }
        if hand == held.count { hand = 0 }
    }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        evict(until: capacity)
        if hand == held.count { hand = 0 }
    }
}

/// S3-FIFO: three queues.
struct S3FIFOModel: PolicyModel {
    var capacity: Int
    var small: [ModelObject] = []
    var main: [ModelObject] = []
    var ghosts: [ModelObject] = []
    var hasEvicted = false
    var held: [ModelObject] { small + main }

    init(capacity: Int) { self.capacity = capacity }

    mutating func request(_ object: Int) -> Bool {
        if let place = small.place(of: object) {
            small[place].uses = min(3, small[place].uses + 1)
            return true
        }
        guard let place = main.place(of: object) else { return false }
        main[place].uses = min(3, main[place].uses + 1)
        return true
    }

    mutating func store(_ object: Int, size: Int) {
        let isGhost = ghosts.contains(object)
        ghosts.drop(object)
        evict(until: capacity - size)
        if isGhost || !hasEvicted && small.sum >= max(1, capacity / 10) {
            main.append(ModelObject(number: object, size: size))
        } else {
            small.append(ModelObject(number: object, size: size))
        }
    }

    mutating func evict(until goal: Int) {
        while held.sum > goal {
            hasEvicted = true
            let smallIsFull = small.sum > 0 && small.sum >= capacity / 10
            if smallIsFull || main.sum == 0 { evictSmall() } else { evictMain() }
        }
    }

    mutating func evictSmall() {
        while !small.isEmpty {
            var object = small.removeFirst()
            if object.uses >= 2 {
                object.uses = 0
                main.append(object)
            } else {
                ghosts.append(object)
                trim()
                return
            }
        }
    }

    mutating func evictMain() {
        while !main.isEmpty {
            var object = main.removeFirst()
            if object.uses == 0 { return }
            object.uses -= 1
            main.append(object)
        }
    }

    mutating func trim() {
        while ghosts.sum > capacity - capacity / 10 { ghosts.removeFirst() }
    }

    mutating func remove(_ object: Int) {
        small.drop(object)
        main.drop(object)
        ghosts.drop(object)
    }

    mutating func resize(to capacity: Int) {
        self.capacity = capacity
        evict(until: capacity)
        trim()
    }
}
