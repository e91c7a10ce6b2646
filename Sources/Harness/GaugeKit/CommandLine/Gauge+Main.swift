extension Gauge {
    /// All of an executable's `main` that brings its own cache: `run`, `replay`, `verify` and the rest, for these caches
    /// and whatever they are compared with.
    ///
    /// `run` measures, for each, the web-like workload and, where there is a disk tier, the rows of the disk stage.
    ///
    /// - Parameters:
    ///   - subjects: the caches under test.
    ///   - peers: other people's caches, for comparison.
    ///   - simulated: whole HTTP caches.
    ///   - reuseRules: judges what these answer.
    public static func main(
        subjects: [any CacheSubject.Type], peers: [any CacheSubject.Type] = [],
        simulated: [any SimulatedCache.Type] = [], reuseRules: (any ReuseRules)? = nil
    ) -> Never {
        var gauge = Gauge(
            benchmarks: benchmarks(of: subjects, peers: peers), subjects: subjects, peers: peers,
            executable: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "gauge")
        gauge.simulated = simulated
        gauge.reuseRules = reuseRules
        gauge.main()
    }

    /// What any cache can be measured by.
    static func benchmarks(
        of subjects: [any CacheSubject.Type], peers: [any CacheSubject.Type]
    ) -> [Benchmark] {
        let reference = subjects.first.map { $0.name } ?? ""
        func rows<Subject: CacheSubject>(_ type: Subject.Type, isPeer: Bool) -> [Benchmark] {
            SubjectBenchmarks.disk(type, isPeer: isPeer, reference: reference) + [
                SubjectBenchmarks.mix(
                    type,
                    SubjectCase(
                        "cache", "mix", tier: Subject.capabilities.contains(.disk) ? .both : .memory, bodyCount: 0,
                        reference: reference), isPeer: isPeer)
            ]
        }
        return subjects.flatMap { rows($0, isPeer: false) } + peers.flatMap { rows($0, isPeer: true) }
    }
}
