import Foundation
import Platform
import Synchronization
import Testing

@testable import CacheTiers

/// Threads that all change one tier. Meant for ThreadSanitizer, too.
@Suite("Several writers", .serialized)
struct SeveralWritersTests {
    #if DEBUG
    static let rounds = 8_000
    #else
    static let rounds = 200_000
    #endif

    /// Counts what may not happen.
    private final class Faults: Sendable {
        private let count = Atomic<Int>(0)

        func note(_ isFault: Bool) { if isFault { count.add(1, ordering: .relaxed) } }

        var number: Int { count.load(ordering: .relaxed) }
    }

    /// Threads of different stripes, which begin together.
    private static func run(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
        let group = DispatchGroup()
        let start = DispatchSemaphore(value: 0)
        let ready = DispatchSemaphore(value: 0)
        for thread in 0..<count {
            group.enter()
            Thread.detachNewThread {
                ready.signal()
                start.wait()
                body(thread)
                group.leave()
            }
        }
        for _ in 0..<count { ready.wait() }
        for _ in 0..<count { start.signal() }
        group.wait()
    }

    private static func countOfEntries(_ tier: MemoryTier) -> Int {
        tier.withLock { tier.contents.pointee.table.count }
    }

    /// Checks that all figures agree with what is found.
    private static func checkWhole(_ tier: MemoryTier, _ pool: StressPool, keyCount: Int) {
        let entries = tier.entries()
        #expect(entries.count == tier.count)
        #expect(entries.reduce(0) { $0 + $1.cost } == tier.usage)
        #expect(tier.usage <= tier.capacity)
        #expect(Set(entries.map { $0.withKey { Array($0) } }).count == entries.count, "no key is there twice")
        #expect((0..<keyCount).count { pool.lookup(tier, $0) != nil } == entries.count)
    }

    /// Sixteen hashes, so that buckets overflow, and the threads meet in them.
    @Test(
        "threads that store, replace, remove and clear keep to the capacity, and leave a tier that adds up",
        arguments: [nil, 16])
    func everything(slots: Int?) throws {
        let pool = StressPool(keyCount: 600, slots: slots)
        let tier = try MemoryTier(capacity: StressPool.capacity, stripes: 8)
        let faults = Faults()
        Self.run(4) { thread in
            var random = SplitMix64(state: UInt64(thread))
            for operation in 0..<Self.rounds {
                let number = Int(random.next() % 600)
                if let entry = pool.lookup(tier, number) { faults.note(!pool.isWhole(entry, number)) }
                pool.change(tier, operation, &random)
                faults.note(tier.usage > StressPool.capacity || tier.usage < 0)
            }
        }
        #expect(faults.number == 0)
        Self.checkWhole(tier, pool, keyCount: 600)
    }

    @Test("two threads that store the same keys at the same time leave one entry for each") func sameKeys() throws {
        let pool = StressPool(keyCount: 2)
        let tier = try MemoryTier(capacity: StressPool.capacity, stripes: 8)
        let faults = Faults()
        Self.run(2) { thread in
            for operation in 0..<Self.rounds * 4 {
                let number = operation & 1
                let bodyCount = operation % 50 * 8
                if operation & 2 == 0 {
                    _ = tier.store(pool.make(number, version: UInt8(thread), bodyCount: bodyCount))
                } else {
                    pool.remove(tier, number)
                }
                if operation % 16 == 0 { faults.note(Self.countOfEntries(tier) > 2) }
            }
        }
        #expect(faults.number == 0)
        Self.checkWhole(tier, pool, keyCount: 2)
        for number in 0..<2 { pool.remove(tier, number) }
        #expect((tier.count, tier.usage) == (0, 0))
    }

    /// Both find the key absent in most rounds: they meet before each, with their entries made.
    @Test("of two threads that store an absent key at the same moment, one replaces what the other has put in")
    func sameMoment() throws {
        let pool = StressPool(keyCount: 1)
        let tier = try MemoryTier(capacity: StressPool.capacity, stripes: 8)
        let (faults, arrivals) = (Faults(), Arrivals())
        let rounds = Self.rounds / 2
        Self.run(2) { thread in
            for round in 0..<rounds {
                let entry = pool.make(0, version: UInt8(thread), bodyCount: 8)
                arrivals.meet(2 * round)
                _ = tier.store(entry)
                arrivals.meet(2 * round + 1)
                guard thread == 0 else { continue }
                faults.note(Self.countOfEntries(tier) != 1)
                while tier.count > 0 { tier.removeAll() }
            }
        }
        #expect(faults.number == 0)
    }

    /// Where two threads wait for each other, again and again.
    private final class Arrivals: Sendable {
        private let count = Atomic<Int>(0)

        /// - Parameter number: of the meeting, from 0 on.
        func meet(_ number: Int) {
            count.add(1, ordering: .acquiringAndReleasing)
            var backoff = SpinBackoff()
            while count.load(ordering: .acquiring) < 2 * (number + 1) { backoff.wait() }
        }
    }

    /// Each key is changed by one thread, on a disk that is an array of versions first, and promoted by the others.
    @Test("what was removed is not found again, and no promotion brings an old version back", arguments: [nil, 16])
    func promotions(slots: Int?) throws {
        let keyCount = 64
        let pool = StressPool(keyCount: keyCount, slots: slots)
        let tier = try MemoryTier(capacity: StressPool.capacity / 8, stripes: 8)
        // A version from 1 to 255; 0 for a key that is not on the disk.
        let disk = (0..<keyCount).map { _ in Version() }
        let hashes = (0..<keyCount).map { pool.make($0, version: 0, bodyCount: 0).hash }
        let faults = Faults()
        Self.run(4) { thread in
            var random = SplitMix64(state: UInt64(thread))
            for operation in 0..<Self.rounds {
                let number = Int(random.next() % UInt64(keyCount))
                guard number % 4 == thread else {
                    let ticket = tier.promotionTicket(for: hashes[number])
                    let version = disk[number].value.load(ordering: .sequentiallyConsistent)
                    guard version != 0 else { continue }
                    _ = tier.promote(pool.make(number, version: version, bodyCount: 64), ticket: ticket)
                    continue
                }
                let version = operation % 3 == 0 ? 0 : UInt8(1 + random.next() % 255)
                disk[number].value.store(version, ordering: .sequentiallyConsistent)
                if version == 0 {
                    pool.remove(tier, number)
                } else {
                    _ = tier.store(pool.make(number, version: version, bodyCount: 64))
                }
                for _ in 0..<3 {
                    guard let found = pool.lookup(tier, number) else { continue }
                    faults.note(version == 0 || found.withMetadata { $0[0] } != version)
                }
            }
        }
        #expect(faults.number == 0)
        Self.checkWhole(tier, pool, keyCount: keyCount)
    }

    private final class Version: Sendable { let value = Atomic<UInt8>(0) }

    @Test("threads that take turns evict in the order of all, and no more than one thread would", arguments: [2, 5])
    func turns(threads: Int) throws {
        let pool = StressPool(keyCount: 10_000)
        let tier = try MemoryTier(capacity: 50_000, stripes: 8)
        let expected = try MemoryTier(capacity: 50_000, stripes: 8)
        let turns = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
        let faults = Faults()
        turns[0].signal()
        Self.run(threads) { thread in
            for number in stride(from: thread, to: 2_000, by: threads) {
                turns[thread].wait()
                let bodyCount = number * 7 % 61 * 8
                let result = tier.store(pool.make(number, version: 0, bodyCount: bodyCount))
                faults.note(result != expected.store(pool.make(number, version: 0, bodyCount: bodyCount)))
                faults.note((tier.usage, tier.count) != (expected.usage, expected.count))
                turns[(thread + 1) % threads].signal()
            }
        }
        #expect(faults.number == 0)
        let keys = [tier, expected].map { $0.entries().map { $0.withKey { Array($0) } } }
        #expect(keys[0] == keys[1])
    }

    @Test("the index grows for the entries of all threads, and shrinks when they go") func size() throws {
        let pool = StressPool(keyCount: 40_000)
        let tier = try MemoryTier(capacity: 1 << 30, stripes: 8)
        Self.run(4) { thread in
            for number in stride(from: thread, to: 40_000, by: 4) {
                _ = tier.store(pool.make(number, version: 0, bodyCount: 8))
            }
        }
        #expect(tier.count == 40_000)
        #expect((0..<40_000).allSatisfy { pool.lookup(tier, $0) != nil })
        #expect(tier.contents.pointee.table.index.capacity == 65_536)
        Self.run(4) { thread in
            for number in stride(from: thread, to: 39_900, by: 4) { pool.remove(tier, number) }
        }
        Self.checkWhole(tier, pool, keyCount: 40_000)
        #expect(tier.count == 100)
        #expect(tier.contents.pointee.table.index.capacity <= 2_048)
        try tier.setCapacity(tier.usage / 2)
        #expect(tier.count <= 50)
        Self.checkWhole(tier, pool, keyCount: 40_000)
    }

    @Test("the entries of all threads go together, and are freed later") func clearing() throws {
        let pool = StressPool(keyCount: 20_000)
        let later = Locked<[@Sendable () -> Void]>([])
        let background = BackgroundRelease { work in
            later.withLock { $0.append(work) }
            return true
        }
        let tier = MemoryTier(1 << 30, .bytes, 8, .leastRecentlyUsed, background: background)
        let freed = Faults()
        for _ in 0..<2 {
            Self.run(4) { thread in
                for number in stride(from: thread, to: 20_000, by: 4) {
                    let entry = pool.make(number, version: 0, bodyCount: 8)
                    entry.attach(AtTheEnd { freed.note(true) })
                    _ = tier.store(entry)
                }
            }
            tier.removeAll()
            #expect((tier.usage, tier.count, tier.entries().count) == (0, 0, 0))
        }
        #expect(freed.number == 0)
        tier.finishReleases()
        #expect(freed.number == 40_000)
    }

    private final class AtTheEnd: Sendable {
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }
}
