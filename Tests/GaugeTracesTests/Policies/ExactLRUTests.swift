import Testing

@testable import GaugeSupport
@testable import GaugeTraces

/// A simple LRU with an array, most recent first: slow, but short enough to be obviously correct.
private struct NaiveLRU {
    var capacity: ExactLRU.Capacity
    var entries: [(key: UInt64, size: Int)] = []
    var evictions = 0

    mutating func access(_ key: UInt64, size: Int) -> Bool {
        if let at = entries.firstIndex(where: { $0.key == key }) {
            let entry = entries.remove(at: at)
            if entry.size == size {
                entries.insert(entry, at: 0)
                return true
            }
        }
        switch capacity {
        case .entries(let limit):
            if limit > 0 { entries.insert((key, size), at: 0) }
            while entries.count > limit, !entries.isEmpty { evict() }
        case .bytes(let limit, let largest):
            if size <= limit, size <= largest { entries.insert((key, size), at: 0) }
            while entries.reduce(0, { $0 + $1.size }) > limit { evict() }
        }
        return false
    }

    mutating func evict() {
        entries.removeLast()
        evictions += 1
    }
}

@Suite("Exact LRU") struct ExactLRUTests {
    static let capacities: [ExactLRU.Capacity] = [
        .entries(0), .entries(1), .entries(2), .entries(40), .entries(1000),
        .bytes(0, largest: 100), .bytes(50, largest: 10), .bytes(1000, largest: 50), .bytes(1000, largest: .max),
    ]

    @Test("the LRU agrees with an array after every access", arguments: capacities)
    func agreesWithAnArrayAfterEveryAccess(capacity: ExactLRU.Capacity) {
        var exact = ExactLRU(capacity: capacity)
        var naive = NaiveLRU(capacity: capacity)
        var random = Xoshiro256(seed: 99)
        for step in 0..<5000 {
            let key = random.next(below: 100)
            // One object in 50 changes its size.
            let size = Int(key) % 70 + (random.next(below: 50) == 0 ? 1 : 0)
            if random.next(below: 20) == 0 {
                exact.remove(key)
                naive.entries.removeAll { $0.key == key }
            } else {
                let (isHit, shouldHit) = (exact.access(key, size: size), naive.access(key, size: size))
                #expect(isHit == shouldHit, "step \(step)")
            }
            #expect(exact.bytes == naive.entries.reduce(0) { $0 + $1.size })
            #expect(exact.evictions == naive.evictions)
            if step % 10 == 0 { #expect(exact.keys == naive.entries.map(\.key), "step \(step)") }
        }
    }

    @Test("a loop one larger than the cache never hits") func aLoopOneLargerThanTheCacheNeverHits() {
        var lru = ExactLRU(capacity: .entries(99))
        var keys = LoopKeys(objects: 100)
        var hits = 0
        for _ in 0..<1000 where lru.access(keys.next()) { hits += 1 }
        #expect(hits == 0)
        #expect(lru.count == 99)
        #expect(lru.evictions == 901)
    }

    @Test("sizes below zero are not admitted") func sizesBelowZeroAreNotAdmitted() {
        var lru = ExactLRU(capacity: .bytes(100, largest: 100))
        let isHit = lru.access(1, size: -5)
        #expect(!isHit && lru.count == 0 && lru.bytes == 0)
    }

    @Test("the room of entries that are gone is taken again") func room() throws {
        var exact = ExactLRU(capacity: .entries(10))
        for key in 0..<1_000 as Range<UInt64> {
            _ = exact.access(key)
            if key % 3 == 0 { exact.remove(key) }
        }
        let nodes = Mirror(reflecting: exact).children.first { $0.label == "nodes" }?.value
        // The anchor, the entries, and the one that comes before the oldest goes.
        #expect(try Mirror(reflecting: #require(nodes)).children.count == 12)
    }
}
