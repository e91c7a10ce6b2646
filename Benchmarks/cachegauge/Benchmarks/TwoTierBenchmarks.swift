import GaugeMeasurement
import GaugeSubjects

/// Memory and disk together under a web-like workload, by outcome. These benchmarks give the hit ratios at the end of
/// the table. Peers without a memory tier run with their disk alone.
enum TwoTierBenchmarks {
    static var all: [Benchmark] { both + DiskPeers.all.map { row(of: $0) } }

    private static let both: [Benchmark] = [
        SubjectBenchmarks.mix(TieredSubject.self, zipf(), isPeer: false),
        SubjectBenchmarks.mix(RequestSubject.self, zipf(reference: RequestSubject.name), isPeer: false),
        SubjectBenchmarks.mix(FoundationSubject.self, zipf(reference: RequestSubject.name), isPeer: true),
    ]

    private static func row<Subject: CacheSubject>(of type: Subject.Type) -> Benchmark {
        SubjectBenchmarks.mix(type, zipf(suites: type is FilesSubject.Type ? ["default"] : []), isPeer: true)
    }

    private static func zipf(
        reference: String = TieredSubject.name, suites: Set<String> = ["default"]
    ) -> SubjectCase {
        SubjectCase("two-tier", "zipf", tier: .both, bodyCount: 0, suites: suites, reference: reference)
    }
}
