import CacheTiers
import GaugeMeasurement
import GaugeSubjects
import GaugeTraces

/// Lookups, and a store of a new copy after each miss, on one, two and four threads.
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
            // A pattern that visits the objects in order starts with those that a first round would have evicted.
            // Otherwise that round would hit every entry, and run faster than any later one.
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

    /// The numbers that each thread visits: all objects several times, since with a shorter walk a cache would soon hold
    /// every key and never miss. Threads that go through the objects in order have objects of their own: through the same
    /// ones, a thread that follows another hits what that one has just stored, catches up with it, and stays there.
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
