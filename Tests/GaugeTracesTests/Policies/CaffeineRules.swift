@testable import GaugeTraces

/// W-TinyLFU by the rules of Caffeine 2.6.2 where they differ from those of ``WTinyLFUPolicy``: the window is a
/// hundredth of the capacity for good, what leaves it enters the main part, and only while all parts together exceed
/// the capacity, a newcomer is compared with the first victim alone; the one that loses goes, and after the last
/// newcomer the victims.
struct CaffeineRules {
    private static let (window, probation, protected) = (1, 2, 3)

    private let capacity: Int
    private let windowCapacity: Int
    private var lists = ObjectLists(count: 3)
    private var frequencies = RequestCounts()
    private var (requests, held, misses) = (0, 0, 0)
    /// Which newcomer is let in although it was not requested more often: one of 128, by chance.
    private var chance: UInt64 = 12_345

    /// The misses of requests for these objects.
    static func misses(_ objects: [Int], capacity: Int, size: (Int) -> Int) -> Int {
        var cache = CaffeineRules(capacity: capacity)
        let count = (objects.max() ?? 0) + 1
        cache.lists.reserve(count)
        cache.frequencies.reserve(count)
        for object in objects { cache.request(object, size: size(object)) }
        return cache.misses
    }

    private init(capacity: Int) {
        self.capacity = capacity
        windowCapacity = capacity - Int(Double(capacity) * 0.99)
    }

    private var used: Int { (1...3).reduce(0) { $0 + lists.sum(of: $1) } }

    private mutating func request(_ object: Int, size: Int) {
        frequencies.count(object)
        requests += 1
        if requests >= 10 * max(held, 10) {
            frequencies.halve()
            requests = 0
        }
        switch lists.list(of: object) {
        case Self.window: lists.move(object, to: Self.window)
        case Self.probation, Self.protected:
            lists.move(object, to: Self.protected)
            while lists.sum(of: Self.protected) > (capacity - windowCapacity) / 5 * 4,
                let oldest = lists.oldest(of: Self.protected)
            {
                lists.move(oldest, to: Self.probation)
            }
        default:
            misses += 1
            held += 1
            lists.insert(object, size: size, into: Self.window)
            evict()
        }
    }

    private mutating func evict() {
        var newcomers: [Int] = []
        while lists.sum(of: Self.window) > windowCapacity, let oldest = lists.oldest(of: Self.window) {
            lists.move(oldest, to: Self.probation)
            newcomers.append(oldest)
        }
        while used > capacity {
            // The youngest first; one may have gone as the victim of another.
            while let last = newcomers.last, lists.list(of: last) != Self.probation { newcomers.removeLast() }
            guard let victim = lists.oldest(of: Self.probation) ?? lists.oldest(of: Self.protected) else { return }
            let newcomer = newcomers.popLast()
            let loser = newcomer.map { isAdmitted($0, beside: victim) ? victim : $0 } ?? victim
            lists.remove(loser)
            held -= 1
        }
    }

    private mutating func isAdmitted(_ newcomer: Int, beside victim: Int) -> Bool {
        let (worth, other) = (frequencies.of(newcomer), frequencies.of(victim))
        guard newcomer != victim, worth <= other, worth > 5 else { return newcomer != victim && worth > other }
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return chance >> 57 == 0
    }
}
