import GaugeMeasurement
import GaugeKit

/// URLCache's interface, this package's and Foundation's: a URLRequest in, a CachedURLResponse out.
///
/// The benchmark reads the body, not the head. Foundation's cache has decoded the head by then; this one decodes it on
/// demand, which on a disk hit would add the 6 µs of an `HTTPURLResponse` on Linux.
enum URLCacheBenchmarks {
    static let all: [Benchmark] =
        rows(RequestSubject.self, "tiered", isPeer: false) + rows(FoundationSubject.self, "foundation", isPeer: true)

    /// Rows of the memory stage driven by requests. There, `tiered` is looked up by key, which Foundation's can't be.
    static let memory: [Benchmark] =
        SubjectBenchmarks.memory(
            RequestSubject.self, isPeer: false, reference: RequestSubject.name, suites: onlyHit)
        + SubjectBenchmarks.memory(
            FoundationSubject.self, isPeer: true, reference: RequestSubject.name, suites: onlyHit)

    private static func onlyHit(_ name: String) -> Set<String> { name == "hit/1k" ? ["default"] : [] }

    /// These rows are the answer for an application, and measured first.
    private static let suites: Set<String> = ["default", BenchmarkCase.headline]

    private static func rows<Subject: CacheSubject>(
        _ type: Subject.Type, _ name: String, isPeer: Bool
    ) -> [Benchmark] {
        let hit = SubjectCase(
            "url-cache", "hit", tier: .memory, bodyCount: 3 << 10, entries: 1_000, suites: suites, subject: name)
        let store = SubjectCase(
            "url-cache", "store", tier: .memory, bodyCount: 3 << 10, suites: suites, subject: name)
        let hitDisk = SubjectCase(
            "url-cache", "hit-disk", tier: .disk, bodyCount: 1 << 12, entries: 1_000, suites: suites, subject: name)
        return [
            SubjectBenchmarks.batchedHit(type, hit, isPeer: isPeer),
            SubjectBenchmarks.store(type, store, isPeer: isPeer),
            SubjectBenchmarks.hit(type, hitDisk, isPeer: isPeer),
        ]
    }
}
