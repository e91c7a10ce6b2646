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
    ///   - asyncSubjects: those of them whose operations are asynchronous.
    ///   - peers: other people's caches, for comparison.
    ///   - simulated: whole HTTP caches, for `simulate`.
    public static func main(
        subjects: [any CacheSubject.Type] = [], asyncSubjects: [any AsyncCacheSubject.Type] = [],
        peers: [any CacheSubject.Type] = [], simulated: [any SimulatedCache.Type] = []
    ) -> Never {
        var gauge = Gauge(
            benchmarks: benchmarks(of: subjects, asyncSubjects: asyncSubjects, peers: peers), subjects: subjects,
            asyncSubjects: asyncSubjects, peers: peers,
            executable: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "gauge")
        gauge.simulated = simulated
        gauge.main()
    }

    /// The benchmarks that any cache can run.
    static func benchmarks(
        of subjects: [any CacheSubject.Type], asyncSubjects: [any AsyncCacheSubject.Type] = [],
        peers: [any CacheSubject.Type]
    ) -> [Benchmark] {
        let reference = subjects.first.map { $0.name } ?? asyncSubjects.first.map { $0.name } ?? ""
        func rows<Subject: CacheSubject>(_ type: Subject.Type, isPeer: Bool) -> [Benchmark] {
            SubjectBenchmarks.memory(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.disk(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.workloads(type, isPeer: isPeer, reference: reference)
        }
        return subjects.flatMap { type in rows(type, isPeer: false).map { $0.checkingAnswers(of: type) } }
            + asyncSubjects.flatMap { benchmarks(of: $0, reference: reference) }
            + peers.flatMap { rows($0, isPeer: true) }
    }

    private static func benchmarks<Subject: AsyncCacheSubject>(
        of type: Subject.Type, reference: String
    ) -> [Benchmark] {
        SubjectBenchmarks.rows(asynchronous: type, isPeer: false, reference: reference)
            .map { $0.checkingAnswers(of: type.bridged) }
    }
}
