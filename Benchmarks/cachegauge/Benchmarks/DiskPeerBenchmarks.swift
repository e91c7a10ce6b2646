import GaugeKit

/// The disk stage of other people's ways to keep bodies on disk, those whose traits are on.
enum DiskPeerBenchmarks {
    static var all: [Benchmark] { CacheGauge.peers.flatMap { rows(of: $0) } }

    private static func rows<Subject: CacheSubject>(of type: Subject.Type) -> [Benchmark] {
        SubjectBenchmarks.disk(type, isPeer: true)
    }
}
