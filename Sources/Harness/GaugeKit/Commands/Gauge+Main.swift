import GaugeMeasurement
import GaugeSubjects

extension Gauge {
    /// Runs `run`, `replay`, `verify` and the other commands on an executable's own caches and the caches for
    /// comparison. It is the whole `main` of such an executable.
    ///
    /// For each cache, `run` measures the rows of the tiers that it declares and the web-like workload, and with
    /// `--suite full` all workloads. The same memory and disk rows measure this package's cache.
    ///
    /// - Parameters:
    ///   - subjects: the caches under test.
    ///   - peers: other people's caches, for comparison.
    public static func main(subjects: [any CacheSubject.Type], peers: [any CacheSubject.Type] = []) -> Never {
        Gauge(
            benchmarks: benchmarks(of: subjects, peers: peers), subjects: subjects, peers: peers,
            executable: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "gauge"
        ).main()
    }

    /// The benchmarks that any cache can run.
    static func benchmarks(
        of subjects: [any CacheSubject.Type], peers: [any CacheSubject.Type]
    ) -> [Benchmark] {
        let reference = subjects.first.map { $0.name } ?? ""
        func rows<Subject: CacheSubject>(_ type: Subject.Type, isPeer: Bool) -> [Benchmark] {
            SubjectBenchmarks.memory(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.disk(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.workloads(type, isPeer: isPeer, reference: reference)
        }
        return subjects.flatMap { type in rows(type, isPeer: false).map { $0.checkingAnswers(of: type) } }
            + peers.flatMap { rows($0, isPeer: true) }
    }
}
