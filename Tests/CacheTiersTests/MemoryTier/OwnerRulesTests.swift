import CSupport
import Foundation
import Synchronization
import Testing

@testable import CacheTiers

/// What several owners promise, in an order of changes that one thread decides.
@Suite("Rules of several owners")
struct OwnerRulesTests {
    private static func entry(_ name: String, cost: Int = 1_000, policy: StoragePolicy = .allowed) -> StoredEntry {
        TestKey(name).entry(bodyCount: cost - StoredEntry.overhead - name.utf8.count, policy: policy)
    }

    // MARK: Promotions

    @Test("a ticket is refused after each kind of change of its key, by whichever owner", arguments: 0..<7)
    func tickets(change: Int) throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        let (tier, key) = (stripes.tier, TestKey("a").key)
        if change > 0 { _ = stripes.store(Self.entry("a"), by: stripes.first) }
        let ticket = tier.promotionTicket(for: key.hash)
        switch change {
        case 0, 1: stripes.remove(key, by: stripes.second)
        case 2: _ = stripes.store(Self.entry("a"), by: stripes.second)
        case 3: _ = stripes.store(Self.entry("a", policy: .notAllowed), by: stripes.second)
        case 4: tier.removeAll()
        case 5: tier.removeAll(since: 0)
        default: key.withBytes { tier.removeAll(withPrefix: $0) }
        }
        for stripe in [stripes.first, stripes.second, 0] {
            #expect(stripes.store(Self.entry("a", cost: 500), by: stripe, ticket: ticket).outcome == .outdated)
        }
        #expect(tier.count == (change == 2 ? 1 : 0))
    }

    /// The promotion waits for the key's bucket; when it gets it, the ticket is no longer valid.
    @Test("a promotion that a change overtakes is refused, whether the key is there or not", arguments: [false, true])
    func overtakenPromotion(isThere: Bool) throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        let (tier, key) = (stripes.tier, TestKey("a").key)
        let index = tier.owner(0).pointee.table.index
        let bucket = index.bucket(EntryIndex.Position(home: EntryIndex.tag(key.hash), in: index))
        for round in 0..<100 {
            if isThere { _ = stripes.store(Self.entry("a", cost: 500), by: stripes.first) }
            let ticket = tier.promotionTicket(for: key.hash)
            let promoted = Self.entry("a")
            bucket.lock()
            let ended = DispatchSemaphore(value: 0)
            let result = Outcome()
            Thread.detachNewThread {
                result.isOutdated.store(
                    stripes.store(promoted, by: stripes.first, ticket: ticket).outcome == .outdated,
                    ordering: .relaxed)
                ended.signal()
            }
            while !tier.owner(stripes.first).face.pointee.lock.isLocked { cs_spin_pause(1) }
            // Time to check the ticket once; a shorter or longer time makes the test weaker, not wrong.
            cs_spin_pause(Int32(round * 20))
            tier.tickets.countChange(key.hash, by: stripes.second)
            bucket.unlock()
            ended.wait()
            let isOutdated = result.isOutdated.load(ordering: .relaxed)
            #expect(isOutdated, "round \(round)")
            #expect(tier.lookup(key)?.bodyCount == (isThere ? 500 - StoredEntry.overhead - 1 : nil))
        }
    }

    private final class Outcome: Sendable { let isOutdated = Atomic<Bool>(false) }

    // MARK: Refusals

    @Test("a refused entry removes what it supersedes from any owner, and is counted")
    func refusals() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        for (name, refused) in [
            ("a", Self.entry("a", policy: .notAllowed)), ("b", Self.entry("b", cost: 5_001)),
        ] {
            _ = stripes.store(Self.entry(name), by: stripes.first)
            #expect(stripes.store(refused, by: stripes.second).outcome != .stored)
            #expect(stripes.tier.lookup(TestKey(name).key) == nil)
            #expect(stripes.store(refused, by: stripes.second).outcome != .stored)
        }
        #expect(stripes.store(Self.entry("c", cost: 5_000), by: stripes.second).outcome == .stored)
        #expect((stripes.tier.usage, stripes.tier.count) == (5_000, 1))
        #expect(stripes.tier.statistics.refusals == 4)
        #expect(stripes.tier.statistics.stores == 3)
    }

    // MARK: Order and room

    @Test("a lower capacity holds for all owners, and evicts the oldest of all")
    func lowerCapacity() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        let names = (0..<90).map { "k\($0)" }
        for (number, name) in names.enumerated() {
            _ = stripes.store(Self.entry(name), by: [0, stripes.first, stripes.first, stripes.second][number % 4])
        }
        // Not applied yet when the capacity changes.
        #expect(stripes.tier.lookup(TestKey("k0").key) != nil)
        try stripes.tier.setCapacity(40_000)
        #expect(stripes.order == Array(names.suffix(39)) + ["k0"])
        #expect(stripes.tier.statistics.evictions == 50)
        for stripe in [0, stripes.first, stripes.second] {
            #expect(stripes.store(Self.entry("large", cost: 2_001), by: stripe).outcome == .tooLarge)
            #expect(stripes.store(Self.entry("new \(stripe)"), by: stripe).evictions == 1)
        }
        try stripes.tier.setCapacity(0)
        #expect((stripes.tier.usage, stripes.tier.count) == (0, 0))
        #expect(stripes.tier.statistics.evictions == 93)
        for stripe in [0, stripes.first, stripes.second] {
            #expect(stripes.store(Self.entry("new"), by: stripe).outcome == .tooLarge)
        }
    }

    @Test("removing what was stored since a moment goes through the entries of every owner")
    func removeSince() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        for number in 0..<30 {
            let entry = TestKey("k\(number)").entry(bodyCount: 1, storedAt: Int64(number))
            _ = stripes.store(entry, by: [0, stripes.first, stripes.second][number % 3])
        }
        stripes.tier.removeAll(since: -1)
        #expect((stripes.tier.usage, stripes.tier.count) == (0, 0))
    }

    @Test("an entry that grows is not evicted for itself, though it is its owner's only one")
    func growingEntry() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        _ = stripes.store(Self.entry("grows"), by: stripes.first)
        for number in 0..<99 { _ = stripes.store(Self.entry("k\(number)"), by: stripes.second) }
        #expect(
            stripes.store(Self.entry("grows", cost: 5_000), by: stripes.first) == StoreResult(.stored, evictions: 4))
        #expect(stripes.order == (4..<99).map { "k\($0)" } + ["grows"])
        #expect(stripes.tier.usage == 100_000)
    }

    @Test("an entry that another owner's thread replaces is the most recently used")
    func replacing() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        for name in ["a", "b", "c"] { _ = stripes.store(Self.entry(name), by: stripes.first) }
        _ = stripes.store(Self.entry("d"), by: stripes.second)
        _ = stripes.store(Self.entry("a"), by: stripes.second)
        #expect(stripes.order == ["b", "c", "d", "a"])
        #expect((stripes.count(of: stripes.first), stripes.count(of: stripes.second)) == (3, 1))
        #expect(stripes.tier.statistics.stores == 5)
    }

    @Test("a hit that waits keeps another owner's entry from being taken for the oldest")
    func waitingHit() throws {
        let stripes = try OwnerStripes(capacity: 4, unit: .entries)
        for (name, stripe) in [("other", stripes.first), ("a", stripes.first), ("b", stripes.second), ("c", 0)] {
            _ = stripes.store(Self.entry(name), by: stripe)
        }
        // The first hit on an entry of the owner makes the box in which the second waits.
        for name in ["other", "a"] { #expect(stripes.tier.lookup(TestKey(name).key) != nil) }
        #expect(stripes.tier.store(Self.entry("new")) == StoreResult(.stored, evictions: 1))
        // The waiting hit is as old as the store that applied it.
        #expect(stripes.order.prefix(2) == ["c", "other"] && Set(stripes.order.suffix(2)) == ["a", "new"])
    }

    @Test("units that one owner does not use are used before another's entries are evicted", arguments: [0, 256])
    func unusedUnits(busyEvictions: Int) throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        let owner = stripes.tier.owner(stripes.first)
        for number in 0..<100 {
            _ = stripes.store(Self.entry("k\(number)"), by: number < 50 ? stripes.first : stripes.second)
        }
        owner.pointee.busyEvictions = busyEvictions
        // While it is busy it keeps up to a 128th of the capacity.
        _ = stripes.store(Self.entry("k49", cost: 300), by: stripes.first)
        let pool = stripes.tier.pool.pointee.load(ordering: .relaxed)
        #expect(pool == (busyEvictions == 0 ? 700 : 0))
        #expect(owner.pointee.allotted - owner.pointee.used == 700 - pool)
        #expect(stripes.store(Self.entry("new", cost: 700), by: stripes.second) == StoreResult(.stored))
        #expect((stripes.tier.usage, stripes.tier.count) == (100_000, 101))
    }

    @Test("a hit counts for the order of another owner's entries, before and after there is a box for it")
    func hits() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        for name in ["a", "b", "c", "d"] { _ = stripes.store(Self.entry(name), by: stripes.first) }
        let (face, table) = (stripes.tier.owner(stripes.first).face, stripes.tier.owner(stripes.first))
        for name in ["a", "b"] { #expect(stripes.tier.lookup(TestKey(name).key) != nil) }
        let (shown, oldest) = (face.pointee.oldest.load(ordering: .relaxed), table.pointee.table.oldestStamp)
        #expect(shown == oldest)
        #expect(stripes.order == ["c", "d", "a", "b"])
        _ = stripes.tier.lookup(TestKey("c").key)
        #expect(stripes.order == ["d", "a", "b", "c"])
        // The owner's next change applies a full line of 16 hits: those of b, c and d.
        for _ in 0..<14 { _ = stripes.tier.lookup(TestKey("d").key) }
        _ = stripes.store(Self.entry("e"), by: stripes.first)
        #expect(stripes.order == ["a", "b", "c", "d", "e"])
    }

    @Test("usage is at most the capacity, also when an entry's units are seen at two owners")
    func usage() throws {
        let stripes = try OwnerStripes(capacity: 100_000)
        for number in 0..<100 {
            _ = stripes.store(Self.entry("k\(number)"), by: number < 50 ? stripes.first : stripes.second)
        }
        // As seen while the first takes the room of an entry of the second.
        stripes.tier.owner(stripes.first).face.pointee.usage.add(1_000, ordering: .relaxed)
        #expect(stripes.tier.usage == 100_000)
    }

    // MARK: Lifetimes

    private final class Attached: Sendable {}

    @Test("what a reader holds outlives its removal by an owner that came after the reader, or before it")
    func heldEntries() throws {
        for isReaderFirst in [false, true] {
            let stripes = try OwnerStripes(capacity: 100_000) { tier in
                if isReaderFirst { _ = tier.lookup(TestKey("a").key) }
            }
            weak var attached: Attached?
            do {
                let object = Attached()
                let entry = Self.entry("a")
                entry.attach(object)
                attached = object
                _ = stripes.store(entry, by: stripes.first)
            }
            do {
                let held = stripes.tier.lookup(TestKey("a").key)
                #expect(held != nil && attached != nil)
                stripes.remove(TestKey("a").key, by: stripes.first)
                #expect(attached != nil)
                #expect(held?.withBody { $0.allSatisfy { $0 == 7 } } == true)
            }
            #expect(attached == nil)
        }
    }

    /// Stores entries of a 200th of the capacity.
    private final class Stores {
        let stripes: OwnerStripes
        private(set) var attached: [() -> Attached?] = []

        init() throws { stripes = try OwnerStripes(capacity: 1_000_000) }

        func store(by stripe: Int) {
            let entry = OwnerRulesTests.entry("k\(attached.count)", cost: 5_000)
            let object = Attached()
            entry.attach(object)
            attached.append { [weak object] in object }
            _ = stripes.store(entry, by: stripe)
        }

        /// Fills the tier with the entries of two owners.
        func fill() { for number in 0..<200 { store(by: number % 2 == 0 ? 0 : stripes.first) } }
    }

    @Test("entries that were evicted from idle owners are freed before they take a twelfth of the capacity")
    func retiredEntries() throws {
        let stores = try Stores()
        stores.fill()
        for evicted in 1...200 {
            stores.store(by: stores.stripes.second)
            let freed = stores.attached.count { $0() == nil }
            #expect(evicted - freed <= 200 / 12, "evicted \(evicted), freed \(freed)")
        }
    }

    @Test("what a reader holds outlives its eviction by another owner than its own")
    func heldWhileEvicted() throws {
        let stores = try Stores()
        stores.fill()
        let numbers = stride(from: 1, to: 40, by: 2)
        let held = try numbers.map { try #require(stores.stripes.tier.lookup(TestKey("k\($0)").key)) }
        for _ in 0..<200 { stores.store(by: stores.stripes.second) }
        withExtendedLifetime(held) {
            for number in numbers { #expect(stores.attached[number]() != nil, "entry \(number)") }
            for entry in held { #expect(entry.withBody { $0.allSatisfy { $0 == 7 } }) }
        }
    }

    // MARK: The index

    @Test("the index has room for its entries, and no more than it needs, while owners store and remove")
    func indexRoom() throws {
        let stripes = try OwnerStripes(capacity: 1 << 30)
        let keys = (0..<20_000).map { TestKey("\($0)") }
        func check() {
            let (count, capacity) = (stripes.tier.count, stripes.tier.owner(0).pointee.table.index.capacity)
            guard count > capacity * 5 / 4 || capacity < 64 || capacity > 64 && count * 16 < capacity * 3 else {
                return
            }
            Issue.record("\(count) entries in an index for \(capacity)")
        }
        check()
        for (number, key) in keys.enumerated() {
            _ = stripes.store(key.entry(bodyCount: 1), by: number % 5 == 0 ? stripes.first : stripes.second)
            check()
        }
        for (number, key) in keys.enumerated() {
            #expect(stripes.remove(key.key, by: number % 2 == 0 ? stripes.first : stripes.second))
            check()
        }
        #expect((stripes.tier.usage, stripes.tier.count) == (0, 0))
        #expect(stripes.tier.owner(0).pointee.table.index.isEmpty)
    }

    @Test("an entry that does not get into the index gives its node back")
    func takenBack() throws {
        let index = EntryIndex(capacity: 16)
        defer { index.deallocate() }
        var table = EntryTable(index: index, owner: 0, policy: .leastRecentlyUsed, stripeCount: 1)
        let entry = Self.entry("a")
        for _ in 0..<100 {
            let entered = table.enter(entry, stripe: 0)
            #expect(entered.node == 1)
            #expect(entered.resident.entry.toOpaque() == entry.storage.toOpaque(), "not a copy")
            table.takeBack(entered)
        }
        let (count, lastNode) = (table.count, table.lastNode)
        #expect(count == 0 && lastNode == 1)
    }
}

extension EntryIndex {
    /// Whether no bucket has an entry, counts one that passed it, or is locked.
    var isEmpty: Bool {
        var position = Position(home: 0, in: self)
        repeat { if bucket(position).summary.word != 0 { return false } } while position.advance()
        return true
    }
}
