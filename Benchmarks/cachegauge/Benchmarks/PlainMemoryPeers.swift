import GaugeKit
import GaugeTraces
import Platform

/// The memory benchmarks on an LRU written plainly for speed, with one lock, and on several threads also with sixteen.
///
/// Driven like the tier: the same key bytes in the same order are hashed and compared whole, and an entry costs the
/// same.
enum PlainMemoryPeers {
    static let all: [Benchmark] =
        [
            hit(1_000, "1k"), hit(100_000, "100k"), miss,
            storeEvict(1_000, "1k"), storeEvict(100_000, "100k"),
            floor("bare-loop", isLocked: false), floor("locked-loop", isLocked: true),
        ]
        + [(1_000, "1k"), (100_000, "100k")].flatMap { count, label in
            ThreadCounts.possible.flatMap { threads in
                rows(PlainLRU.self, "plain-lru", label, count, threads)
                    + rows(ShardedLRU.self, "sharded-lru", label, count, threads)
            }
        }

    private static func rows<Cache: PlainCache>(
        _ type: Cache.Type, _ subject: String, _ label: String, _ count: Int, _ threads: Int
    ) -> [Benchmark] {
        [
            mix(type, subject, "uniform/\(label)", .uniform, entries: count, objects: count * 20 / 19, threads),
            mix(type, subject, "zipf/\(label)", .zipf(exponent: 0.9), entries: count, objects: count * 4, threads),
            hits(type, subject, label, entries: count, threads),
        ]
    }

    private static func peer(
        _ case: String, _ subject: String = "plain-lru", suites: Set<String> = ["default"],
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) -> Benchmark {
        Benchmark(BenchmarkName("memory", `case`, subject), isPeer: true, suites: suites, prepare: prepare)
    }

    // MARK: One thread

    private static func hit(_ count: Int, _ label: String) -> Benchmark {
        peer("hit/\(label)") { context in
            let entries = PlainEntries(count: count, spare: 0, seed: context.seed)
            let cache: PlainLRU = entries.filled()
            let walk = entries.shared.uniformWalk(seed: context.seed)
            return PreparedBenchmark(.batched { look(up: walk, of: entries, in: cache, $0) }, outcome: .memoryHit)
        }
    }

    /// The least work of a hit that hands out a reference: the hash, a probe, the comparison of the whole key, a
    /// counted reference, and with a lock one word that keeps the entry from being evicted meanwhile. No order, no
    /// usage.
    private static func floor(_ subject: String, isLocked: Bool) -> Benchmark {
        Benchmark(BenchmarkName("harness", "hit-floor", subject), suites: []) { context in
            let entries = PlainEntries(count: 1_000, spare: 0, seed: context.seed)
            let table = BareTable(entries.makeAll(seed: context.seed))
            let walk = entries.shared.uniformWalk(seed: context.seed)
            let lock = BriefLock()
            return PreparedBenchmark(
                .batched { operations in
                    var folded = 0
                    walk.walk(operations) { _, key in
                        let hash = entries.hasher.hash(key)
                        if isLocked { lock.lock() }
                        let found = table.entry(key, hash: hash)
                        if isLocked { lock.unlock() }
                        if let found { folded &+= found.bodyCount }
                    }
                    blackHole(folded)
                }, outcome: .memoryHit)
        }
    }

    private static let miss = peer("miss") { context in
        let entries = PlainEntries(count: 1_000, spare: 0, seed: context.seed)
        let cache: PlainLRU = entries.filled()
        let walk = entries.shared.missingWalk(seed: context.seed)
        return PreparedBenchmark(.batched { look(up: walk, of: entries, in: cache, $0) }, outcome: .miss)
    }

    @inline(__always)
    private static func look<Cache: PlainCache>(
        up walk: KeyWalk, of entries: PlainEntries, in cache: Cache, _ operations: Int
    ) {
        var folded = 0
        walk.walk(operations) { _, key in
            if let entry = cache.entry(key, hash: entries.hasher.hash(key)) { folded &+= entry.bodyCount }
        }
        blackHole(folded)
    }

    private static func storeEvict(_ count: Int, _ label: String) -> Benchmark {
        peer("store-evict/\(label)") { context in
            let entries = PlainEntries(count: count, spare: 1_024, seed: context.seed)
            let cache = PlainLRU(capacity: entries.shared.capacity, count: count)
            let ready = entries.makeAll(seed: context.seed)
            for entry in ready { cache.store(entry) }
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        cache.store(ready[next])
                        next = next + 1 == ready.count ? 0 : next + 1
                    }
                }, outcome: .storeEvict)
        }
    }

    // MARK: Several threads

    private static func hits<Cache: PlainCache>(
        _ type: Cache.Type, _ subject: String, _ label: String, entries count: Int, _ threads: Int
    ) -> Benchmark {
        peer("hits/\(label)/\(ThreadCounts.label(threads))", subject, suites: []) { context in
            let entries = PlainEntries(count: count, spare: 0, seed: context.seed)
            // Twice the room, since shards fill unevenly and every lookup has to hit.
            let cache: Cache = entries.filled(room: 2)
            let walks = (0..<threads).map { entries.shared.uniformWalk(seed: context.seed &+ UInt64($0)) }
            return PreparedBenchmark(
                .threaded(threads: threads) { look(up: walks[$0], of: entries, in: cache, $1) }, outcome: .memoryHit)
        }
    }

    private static func mix<Cache: PlainCache>(
        _ type: Cache.Type, _ subject: String, _ label: String, _ pattern: KeyPattern, entries count: Int, objects: Int,
        _ threads: Int
    ) -> Benchmark {
        peer("\(label)/\(ThreadCounts.label(threads))", subject, suites: []) { context in
            let entries = PlainEntries(count: count, spare: objects - count, seed: context.seed)
            let cache: Cache = entries.filled()
            let walks = MemoryMixBenchmarks.walks(pattern, objects: objects, threads: threads, seed: context.seed)
            let misses = (0..<threads).map { _ in Count() }
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    var folded = 0
                    walks[thread].walk(operations) { _, number in
                        let key = entries.shared.keys[number]
                        let hash = entries.hasher.hash(key)
                        if let entry = cache.entry(key, hash: hash) {
                            folded &+= entry.bodyCount
                        } else {
                            cache.store(entries.make(key, hash))
                            misses[thread].value += 1
                        }
                    }
                    misses[thread].operations += operations
                    blackHole(folded)
                },
                figures: {
                    let lookups = misses.reduce(0) { $0 + $1.operations }
                    let missed = misses.reduce(0) { $0 + $1.value }
                    return [Figure("hit ratio", 1 - Double(missed) / Double(max(lookups, 1)), .ratio)]
                })
        }
    }

    /// What one thread has counted.
    ///
    /// `@unchecked Sendable`: one thread uses it during a batch; it is read after the last batch.
    private final class Count: @unchecked Sendable {
        var value = 0
        var operations = 0
    }
}

/// The keys of `MemoryEntries`, with entries of the plain caches.
private final class PlainEntries: Sendable {
    let shared: MemoryEntries
    let hasher: FoldedHash

    init(count: Int, spare: Int, seed: UInt64) {
        shared = MemoryEntries(count: count, spare: spare, seed: seed)
        hasher = FoldedHash(key: seed)
    }

    @inline(__always)
    func make(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> PlainEntry {
        PlainEntry(key: key, hash: hash, body: MemoryEntries.content, cost: MemoryEntries.cost)
    }

    private func make(_ number: Int) -> PlainEntry { make(shared.keys[number], hasher.hash(shared.keys[number])) }

    /// All entries, in an order other than that of their addresses.
    func makeAll(seed: UInt64) -> [PlainEntry] {
        var random = Xoshiro256(seed: seed, "memory order")
        return (0..<shared.keys.count).shuffled(using: &random).map { make($0) }
    }

    /// A cache with the first entries.
    ///
    /// - Parameter room: the capacity, as a multiple of what they need.
    func filled<Cache: PlainCache>(room: Int = 1) -> Cache {
        let cache = Cache(capacity: shared.capacity * room, count: shared.count * room)
        for number in 0..<shared.count { cache.store(make(number)) }
        return cache
    }
}

/// A hash table of references, a quarter full, which never changes.
///
/// Invariant of the pointer: `slots` has `mask + 1` places from `init` to `deinit`, and `entries` retains what they
/// refer to.
private final class BareTable {
    private let slots: UnsafeMutablePointer<Unmanaged<PlainEntry>?>
    private let mask: Int
    private let entries: [PlainEntry]

    init(_ entries: [PlainEntry]) {
        var size = 4
        while size < entries.count * 4 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: nil, count: size)
        mask = size - 1
        self.entries = entries
        for entry in entries {
            var slot = Int(truncatingIfNeeded: entry.hash) & mask
            while slots[slot] != nil { slot = (slot + 1) & mask }
            slots[slot] = .passUnretained(entry)
        }
    }

    deinit { slots.deallocate() }

    @inline(__always)
    func entry(_ key: UnsafeRawBufferPointer, hash: UInt64) -> PlainEntry? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while let entry = slots[slot] {
            if entry._withUnsafeGuaranteedRef({ $0.hash == hash && $0.hasKey(key) }) {
                return entry.takeUnretainedValue()
            }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
