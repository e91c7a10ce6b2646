import GaugeKit

/// The disk stage of the peers that every installation can run.
enum DiskPeerBenchmarks {
    static let all: [Benchmark] = SubjectBenchmarks.disk(FilesSubject.self, isPeer: true)
}
