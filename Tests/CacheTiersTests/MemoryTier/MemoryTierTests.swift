import Foundation
import Synchronization
import Testing

@testable import CacheTiers

@Suite("Memory tier") struct MemoryTierTests {
    @Test("hands out what was stored, whole and unchanged") func hit() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let key = TestKey("https://example.com/a")
        #expect(tier.store(key.entry(metadata: [1, 2], body: [3, 4, 5])).outcome == .stored)
        let entry = try #require(tier.lookup(key.key))
        #expect(entry.withKey { Array($0) } == key.key.bytes)
        #expect(entry.withMetadata { Array($0) } == [1, 2])
        #expect(entry.withBody { Array($0) } == [3, 4, 5])
    }

    @Test("tells keys apart that have one hash") func collision() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let hash = KeyHash(low: 7, high: 7)
        for name in ["one", "two", "three"] {
            #expect(tier.store(TestKey(name).entry(hash: hash, body: Array(name.utf8))).outcome == .stored)
        }
        for name in ["one", "two", "three"] {
            let body = TestKey(name).key.withBytes { tier.lookup($0, hash: hash)?.withBody { Array($0) } }
            #expect(body == Array(name.utf8))
        }
        #expect(TestKey("four").key.withBytes { tier.lookup($0, hash: hash) } == nil)
    }

    @Test("the largest capacity there is stands for none", arguments: [MemoryTier.Unit.bytes, .entries])
    func noLimit(unit: MemoryTier.Unit) throws {
        let tier = try MemoryTier(capacity: .max, unit: unit)
        for count in [4_000, 2_000, 0, 4_000] {
            #expect(tier.store(TestKey("a").entry(bodyCount: count)).outcome == .stored)
        }
        try tier.setCapacity(.max - 1)
        #expect(tier.count == 1 && tier.lookup(TestKey("a").key)?.bodyCount == 4_000)
    }

    @Test("evicts the least recently used first") func evictsOldest() throws {
        let cost = TestKey("k0").entry(bodyCount: 100).cost
        let tier = try MemoryTier(capacity: cost * 24)
        for index in 10..<34 { _ = tier.store(TestKey("k\(index)").entry(bodyCount: 99)) }
        #expect(tier.count == 24)
        #expect(tier.usage == cost * 24)
        _ = tier.lookup(TestKey("k10").key)
        #expect(tier.store(TestKey("k34").entry(bodyCount: 99)) == StoreResult(.stored, evictions: 1))
        #expect(tier.lookup(TestKey("k11").key) == nil)
        #expect(tier.lookup(TestKey("k10").key) != nil)
        #expect(tier.statistics.evictions == 1)
    }

    @Test("every hit counts for the order of use, however many come between two changes") func manyHits() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        for index in 0..<1000 { _ = tier.store(TestKey("k\(index)").entry(bodyCount: 1)) }
        // 7 and 1000 have no common divisor: each entry once, in another order than they were stored.
        let order = (0..<1000).map { TestKey("k\($0 * 7 % 1000)").key }
        for key in order { #expect(tier.lookup(key) != nil) }
        #expect(tier.entries().map { $0.withKey { Array($0) } } == order.map(\.bytes))
    }

    @Test("counts what it did") func statistics() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        for index in 0..<5 { _ = tier.store(TestKey("k\(index)").entry(bodyCount: 1)) }
        for index in 0..<8 { _ = tier.lookup(TestKey("k\(index)").key) }
        _ = tier.lookup(TestKey("k0").key)
        #expect(tier.store(TestKey("k9").entry(bodyCount: 1 << 20)).outcome == .tooLarge)
        try tier.setCapacity(TestKey("k0").entry(bodyCount: 1).cost * 2)
        let statistics = tier.statistics
        #expect((statistics.hits, statistics.misses) == (6, 3))
        #expect((statistics.stores, statistics.evictions, statistics.refusals) == (5, 3, 1))
    }

    @Test("an entry in a caller's hands outlives its eviction") func outlives() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let key = TestKey("https://example.com/a")
        _ = tier.store(key.entry(body: Array(repeating: 9, count: 1000)))
        let entry = try #require(tier.lookup(key.key))
        tier.removeAll()
        #expect(tier.usage == 0)
        #expect(entry.withBody { $0.allSatisfy { $0 == 9 } })
    }

    @Test("refuses more than 5 % of the capacity, and drops what the refused entry supersedes")
    func fivePercent() throws {
        let key = TestKey("https://example.com/a")
        let small = key.entry(bodyCount: 10)
        let tier = try MemoryTier(capacity: small.cost * 20)
        #expect(tier.store(small).outcome == .stored)
        #expect(tier.store(key.entry(bodyCount: 11)).outcome == .tooLarge)
        #expect(tier.lookup(key.key) == nil)
        #expect(tier.usage == 0)
        #expect(tier.statistics.refusals == 1)
    }

    @Test("a capacity of 0 holds nothing, a negative one is an error with a remedy") func capacities() throws {
        let tier = try MemoryTier(capacity: 0)
        let key = TestKey("https://example.com/a")
        #expect(tier.store(key.entry(bodyCount: 0)).outcome == .tooLarge)
        #expect(tier.lookup(key.key) == nil)
        let error = #expect(throws: CapacityError.self) { try MemoryTier(capacity: -5) }
        #expect(error?.description == "memory capacity -5 is negative; pass 0 to disable the memory tier")
        #expect(throws: CapacityError.self) { try tier.setCapacity(-1) }
    }

    @Test("lowering the capacity evicts before it returns, and raising it again brings nothing back")
    func truncation() throws {
        let cost = TestKey("k1000").entry(bodyCount: 100).cost
        let tier = try MemoryTier(capacity: cost * 1000)
        for index in 1000..<2000 { _ = tier.store(TestKey("k\(index)").entry(bodyCount: 100)) }
        #expect(tier.count == 1000)
        try tier.setCapacity(cost * 100 + cost - 1)
        #expect(tier.usage == cost * 100)
        #expect(tier.capacity == cost * 100 + cost - 1)
        try tier.setCapacity(cost * 1000)
        #expect(tier.count == 100)
        for index in 1000..<1900 { #expect(tier.lookup(TestKey("k\(index)").key) == nil) }
        for index in 1900..<2000 { #expect(tier.lookup(TestKey("k\(index)").key) != nil) }
    }

    /// A search in the index rarely looks at a second bucket, and the tier's index shrinks only after an eighth of it
    /// has become free; a step more for each entry that stays would be thousands here.
    @Test(
        "lowering the capacity takes steps in proportion to the entries it removes, however many stay",
        arguments: [1, 10, 1_000, 20_000, 39_990])
    func truncationIsLinear(removed: Int) throws {
        let count = 40_000
        let tier = try MemoryTier(capacity: count, unit: .entries)
        for index in 0..<count { _ = tier.store(TestKey("k\(index)").entry(bodyCount: 1)) }
        #expect(tier.count == count)
        let before = tier.stepsOfRemovals
        try tier.setCapacity(count - removed)
        #expect(tier.count == count - removed)
        let steps = tier.stepsOfRemovals - before
        #expect(steps >= removed)
        #expect(steps <= removed * 12 + 20, "\(steps) steps for \(removed) entries")
    }

    @Test("an entry that may not be stored removes the one it supersedes") func notAllowed() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let key = TestKey("https://example.com/a")
        _ = tier.store(key.entry(bodyCount: 10))
        #expect(tier.store(key.entry(bodyCount: 10, policy: .notAllowed)).outcome == .notAllowed)
        #expect(tier.lookup(key.key) == nil)
    }

    @Test("a promotion neither replaces what was stored since nor brings back what was removed")
    func promotion() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let key = TestKey("https://example.com/a")
        let old = key.entry(body: [1])

        let first = tier.promotionTicket(for: key.key.hash)
        #expect(tier.promote(old, ticket: first).outcome == .stored)
        #expect(tier.promote(old, ticket: first).outcome == .outdated)

        let second = tier.promotionTicket(for: key.key.hash)
        _ = tier.store(key.entry(body: [2]))
        #expect(tier.promote(old, ticket: second).outcome == .outdated)
        #expect(tier.lookup(key.key)?.withBody { Array($0) } == [2])

        for clear in [{ _ = tier.remove(key.key) }, tier.removeAll, { tier.removeAll(since: 0) }] {
            let ticket = tier.promotionTicket(for: key.key.hash)
            clear()
            #expect(tier.promote(old, ticket: ticket).outcome == .outdated)
        }
    }

    @Test("a ticket is refused after each kind of change of its key", arguments: 0..<7)
    func tickets(change: Int) throws {
        let (tier, key) = (try MemoryTier(capacity: 100_000), TestKey("a"))
        if change > 0 { _ = tier.store(key.entry(bodyCount: 1)) }
        let ticket = tier.promotionTicket(for: key.key.hash)
        switch change {
        case 0, 1: tier.remove(key.key)
        case 2: _ = tier.store(key.entry(bodyCount: 1))
        case 3: _ = tier.store(key.entry(bodyCount: 1, policy: .notAllowed))
        case 4: tier.removeAll()
        case 5: tier.removeAll(since: 0)
        default: key.key.withBytes { tier.removeAll(withPrefix: $0) }
        }
        #expect(tier.promote(key.entry(bodyCount: 2), ticket: ticket).outcome == .outdated)
        #expect(tier.count == (change == 2 ? 1 : 0))
    }

    @Test("an entry that grows is not evicted for itself", arguments: EvictionPolicy.allCases)
    func growingEntry(policy: EvictionPolicy) throws {
        let tier = try MemoryTier(capacity: 100_000, policy: policy)
        func entry(_ name: String, cost: Int) -> StoredEntry {
            TestKey(name).entry(bodyCount: cost - StoredEntry.overhead - name.utf8.count)
        }
        for name in ["grows"] + (0..<99).map({ "k\($0)" }) { _ = tier.store(entry(name, cost: 1_000)) }
        #expect(tier.store(entry("grows", cost: 5_000)) == StoreResult(.stored, evictions: 4))
        #expect(tier.lookup(TestKey("grows").key)?.cost == 5_000)
        #expect((tier.usage, tier.count) == (100_000, 96))
    }

    @Test("removes what was stored after a moment, and only that") func removeSince() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        for moment in 0..<100 { _ = tier.store(TestKey("k\(moment)").entry(bodyCount: 1, storedAt: Int64(moment))) }
        tier.removeAll(since: 49)
        #expect(tier.count == 50)
        for moment in 0..<100 { #expect((tier.lookup(TestKey("k\(moment)").key) != nil) == (moment <= 49)) }
    }

    @Test("counting entries, each costs one and none is too large") func countingEntries() throws {
        let tier = try MemoryTier(capacity: 2, unit: .entries)
        for name in ["a", "b", "c"] { _ = tier.store(TestKey(name).entry(bodyCount: 10_000)) }
        #expect(tier.usage == 2)
        #expect(tier.lookup(TestKey("a").key) == nil)
        #expect(tier.lookup(TestKey("c").key) != nil)
    }

    @Test("index and table become smaller when few large entries have evicted many small ones")
    func shrinking() throws {
        let tier = try MemoryTier(capacity: 4 << 20)
        for number in 0..<10_000 { _ = tier.store(TestKey("\(number)").entry(bodyCount: 1)) }
        #expect(tier.contents.pointee.table.index.capacity >= 8_192)
        for number in 0..<60 { _ = tier.store(TestKey("large \(number)").entry(bodyCount: 100_000)) }
        #expect(tier.count < 60 && tier.contents.pointee.table.index.capacity <= 256)
        #expect(tier.lookup(TestKey("large 59").key) != nil)
    }

    @Test("a hit that waits when the table becomes smaller is of the entry that was hit") func waitingHit() throws {
        let tier = try MemoryTier(capacity: 4 << 20)
        for number in 0..<1_000 { _ = tier.store(TestKey("\(number)").entry(bodyCount: 1)) }
        // By other threads, of whose hits the last fifteen are not published.
        for number in [905, 950, 990] {
            let thread = Thread { _ = tier.lookup(TestKey("\(number)").key) }
            thread.start()
            while !thread.isFinished { sched_yield() }
        }
        let before = tier.contents.pointee.table.index.capacity
        for number in 0..<900 { tier.remove(TestKey("\(number)").key) }
        #expect(tier.contents.pointee.table.index.capacity < before)
        let order = tier.entries().map { $0.withKey { String(decoding: $0, as: UTF8.self) } }
        #expect(Set(order.suffix(3)) == ["905", "950", "990"])
    }

    @Test("what is attached to an entry may use the tier when it goes with the entry", .timeLimit(.minutes(60)))
    func attachmentUsesTheTier() throws {
        let tier = try MemoryTier(capacity: 1 << 20)
        let goodbyes = Atomic<Int>(0)
        for name in ["removed", "superseded", "cleared"] {
            let key = TestKey(name)
            let entry = key.entry(bodyCount: 10)
            entry.attach(
                AtTheEnd {
                    _ = tier.store(TestKey("after \(name)").entry(bodyCount: 10))
                    goodbyes.add(1, ordering: .relaxed)
                })
            _ = tier.store(entry)
        }
        tier.remove(TestKey("removed").key)
        _ = tier.store(TestKey("superseded").entry(bodyCount: 20))
        tier.removeAll()
        #expect(goodbyes.load(ordering: .relaxed) == 3)
        #expect(tier.lookup(TestKey("after cleared").key) != nil)
    }
}
