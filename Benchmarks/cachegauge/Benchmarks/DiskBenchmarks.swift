import GaugeMeasurement
import GaugeSubjects

/// The disk stage: every cache that keeps bodies on disk, at the same capacity and without a memory tier.
///
/// Foundation's URLCache is driven by a URLRequest, so its ratio is to this package's cache driven in the same way. One
/// of its stores takes as long as a million of the others', and filling a cache with a file for each entry may take
/// seconds. So, except for `tiered`, only the rows at 4 KiB are in the default suite. Benchmarks that wait for the
/// disk, Foundation's rows among them, and the databases are only in the suite `full`, or omitted.
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
        return [SubjectBenchmarks.reclaim(TieredSubject.self, work, exponent: exponent, isPeer: false)]
    }

    private static func atLength<Subject: CacheSubject>(_ type: Subject.Type) -> [Benchmark] {
        SubjectBenchmarks.diskAtLength(type, isPeer: true)
    }

    private static func rows<Subject: CacheSubject>(of type: Subject.Type) -> [Benchmark] {
        SubjectBenchmarks.disk(type, isPeer: true) { type is FilesSubject.Type ? onlyAt4K($0) : [] }
    }

    private static func onlyAt4K(_ name: String) -> Set<String> {
        name.hasSuffix("/4k") && !name.hasPrefix("open/") ? ["default"] : []
    }
}
