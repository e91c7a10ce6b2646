/// One row of the table: a name, and a closure that prepares the measurement.
///
/// Every benchmark runs in its own worker process, so that a peer's crash does not end the run. Benchmarks of one stage
/// and case are measured in alternating slices, so that their ratio compares times of the same moment.
public struct Benchmark: Sendable {
    /// `stage/case/subject`.
    public let name: BenchmarkName
    /// Whether the subject is other people's work, run for comparison. A peer's wrong answers are counted and are not
    /// fatal.
    public let isPeer: Bool
    /// The subject of the same stage and case by which the ratio column divides.
    public let reference: String
    /// The suites that the benchmark belongs to. A run without arguments uses `default`.
    public var suites: Set<String>
    /// The number of entries among which an operation works, if the name states it, as in `memory/hit/10k/mine`.
    /// Benchmarks whose names differ only in it form a series, from which a gate tells how the cost grows.
    public var entries: Int?
    /// Builds the subject and its data, in the worker and untimed.
    public let prepare: @Sendable (RunContext) throws -> PreparedBenchmark

    /// Describes a benchmark.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - isPeer: whether the subject is other people's work.
    ///   - reference: the subject with which the ratio column compares; `tiered` by default.
    ///   - suites: the suites that include it; `full` includes everything and need not be named.
    ///   - entries: the number of entries, if the name states it.
    ///   - prepare: called once in the worker, before anything is timed.
    public init(
        _ name: BenchmarkName, isPeer: Bool = false, reference: String = "tiered", suites: Set<String> = ["default"],
        entries: Int? = nil,
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) {
        self.name = name
        self.isPeer = isPeer
        self.reference = reference
        self.suites = suites
        self.entries = entries
        self.prepare = prepare
    }
}
