import CacheTiers
import Foundation
import Synchronization
import TestSupport
import Testing

/// Readers against an evicting writer. Meant for the sanitizers too; all operations run in a release build:
///
///     swift test -c release --sanitize=address --scratch-path .build/asan --filter MemoryTierStressTests
///     swift test -c release --sanitize=thread --scratch-path .build/tsan --filter MemoryTierStressTests
@Suite("Memory tier under several threads", .serialized)
struct MemoryTierStressTests {
    #if DEBUG
    static let operations = 300_000
    #else
    static let operations = 10_000_000
    #endif

    @Test("two readers never see a wrong byte while a writer evicts, replaces, removes and truncates")
    func readersAgainstWriter() throws {
        let pool = StressPool(keyCount: 600)
        let tier = try MemoryTier(capacity: StressPool.capacity)
        let wrong = Atomic<Int>(0)
        let excess = Atomic<Int>(0)
        let each = Self.operations / 3
        runThreads(3) { thread in
            var random = SplitMix64(state: UInt64(thread))
            if thread == 0 {
                for operation in 0..<each {
                    pool.change(tier, operation, &random)
                    if tier.usage > StressPool.capacity { excess.add(1, ordering: .relaxed) }
                }
            } else {
                for _ in 0..<each {
                    let number = Int(random.next() % 600)
                    if tier.usage > StressPool.capacity { excess.add(1, ordering: .relaxed) }
                    guard let entry = pool.lookup(tier, number) else { continue }
                    if !pool.isWhole(entry, number) { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(excess.load(ordering: .relaxed) == 0)
        // The scheduler decides how many lookups hit; the seed of the writer decides which entries are left.
        let left = (0..<600).compactMap { number in pool.lookup(tier, number).map { pool.isWhole($0, number) } }
        #expect(!left.isEmpty && left.allSatisfy { $0 })
        #expect(tier.entries().reduce(0) { $0 + $1.cost } == tier.usage)
    }

    @Test("four threads that do everything leave a tier that adds up") func everybodyDoesEverything() throws {
        let pool = StressPool(keyCount: 600)
        let tier = try MemoryTier(capacity: StressPool.capacity, stripes: 2)
        let wrong = Atomic<Int>(0)
        runThreads(4) { thread in
            var random = SplitMix64(state: UInt64(thread))
            for operation in 0..<Self.operations / 40 {
                let number = Int(random.next() % 600)
                if let entry = pool.lookup(tier, number), !pool.isWhole(entry, number) {
                    wrong.add(1, ordering: .relaxed)
                }
                if operation % 4 == 0 { pool.change(tier, operation, &random) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        let entries = tier.entries()
        #expect(entries.count == tier.count)
        #expect(entries.reduce(0) { $0 + $1.cost } == tier.usage)
        #expect(tier.usage <= tier.capacity)
        // Every one of them is found again, and nothing else.
        #expect((0..<600).count { pool.lookup(tier, $0) != nil } == entries.count)
    }

    @Test("readers find every entry, stored before they ask, while the tier is filled and emptied again and again")
    func fillingAndEmptying() throws {
        let pool = StressPool(keyCount: 6_000)
        let tier = try MemoryTier(capacity: 1 << 30)
        // Entries below the number are in the tier; 0 while it is being emptied. The high bits count the rounds.
        let stored = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
        let falseMisses = Atomic<Int>(0)
        runThreads(3) { thread in
            if thread == 0 {
                for round in 1...Self.operations / 60_000 {
                    for number in 0..<6_000 {
                        _ = tier.store(pool.make(number, version: 0, bodyCount: 8))
                        stored.store(round << 16 | number + 1, ordering: .sequentiallyConsistent)
                    }
                    stored.store(0, ordering: .sequentiallyConsistent)
                    tier.removeAll()
                }
                isOver.store(true, ordering: .sequentiallyConsistent)
            } else {
                var random = SplitMix64(state: UInt64(thread))
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    let before = stored.load(ordering: .sequentiallyConsistent)
                    guard before != 0 else { continue }
                    let found = pool.lookup(tier, Int(random.next() % UInt64(before & 0xFFFF)))
                    let isSameRound = stored.load(ordering: .sequentiallyConsistent) >> 16 == before >> 16
                    if found == nil, isSameRound { falseMisses.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(falseMisses.load(ordering: .relaxed) == 0)
    }

    /// All keys hash to four buckets, which are soon full: those that go stand there, and those that stay in the
    /// buckets behind, found only as long as the full ones say that entries have passed them.
    @Test("an entry that found its bucket full is found by every lookup while the bucket gets empty")
    func noFalseMisses() throws {
        let pool = StressPool(keyCount: 60, slots: 4)
        let tier = try MemoryTier(capacity: 1 << 20)
        // Odd while the entries are put in place.
        let phase = Atomic<Int>(1)
        let falseMisses = Atomic<Int>(0)
        runThreads(2) { thread in
            let rounds = Self.operations / 300
            if thread == 0 {
                for _ in 0..<rounds {
                    tier.removeAll()
                    for number in 0..<60 { _ = tier.store(pool.make(number, version: 0, bodyCount: 64)) }
                    phase.add(1, ordering: .sequentiallyConsistent)
                    for number in 0..<30 { pool.remove(tier, number) }
                    phase.add(1, ordering: .sequentiallyConsistent)
                }
                phase.store(-1, ordering: .sequentiallyConsistent)
            } else {
                var random = SplitMix64(state: 1)
                while true {
                    let before = phase.load(ordering: .sequentiallyConsistent)
                    guard before > 0 else { break }
                    let isFound = pool.lookup(tier, 30 + Int(random.next() % 30)) != nil
                    let after = phase.load(ordering: .sequentiallyConsistent)
                    if !isFound, before == after, before % 2 == 0 { falseMisses.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(falseMisses.load(ordering: .relaxed) == 0)
    }

    /// Seeded Zipf 0.9 over 20,000 objects, 2,000 of which fit.
    @Test(
        "with two and four threads the hit ratio is within 0.5 points of exact LRU",
        arguments: nightly([2, 4], else: [4]))
    func hitRatio(threads: Int) throws {
        let pool = StressPool(keyCount: 20_000)
        let streams = Self.streams(threads)
        let shared = try MemoryTier(capacity: 2_000, unit: .entries)
        runThreads(threads) { thread in
            for number in streams[thread] { pool.ask(shared, number) }
        }
        let exact = try exactRatio(pool, streams, burst: 1)
        #expect(abs(ratio(shared) - exact) < 0.005, "\(ratio(shared)) against \(exact)")
    }

    @Test("with threads that take turns, 1,000 requests each, it is so too", arguments: nightly([2, 4], else: [4]))
    func hitRatioInBursts(threads: Int) throws {
        let pool = StressPool(keyCount: 20_000)
        let streams = Self.streams(threads)
        let burst = 1_000
        let shared = try MemoryTier(capacity: 2_000, unit: .entries)
        let turns = (0..<threads).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
        runThreads(threads) { thread in
            for first in stride(from: 0, to: streams[thread].count, by: burst) {
                turns[thread].wait()
                for number in streams[thread][first..<first + burst] { pool.ask(shared, number) }
                turns[(thread + 1) % threads].signal()
            }
        }
        let exact = try exactRatio(pool, streams, burst: burst)
        #expect(abs(ratio(shared) - exact) < 0.005, "\(ratio(shared)) against \(exact)")
    }

    private static func streams(_ threads: Int) -> [[Int]] {
        (0..<threads).map { Zipf.stream(objects: 20_000, exponent: 0.9, count: 200_000 / threads, seed: UInt64($0)) }
    }

    /// The hit ratio of one thread that makes the requests of all streams, `burst` of each in turn.
    private func exactRatio(_ pool: StressPool, _ streams: [[Int]], burst: Int) throws -> Double {
        let tier = try MemoryTier(capacity: 2_000, unit: .entries)
        for first in stride(from: 0, to: streams[0].count, by: burst) {
            for stream in streams {
                for number in stream[first..<first + burst] { pool.ask(tier, number) }
            }
        }
        return ratio(tier)
    }

    private func ratio(_ tier: MemoryTier) -> Double {
        Double(tier.statistics.hits) / Double(tier.statistics.hits + tier.statistics.misses)
    }

    private func runThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
        let group = DispatchGroup()
        for thread in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(thread)
                group.leave()
            }
        }
        group.wait()
    }
}
