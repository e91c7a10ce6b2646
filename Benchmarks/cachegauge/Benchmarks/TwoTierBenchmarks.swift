import GaugeKit

/// Memory and disk together under a web-like workload, by outcome. The hit ratios at the end of the table are counted
/// here.
enum TwoTierBenchmarks {
    static let all: [Benchmark] = [
        SubjectBenchmarks.mix(TieredSubject.self, zipf(), isPeer: false),
        SubjectBenchmarks.mix(RequestSubject.self, zipf(reference: RequestSubject.name), isPeer: false),
        SubjectBenchmarks.mix(FoundationSubject.self, zipf(reference: RequestSubject.name), isPeer: true),
    ]

    private static func zipf(reference: String = TieredSubject.name) -> SubjectCase {
        SubjectCase("two-tier", "zipf", tier: .both, bodyCount: 0, reference: reference)
    }
}
