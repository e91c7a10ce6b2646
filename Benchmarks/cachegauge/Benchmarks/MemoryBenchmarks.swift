import CacheTiers
import GaugeKit
import GaugeTraces

/// The memory tier with keys of 60 bytes and entries that cost 4 KiB.
///
/// A hit takes canonical key bytes, hashes them, compares the whole key, and returns a reference to the entry, which is
/// then released. A store inserts an existing entry, so it measures only the tier, without `malloc` and copying a body;
/// `store-copy` includes both.
enum MemoryBenchmarks {
    static let all: [Benchmark] =
        [
            hit(1_000, "1k"), hit(10_000, "10k", suites: []), MemoryPeers.dictionaryHit(1_000, "1k"),
            MemoryPeers.nscacheHit(1_000, "1k"),
            hit(100_000, "100k"), MemoryPeers.dictionaryHit(100_000, "100k"),
            miss(1_000, "miss", suites: ["default"]), MemoryPeers.dictionaryMiss,
            miss(10_000, "miss/10k", suites: []), miss(100_000, "miss/100k", suites: []),
            storeEvict(1_000, "1k"), storeEvict(10_000, "10k", suites: []),
            MemoryPeers.dictionaryStoreEvict(1_000, "1k"),
            MemoryPeers.nscacheStoreEvict(1_000, "1k"),
            storeEvict(100_000, "100k"), MemoryPeers.dictionaryStoreEvict(100_000, "100k"),
            store(1_000, "1k"), store(10_000, "10k"), store(100_000, "100k"),
            storeCopy(1_000, "1k"), storeCopy(10_000, "10k"), storeCopy(100_000, "100k"),
            truncate(1_000, "1k"), truncate(100_000, "100k"),
        ] + MemoryMixBenchmarks.all + PlainMemoryPeers.all

    private static func name(_ case: String) -> BenchmarkName { BenchmarkName("memory", `case`, "tiered") }

    private static func hit(_ count: Int, _ label: String, suites: Set<String> = ["default"]) -> Benchmark {
        Benchmark(name("hit/\(label)"), suites: suites, entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let walk = entries.uniformWalk(seed: context.seed)
            return PreparedBenchmark(.batched { look(up: walk, of: entries, in: tier, $0) }, outcome: .memoryHit)
        }
    }

    private static func miss(_ count: Int, _ case: String, suites: Set<String>) -> Benchmark {
        Benchmark(name(`case`), suites: suites, entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let walk = entries.missingWalk(seed: context.seed)
            return PreparedBenchmark(.batched { look(up: walk, of: entries, in: tier, $0) }, outcome: .miss)
        }
    }

    private static func look(up walk: KeyWalk, of entries: MemoryEntries, in tier: MemoryTier, _ operations: Int) {
        var folded = 0
        walk.walk(operations) { _, key in
            if let entry = tier.lookup(key, hash: entries.hasher.hash(key)) { folded &+= entry.bodyCount }
        }
        blackHole(folded)
    }

    /// Every store evicts the oldest entry. Keys repeat only after more of them than fit.
    private static func storeEvict(_ count: Int, _ label: String, suites: Set<String> = ["default"]) -> Benchmark {
        Benchmark(name("store-evict/\(label)"), suites: suites, entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 1_024, seed: context.seed)
            let tier = try MemoryTier(capacity: entries.capacity)
            let ready = try entries.makeAll(seed: context.seed)
            for entry in ready { _ = tier.store(entry) }
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    var evictions = 0
                    for _ in 0..<operations {
                        evictions += tier.store(ready[next]).evictions
                        next = next + 1 == ready.count ? 0 : next + 1
                    }
                    blackHole(evictions)
                }, outcome: .storeEvict)
        }
    }

    private static func store(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("store/\(label)"), suites: [], entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let ready = try entries.makeAll(seed: context.seed)
            let walk = NumberWalk(uniformBelow: count, seed: context.seed)
            return PreparedBenchmark(
                .batched { operations in
                    walk.walk(operations) { _, number in _ = tier.store(ready[number]) }
                }, outcome: .store)
        }
    }

    /// Like `store-evict`, but also creates the entry and frees the evicted one.
    private static func storeCopy(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("store-copy/\(label)"), suites: [], entries: count) { context in
            let entries = MemoryEntries(count: count, spare: count, seed: context.seed)
            let tier = try entries.filledTier()
            var next = count
            return PreparedBenchmark(
                .batched { operations in
                    var evictions = 0
                    for _ in 0..<operations {
                        if let entry = entries.make(next) { evictions += tier.store(entry).evictions }
                        next = next + 1 == entries.keys.count ? 0 : next + 1
                    }
                    blackHole(evictions)
                }, outcome: .storeEvict)
        }
    }

    /// Halves and restores the capacity. Between operations, the entries are restored.
    private static func truncate(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("truncate/\(label)"), suites: [], entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let ready = try entries.makeAll(seed: context.seed)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        MeasuredRegion.pause()
                        for entry in ready { _ = tier.store(entry) }
                        MeasuredRegion.resume()
                        recorder.time {
                            try? tier.setCapacity(entries.capacity / 2)
                            try? tier.setCapacity(entries.capacity)
                            return .remove
                        }
                    }
                })
        }
    }
}

/// Lookups, with a store of a new copy after each miss, on one, two and four threads.
enum MemoryMixBenchmarks {
    static let all: [Benchmark] =
        [(1_000, "1k"), (100_000, "100k")].flatMap { count, label in
            ThreadCounts.possible.flatMap { threads in
                [
                    // One key in twenty is missing: 95 % hits.
                    mix("uniform/\(label)", .uniform, entries: count, objects: count * 20 / 19, threads),
                    mix("zipf/\(label)", .zipf(exponent: 0.9), entries: count, objects: count * 4, threads),
                    mix("scan/\(label)", .scan, entries: count, objects: count * 2, threads),
                    mix("loop/\(label)", .loop, entries: count, objects: count * 11 / 10, threads),
                    hits(label, entries: count, threads),
                ]
            }
        }

    private static func name(_ case: String, _ threads: Int) -> BenchmarkName {
        BenchmarkName("memory", "\(`case`)/\(ThreadCounts.label(threads))", "tiered")
    }

    private static func mix(
        _ label: String, _ pattern: KeyPattern, entries count: Int, objects: Int, _ threads: Int
    ) -> Benchmark {
        Benchmark(name(label, threads), suites: []) { context in
            let all = isInOrder(pattern) ? objects * threads : objects
            let entries = MemoryEntries(count: count, spare: all - count, seed: context.seed)
            // A pattern in order starts with the objects that a first round would have evicted. Otherwise that round
            // would hit every entry, and run faster than any later one.
            let tier = try entries.filledTier(from: isInOrder(pattern) ? objects - count : 0)
            let walks = walks(pattern, objects: objects, threads: threads, seed: context.seed)
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    var folded = 0
                    walks[thread].walk(operations) { _, number in
                        let key = entries.keys[number]
                        if let entry = tier.lookup(key, hash: entries.hasher.hash(key)) {
                            folded &+= entry.bodyCount
                        } else if let entry = entries.make(number) {
                            folded &+= tier.store(entry).evictions
                        }
                    }
                    blackHole(folded)
                },
                figures: {
                    let statistics = tier.statistics
                    let lookups = Double(statistics.hits + statistics.misses)
                    return [Figure("hit ratio", Double(statistics.hits) / max(lookups, 1), .ratio)]
                })
        }
    }

    private static func isInOrder(_ pattern: KeyPattern) -> Bool { pattern == .loop || pattern == .scan }

    /// The numbers that each thread visits: all objects several times, since with a shorter walk a cache would soon
    /// hold every key and never miss. If threads go through the objects in order, each has its own: one that follows
    /// another through the same objects would hit what that one has just stored, catch up with it, and stay there.
    static func walks(_ pattern: KeyPattern, objects: Int, threads: Int, seed: UInt64) -> [NumberWalk] {
        (0..<threads).map { thread in
            var stream = pattern.stream(objects: objects, seed: seed &+ UInt64(thread))
            let first = isInOrder(pattern) ? thread * objects : 0
            return NumberWalk(max(65_536, objects * 8)) { first + Int(stream.next() % UInt64(objects)) }
        }
    }

    private static func hits(_ label: String, entries count: Int, _ threads: Int) -> Benchmark {
        Benchmark(name("hits/\(label)", threads), suites: []) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let walks = (0..<threads).map { entries.uniformWalk(seed: context.seed &+ UInt64($0)) }
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    var folded = 0
                    walks[thread].walk(operations) { _, key in
                        if let entry = tier.lookup(key, hash: entries.hasher.hash(key)) { folded &+= entry.bodyCount }
                    }
                    blackHole(folded)
                }, outcome: .memoryHit)
        }
    }
}
