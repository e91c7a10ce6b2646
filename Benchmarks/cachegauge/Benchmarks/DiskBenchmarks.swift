import CacheTiers
import GaugeKit
import Platform

/// The disk stage: every cache that keeps bodies on disk, at the same capacity and without a memory tier.
///
/// Foundation's URLCache is driven by a URLRequest, so its ratio is to this package's cache driven the same way. One of
/// its stores takes as long as a million of the others', and filling a cache with one file per entry may take seconds.
/// So, except for `tiered`, only the rows at 4 KiB are in the default suite, of Foundation's cache and of the nearest
/// peers. Benchmarks that wait for the disk, and the other peers, are only in `full`.
enum DiskBenchmarks {
    static var all: [Benchmark] {
        SubjectBenchmarks.disk(TieredSubject.self, isPeer: false)
            + DiskPeers.all.flatMap { rows(of: $0) }
            + SubjectBenchmarks.disk(
                RequestSubject.self, isPeer: false, reference: RequestSubject.name, suites: onlyAt4K)
            + SubjectBenchmarks.disk(
                FoundationSubject.self, isPeer: true, reference: RequestSubject.name, suites: onlyAt4K)
            + SubjectBenchmarks.diskAtLength(TieredSubject.self, isPeer: false)
            + SubjectBenchmarks.large(TieredSubject.self, isPeer: false)
            + DiskPeers.all.flatMap { atLength($0) }
            + [0.7, 1.0, 1.2].flatMap { reclaiming($0) }
            + DiskMixBenchmarks.all
    }

    private static func reclaiming(_ exponent: Double) -> [Benchmark] {
        let work = SubjectCase("disk", "zipf/\(exponent)", tier: .disk, bodyCount: 1 << 12, suites: [])
        return [SubjectBenchmarks.reclaim(TieredSubject.self, work, exponent: exponent)]
    }

    private static func atLength<Subject: CacheSubject>(_ type: Subject.Type) -> [Benchmark] {
        SubjectBenchmarks.diskAtLength(type, isPeer: true)
    }

    private static func rows<Subject: CacheSubject>(of type: Subject.Type) -> [Benchmark] {
        SubjectBenchmarks.disk(type, isPeer: true) { DiskPeers.isNear(type) ? onlyAt4K($0) : [] }
    }

    private static func onlyAt4K(_ name: String) -> Set<String> {
        name.hasSuffix("/4k") && !name.hasPrefix("open/") ? ["default"] : []
    }
}

/// Nine lookups to one store of a new version, with bodies of 4 KiB and all entries on disk, on one, two and four
/// threads.
enum DiskMixBenchmarks {
    static let all: [Benchmark] = ThreadCounts.possible.map { threads in
        let name = "mixed/4k/\(ThreadCounts.label(threads))"
        return Benchmark(BenchmarkName("disk", name, "tiered"), suites: []) { context in
            // Leaves a tenth free, since a full tier would evict some keys.
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

    /// Bytes of the log per entry.
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
/// `@unchecked Sendable`: one thread uses `recorder` during a batch; it is read after the last batch.
private final class ThreadRecorder: @unchecked Sendable {
    private var recorder = LatencyRecorder()

    func time(_ operation: () -> Outcome) { recorder.time(operation) }

    func histogram(of outcome: Outcome) -> Histogram? { recorder.histogram(of: outcome) }
}

/// Memory and disk together under a web-like workload, by outcome. The hit ratios at the end of the table come from
/// here. Peers without a memory tier run with their disk alone.
enum TwoTierBenchmarks {
    static var all: [Benchmark] { both + DiskPeers.all.map { row(of: $0) } }

    private static let both: [Benchmark] = [
        SubjectBenchmarks.mix(TieredSubject.self, zipf()),
        SubjectBenchmarks.mix(RequestSubject.self, zipf(reference: RequestSubject.name)),
        SubjectBenchmarks.mix(FoundationSubject.self, zipf(reference: RequestSubject.name, isPeer: true)),
    ]

    private static func row<Subject: CacheSubject>(of type: Subject.Type) -> Benchmark {
        SubjectBenchmarks.mix(type, zipf(isPeer: true, suites: DiskPeers.isNear(type) ? ["default"] : []))
    }

    private static func zipf(
        reference: String = TieredSubject.name, isPeer: Bool = false, suites: Set<String> = ["default"]
    ) -> SubjectCase {
        SubjectCase(
            "two-tier", "zipf", tier: .both, bodyCount: 0, suites: suites, reference: reference, isPeer: isPeer)
    }
}
