import CacheTiers
import GaugeMeasurement
import GaugeStatistics
import GaugeSubjects
import Platform

/// Nine lookups to one store of a new version, with bodies of 4 KiB and all entries on disk, on one, two and four
/// threads.
enum DiskMixBenchmarks {
    static let all: [Benchmark] = ThreadCounts.possible.map { threads in
        let name = "mixed/4k/\(ThreadCounts.label(threads))"
        return Benchmark(BenchmarkName("disk", name, "tiered"), suites: []) { context in
            // Leaves a tenth free, since a full tier would evict some of the keys.
            let entries = MemoryEntries(count: context.diskCapacity * 9 / 10 / entryBytes, spare: 0, seed: context.seed)
            let tier = try DiskTier(directory: context.directory, capacity: context.diskCapacity)
            for number in 0..<entries.count { try tier.store(try entries.make(number).orThrow()) }
            let walks = (0..<threads).map { NumberWalk(uniformBelow: entries.count, seed: context.seed &+ UInt64($0)) }
            let recorders = (0..<threads).map { _ in ThreadRecorder() }
            return PreparedBenchmark(
                .threaded(threads: threads) { thread, operations in
                    walks[thread].walk(operations) { place, number in
                        recorders[thread].time { operate(tier, entries, number, isStore: place % 10 == 0) }
                    }
                },
                figures: { figures(of: recorders) })
        }
    }

    /// Bytes of the log for one entry.
    private static let entryBytes = MemoryEntries.cost + 64

    private static func operate(_ tier: DiskTier, _ entries: MemoryEntries, _ number: Int, isStore: Bool) -> Outcome {
        if isStore, let entry = entries.make(number) {
            _ = try? tier.store(entry)
            return .store
        }
        let key = entries.keys[number]
        return tier.lookup(key, hash: entries.hasher.hash(key)) == nil ? .miss : .diskHit
    }

    private static func figures(of recorders: [ThreadRecorder]) -> [Figure] {
        [Outcome.diskHit, .store].flatMap { outcome in
            var all = Histogram()
            for recorder in recorders { recorder.histogram(of: outcome).map { all.merge($0) } }
            return [("median", 0.5), ("p99.9", 0.999)].compactMap { name, part in
                all.quantile(part).map { Figure("\(outcome.rawValue) \(name)", $0, .nanoseconds) }
            }
        }
    }
}

/// The times of one thread's operations.
///
/// `@unchecked Sendable`: one thread uses `recorder` during a batch, and it is read after the last batch.
private final class ThreadRecorder: @unchecked Sendable {
    private var recorder = LatencyRecorder()

    func time(_ operation: () -> Outcome) { recorder.time(operation) }

    func histogram(of outcome: Outcome) -> Histogram? { recorder.histogram(of: outcome) }
}
