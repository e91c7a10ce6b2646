/// W-TinyLFU: new objects enter a window. The main part has segments for objects on probation and protected ones. It
/// takes an object that leaves the window only if that was requested more often than all its victims together. G.
/// Einziger, R. Friedman, B. Manes, "TinyLFU: a highly efficient cache admission policy", ACM Transactions on Storage
/// 13(4), 2017; sizes as in G. Einziger, O. Eytan, R. Friedman, B. Manes, "Lightweight robust size aware cache
/// management", ACM Transactions on Storage 18(3), 2022 (aggregated victims; those that won are moved to the front, so
/// they needn't win again at once); the window adapts by hill climbing as in "Adaptive software cache management",
/// Middleware 2018.
///
/// Requests are counted per object, up to 15; the paper's sketch estimates them. After ten requests per held object,
/// the counts are halved and the window is adapted.
package struct WTinyLFUPolicy: ListedPolicy {
    package static let name = "w-tinylfu"
    package static let summary = "a window that adapts, and admission by frequency (Einziger 2017, 2022)"

    private static let (window, probation, protected) = (1, 2, 3)

    private var capacity: Int
    package var lists = ObjectLists(count: 3)
    private var frequencies = RequestCounts()
    private var climber: WindowClimber
    private var held = 0
    private var requests = 0
    private var hits = 0

    package init(capacity: Int) {
        self.capacity = capacity
        climber = WindowClimber(capacity: capacity)
    }

    package var used: Int { lists.sum(of: Self.window) + main }

    private var main: Int { lists.sum(of: Self.probation) + lists.sum(of: Self.protected) }
    private var mainCapacity: Int { capacity - climber.window }

    package mutating func reserve(_ count: Int) {
        lists.reserve(count)
        frequencies.reserve(count)
    }

    package mutating func request(_ object: Int) -> Bool {
        frequencies.count(object)
        let list = lists.list(of: object)
        switch list {
        case Self.window: lists.move(object, to: Self.window)
        case Self.probation, Self.protected:
            lists.move(object, to: Self.protected)
            let limit = mainCapacity - mainCapacity / 5
            while lists.sum(of: Self.protected) > limit, let oldest = lists.oldest(of: Self.protected) {
                lists.move(oldest, to: Self.probation)
            }
        default: break
        }
        requests += 1
        if list != 0 { hits += 1 }
        if requests >= 10 * max(held, 10) { adapt() }
        return list != 0
    }

    package mutating func store(_ object: Int, size: Int, evicted: (Int, Int) -> Void) {
        held += 1
        if size > climber.window {
            admit(object, size: size, evicted)
        } else {
            lists.insert(object, size: size, into: Self.window)
            while lists.sum(of: Self.window) > climber.window, let oldest = lists.oldest(of: Self.window) {
                let size = lists.size(of: oldest)
                lists.remove(oldest)
                admit(oldest, size: size, evicted)
            }
        }
        while used > capacity, let victim = firstVictim { evict(victim, evicted) }
    }

    package mutating func remove(_ object: Int) {
        guard lists.list(of: object) != 0 else { return }
        lists.remove(object)
        held -= 1
    }

    package mutating func resize(to capacity: Int, evicted: (Int, Int) -> Void) {
        climber.scale(from: self.capacity, to: capacity)
        self.capacity = capacity
        while used > capacity, let victim = firstVictim ?? lists.oldest(of: Self.window) { evict(victim, evicted) }
    }

    /// Lets an object that is in no list into the main part, or evicts it.
    private mutating func admit(_ candidate: Int, size: Int, _ evicted: (Int, Int) -> Void) {
        let limit = mainCapacity - size
        if main > limit {
            guard limit >= 0, isWorthMore(candidate, thanWhatFrees: main - limit) else {
                held -= 1
                evicted(candidate, size)
                return
            }
            while main > limit, let victim = firstVictim { evict(victim, evicted) }
        }
        lists.insert(candidate, size: size, into: Self.probation)
    }

    /// Whether an object was requested more often than all that would have to go for it together. If not, these move to
    /// the front.
    private mutating func isWorthMore(_ candidate: Int, thanWhatFrees needed: Int) -> Bool {
        var (freed, sum) = (0, 0)
        let worth = frequencies.of(candidate)
        for list in [Self.probation, Self.protected] {
            var (victim, seen) = (lists.oldest(of: list), 0)
            while freed < needed, let object = victim {
                freed += lists.size(of: object)
                sum += frequencies.of(object)
                seen += 1
                if sum >= worth {
                    promote(seen, of: list)
                    return false
                }
                victim = lists.newer(than: object)
            }
        }
        return sum < worth
    }

    private mutating func promote(_ count: Int, of list: Int) {
        for _ in 0..<count { if let object = lists.oldest(of: list) { lists.move(object, to: list) } }
    }

    private var firstVictim: Int? { lists.oldest(of: Self.probation) ?? lists.oldest(of: Self.protected) }

    private mutating func evict(_ object: Int, _ evicted: (Int, Int) -> Void) {
        evicted(object, lists.size(of: object))
        lists.remove(object)
        held -= 1
    }

    /// Halves the counts, and moves objects between window and main part by the climber's step.
    private mutating func adapt() {
        frequencies.halve()
        climber.climb(hitRatio: Double(hits) / Double(requests), capacity: capacity)
        (requests, hits) = (0, 0)
        while main > mainCapacity, let object = firstVictim { lists.move(object, to: Self.window) }
        while lists.sum(of: Self.window) > climber.window, let object = lists.oldest(of: Self.window) {
            lists.move(object, to: Self.probation)
        }
    }
}

/// Finds the window's capacity in ``WTinyLFUPolicy`` by hill climbing: it goes on in the same direction while the hit
/// ratio rises, and turns round when it falls. O. Eytan, G. Einziger, R. Friedman, B. Manes, "Adaptive software cache
/// management", Middleware 2018, with Caffeine's constants: steps of a sixteenth of the capacity, which shrink by 2 %
/// each and start again when the ratio changes by 5 points.
struct WindowClimber: Sendable {
    /// The window's capacity: a hundredth of the cache's at first and at least, but 1, and four fifths at most.
    var window: Int { Int(exact) }
    /// The same before rounding, so that small caches climb too.
    private var exact: Double
    private var step: Double
    private var lastRatio = 0.0

    init(capacity: Int) {
        exact = Self.smallest(capacity)
        step = Double(capacity) / 16
    }

    mutating func climb(hitRatio: Double, capacity: Int) {
        let change = hitRatio - lastRatio
        lastRatio = hitRatio
        let amount = change >= 0 ? step : -step
        let full = Double(capacity) / 16
        step = abs(change) >= 0.05 ? (amount < 0 ? -full : full) : amount * 0.98
        exact = max(Self.smallest(capacity), min(Double(capacity - capacity / 5), exact + amount))
    }

    /// Keeps the window's share when the capacity changes.
    mutating func scale(from old: Int, to new: Int) {
        let factor = Double(new) / Double(max(1, old))
        exact = max(Self.smallest(new), min(Double(new), exact * factor))
        step *= factor
    }

    /// An object's room even in a cache of one, as in Caffeine: without a window, no new object would replace one that
    /// was requested as often.
    private static func smallest(_ capacity: Int) -> Double { Double(max(min(1, capacity), capacity / 100)) }
}

/// Counts the requests for each object, up to 15. Halves all counts at once in constant time: each remembers after how
/// many halvings it was set.
struct RequestCounts: Sendable {
    /// The number of halvings, modulo 2²⁸, and the count in the lowest four bits.
    private var counts: [UInt32] = []
    private var halvings: UInt32 = 0

    private static let mask: UInt32 = 0xF

    mutating func reserve(_ count: Int) { counts.grow(to: count, with: 0) }

    @inline(__always)
    func of(_ object: Int) -> Int {
        let since = (halvings &- counts[object] >> 4) & (UInt32.max >> 4)
        return since > 3 ? 0 : Int((counts[object] & Self.mask) >> since)
    }

    @inline(__always)
    mutating func count(_ object: Int) {
        counts[object] = halvings << 4 | UInt32(truncatingIfNeeded: min(15, of(object) + 1))
    }

    mutating func halve() { halvings = (halvings &+ 1) & (UInt32.max >> 4) }
}
