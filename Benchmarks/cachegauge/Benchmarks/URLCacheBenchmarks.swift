import GaugeMeasurement
import GaugeSubjects

/// URLCache's interface, this package's and Foundation's: the same URLRequest in, a CachedURLResponse out.
///
/// The body is read and the head is not: Foundation's cache has decoded it by then, this one does so when somebody asks,
/// which off the disk adds the 6 µs that an `HTTPURLResponse` costs on Linux.
enum URLCacheBenchmarks {
    static let all: [Benchmark] =
        rows(RequestSubject.self, "tiered", isPeer: false) + rows(FoundationSubject.self, "foundation", isPeer: true)

    /// Rows of the memory stage that are driven by requests: `tiered` there is asked by a key, and Foundation's cannot be.
    static let memory: [Benchmark] = [
        SubjectBenchmarks.batchedHit(RequestSubject.self, memoryHit, isPeer: false),
        SubjectBenchmarks.batchedHit(FoundationSubject.self, memoryHit, isPeer: true),
    ]

    // 1,000 entries of 3 KiB with their response heads fit into 4 MiB by either cache's rule of cost.
    private static let memoryHit = SubjectCase(
        "memory", "hit/1k", tier: .memory, bodyCount: 3 << 10, entries: 1_000, reference: RequestSubject.name)

    private static func rows<Subject: CacheSubject>(
        _ type: Subject.Type, _ name: String, isPeer: Bool
    ) -> [Benchmark] {
        let hit = SubjectCase(
            "url-cache", "hit", tier: .memory, bodyCount: 3 << 10, entries: 1_000, subject: name)
        let store = SubjectCase("url-cache", "store", tier: .memory, bodyCount: 3 << 10, subject: name)
        let hitDisk = SubjectCase(
            "url-cache", "hit-disk", tier: .disk, bodyCount: 1 << 12, entries: 1_000, subject: name)
        return [
            SubjectBenchmarks.batchedHit(type, hit, isPeer: isPeer),
            SubjectBenchmarks.store(type, store, isPeer: isPeer),
            SubjectBenchmarks.hit(type, hitDisk, isPeer: isPeer),
        ]
    }
}
