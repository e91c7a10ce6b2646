/// First in, first out: a hit changes nothing. L. A. Belady, "A study of replacement algorithms for a virtual-storage
/// computer", IBM Systems Journal 5(2), 1966.
package struct FIFOPolicy: ListedPolicy {
    package static let name = "fifo"
    package static let summary = "first stored first"

    private var capacity: Int
    package var lists = ObjectLists(count: 1)

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

    package mutating func request(_ object: Int) -> Bool { lists.list(of: object) != 0 }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        lists.evict(until: capacity - size, evicted)
        lists.insert(object, size: size, into: 1)
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        lists.evict(until: capacity, evicted)
    }
}

/// SIEVE: a queue in the order of storing, and a hand that moves from the oldest to the newest. It spares objects hit
/// since it last passed, and evicts the first one that wasn't. Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson, K. V. Rashmi,
/// "SIEVE is simpler than LRU", NSDI 2024.
package struct SIEVEPolicy: ListedPolicy {
    package static let name = "sieve"
    package static let summary = "first stored first, sparing those hit since the hand last passed (Zhang 2024)"

    private var capacity: Int
    package var lists = ObjectLists(count: 1)
    /// The object that the hand looks at next; `nil` for the oldest.
    private var hand: Int?

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: 1) }

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

/// S3-FIFO: a small queue for new objects with a tenth of the capacity, a main queue for those requested more than once
/// while in the small one, and a ghost queue for those that left it unused. J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V.
/// Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023.
///
/// By bytes: the small queue evicts while it holds a tenth of the capacity or more, and the ghosts' sizes add up to at
/// most nine tenths. Until the cache is full for the first time, new objects go to the main queue once the small one
/// has its tenth, as in the authors' libCacheSim: nothing has been evicted yet that could be remembered.
package struct S3FIFOPolicy: ListedPolicy {
    package static let name = "s3-fifo"
    package static let summary = "a small queue, a main queue and a queue of ghosts (Yang 2023)"

    private static let (small, main, ghosts) = (1, 2, 3)
    private static let mostUses: UInt8 = 3

    private var capacity: Int
    package var lists = ObjectLists(count: 3)
    private var hasEvicted = false

    package init(capacity: Int) { self.capacity = capacity }

    package var used: Int { lists.sum(of: Self.small) + lists.sum(of: Self.main) }

    package mutating func request(_ object: Int) -> Bool {
        let list = lists.list(of: object)
        guard list == Self.small || list == Self.main else { return false }
        lists.setUses(of: object, to: min(lists.uses(of: object) + 1, Self.mostUses))
        return true
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        let isGhost = lists.list(of: object) == Self.ghosts
        if isGhost { lists.remove(object) }
        evict(until: capacity - size, evicted)
        let isFilling = !hasEvicted && lists.sum(of: Self.small) >= smallCapacity
        lists.insert(object, size: size, into: isGhost || isFilling ? Self.main : Self.small)
        lists.setUses(of: object, to: 0)
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        self.capacity = capacity
        evict(until: capacity, evicted)
        trimGhosts()
    }

    private var smallCapacity: Int { max(1, capacity / 10) }

    private mutating func evict(until goal: Int, _ evicted: (Int, Int) -> Void) {
        while used > goal {
            hasEvicted = true
            if lists.sum(of: Self.small) >= smallCapacity || lists.sum(of: Self.main) == 0 {
                evictFromSmall(evicted)
            } else {
                evictFromMain(evicted)
            }
        }
    }

    private mutating func evictFromSmall(_ evicted: (Int, Int) -> Void) {
        while let object = lists.oldest(of: Self.small) {
            if lists.uses(of: object) > 1 {
                lists.move(object, to: Self.main)
                lists.setUses(of: object, to: 0)
            } else {
                evicted(object, lists.size(of: object))
                lists.move(object, to: Self.ghosts)
                trimGhosts()
                return
            }
        }
    }

    private mutating func evictFromMain(_ evicted: (Int, Int) -> Void) {
        while let object = lists.oldest(of: Self.main) {
            let uses = lists.uses(of: object)
            if uses > 0 {
                lists.move(object, to: Self.main)
                lists.setUses(of: object, to: uses - 1)
            } else {
                evicted(object, lists.size(of: object))
                lists.remove(object)
                return
            }
        }
    }

    private mutating func trimGhosts() {
        while lists.sum(of: Self.ghosts) > capacity - capacity / 10, let ghost = lists.oldest(of: Self.ghosts) {
            lists.remove(ghost)
        }
    }
}
