import CacheTiers
import GaugeMeasurement

/// The memory tier with keys of 60 bytes and entries that cost 4 KiB.
///
/// A hit takes canonical key bytes, hashes them, compares the whole key, and returns a reference to the entry that is
/// then released. A store inserts an existing entry, so that it measures only the tier, without `malloc` and the
/// copying of a body; `store-copy` includes both.
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

    /// Every store replaces the entry of its key.
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

    /// Like `store-evict`, but also creates the entry from its bytes and frees the evicted one.
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

    /// Halves and restores the capacity. The entries are restored between the operations.
    private static func truncate(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("truncate/\(label)"), suites: [], entries: count) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let tier = try entries.filledTier()
            let ready = try entries.makeAll(seed: context.seed)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        for entry in ready { _ = tier.store(entry) }
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
