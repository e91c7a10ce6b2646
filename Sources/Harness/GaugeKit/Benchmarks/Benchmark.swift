/// One row of the table: a name, and how to get ready for measuring it.
///
/// Every benchmark runs in a worker process of its own (a peer may crash, and must not take the run with it);
/// benchmarks of one stage and case are measured in alternating slices, so that their ratio is of one moment.
public struct Benchmark: Sendable {
    /// `stage/case/subject`.
    public let name: BenchmarkName
    /// Somebody else's work, run for comparison: a wrong answer is counted and not fatal.
    public let isPeer: Bool
    /// The subject of the same stage and case that the ratio column divides by.
    public let reference: String
    /// The suites the benchmark belongs to, `default` among them for what runs with no arguments.
    public var suites: Set<String>
    /// Builds what is measured, in the worker and untimed.
    public let prepare: @Sendable (RunContext) throws -> PreparedBenchmark

    /// Describes a benchmark.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - isPeer: whether it is somebody else's work.
    ///   - reference: whom the ratio column compares with; `tiered` unless said.
    ///   - suites: the suites that include it; `full` includes everything and need not be named.
    ///   - prepare: called once in the worker, before anything is timed.
    public init(
        _ name: BenchmarkName, isPeer: Bool = false, reference: String = "tiered", suites: Set<String> = ["default"],
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) {
        self.name = name
        self.isPeer = isPeer
        self.reference = reference
        self.suites = suites
        self.prepare = prepare
    }
}
