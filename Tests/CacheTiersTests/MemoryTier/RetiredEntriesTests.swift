import Foundation
import Synchronization
import Testing

@testable import CacheTiers

/// Which thread frees the entries that leave the tier, and when.
@Suite("Retired entries") struct RetiredEntriesTests {
    /// Attached to an entry, and gone with it.
    private final class Attached: Sendable {}

    /// A tier for 200 entries, and those that were stored, by their numbers.
    private final class Filled: @unchecked Sendable {
        // Used by one thread at a time: `onOtherThread` waits for its thread.
        let tier = MemoryTier(clamping: 200 * RetiredEntriesTests.cost)
        private var stored: [() -> Attached?] = []

        init() { store(200) }

        /// Stores new entries; from the 201st on each evicts another.
        func store(_ count: Int) {
            for _ in 0..<count {
                let key = TestKey("https://example.com/\(stored.count)")
                let bodyCount = RetiredEntriesTests.cost - StoredEntry.overhead - key.key.bytes.count
                let entry = key.entry(bodyCount: bodyCount)
                let attached = Attached()
                entry.attach(attached)
                stored.append { [weak attached] in attached }
                #expect(tier.store(entry) == StoreResult(.stored, evictions: stored.count > 200 ? 1 : 0))
            }
        }

        /// How many of the first entries are freed.
        var freed: Int { stored.prefix { $0() == nil }.count }

        /// Runs `body` on a thread of another stripe than the caller's, and waits for it.
        func onOtherThread(_ body: @escaping @Sendable (Filled) -> Void) {
            let own = tier.threadStripe
            var isDone = false
            while !isDone { isDone = onNewThread { $0.tier.threadStripe != own ? body($0) : nil } }
        }

        private func onNewThread(_ body: @escaping @Sendable (Filled) -> Void?) -> Bool {
            let result = Result()
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                result.isDone = body(self) != nil
                ended.signal()
            }
            ended.wait()
            return result.isDone
        }

        private final class Result: @unchecked Sendable { var isDone = false }
    }

    private static let cost = 5_000

    @Test("an entry is freed by the thread that stored it, though another thread evicts it") func freedByItsThread() {
        let filled = Filled()
        filled.onOtherThread { $0.store(7) }
        #expect(filled.freed == 0)
        filled.store(1)
        #expect(filled.freed == 8)
    }

    @Test("the entries of an idle thread are freed by others before they take more than a twelfth of the capacity")
    func freedForIdleThread() {
        let filled = Filled()
        filled.onOtherThread { other in
            for count in 1...100 {
                other.store(1)
                #expect(count - other.freed <= 17)
            }
        }
        #expect(filled.freed >= 83)
    }

    /// Attached to an entry; counts itself when a thread of another stripe than that of its thread frees it.
    private final class Traveller: Sendable {
        private let tier: MemoryTier
        private let stripe: Int
        private let strangers: StrangerCount

        init(_ tier: MemoryTier, _ strangers: StrangerCount) {
            self.tier = tier
            self.strangers = strangers
            stripe = tier.threadStripe
        }

        deinit {
            if tier.threadStripe != stripe { strangers.number.add(1, ordering: .relaxed) }
        }
    }

    private final class StrangerCount: Sendable { let number = Atomic<Int>(0) }

    @Test("eight threads that all store free their own entries, and no others") func freedByTheirThreads() {
        let strangers = StrangerCount()
        let tier = MemoryTier(clamping: 1_900 * 1_200, stripes: 64)
        let turns = (0..<8).map { _ in DispatchSemaphore(value: 0) }
        let ended = DispatchSemaphore(value: 0)
        for thread in 0..<8 {
            Thread.detachNewThread {
                for round in 0..<100 {
                    turns[thread].wait()
                    for number in 0..<10 {
                        let key = TestKey("\(thread) \(round) \(number)")
                        #expect(tier.lookup(key.key) == nil)
                        let entry = key.entry(bodyCount: 1_200 - StoredEntry.overhead - key.key.bytes.count)
                        entry.attach(Traveller(tier, strangers))
                        _ = tier.store(entry)
                    }
                    turns[(thread + 1) % 8].signal()
                }
                ended.signal()
            }
        }
        turns[0].signal()
        for _ in 0..<8 { ended.wait() }
        #expect(tier.count == 1_900 && tier.statistics.evictions == 6_100)
        #expect(strangers.number.load(ordering: .relaxed) == 0)
        // Entries and travellers hold the tier in a cycle.
        tier.removeAll()
    }

    @Test("lists hand over the entries of one stripe, or all of them") func lists() {
        var lists = RetiredLists(stripeCount: 4)
        let entries = (0..<10).map { TestKey("\($0)").entry(bodyCount: 10) }
        for (number, entry) in entries.enumerated() {
            entry.withStorage { $0.stripe = number % 4 }
            lists.append(entry.storage.retain())
        }
        let (count, ofTwo, bytes) = (lists.count, lists.count(of: 2), lists.byteCount)
        #expect(count == 10 && ofTwo == 2 && bytes == 110)
        let two = lists.take(of: 2)
        let (taken, left, leftOfTwo) = (two.count, lists.count, lists.count(of: 2))
        #expect(taken == 2 && left == 8 && leftOfTwo == 0)
        for number in [2, 6] {
            let isIn = two.filter.mayContain(UInt(bitPattern: entries[number].storage.toOpaque()))
            #expect(isIn)
        }
        let rest = lists.takeAll()
        let (restCount, isEmpty, restBytes) = (rest.count, lists.isEmpty, rest.byteCount)
        #expect(restCount == 8 && isEmpty && restBytes == 88)
        // A block tells no addresses, so what it may contain is everything.
        lists.append(EntryBlock(nil, count: 0) {})
        let mayBeIn = lists.takeAll().filter.mayContain(0)
        #expect(mayBeIn)
    }
}
