/// One row of the table: a name, and a closure that prepares the measurement.
///
/// Every benchmark runs in its own worker process, so a peer's crash doesn't end the run. Benchmarks of one stage and
/// case are measured in alternating slices, so their ratio compares times of the same moment.
public struct Benchmark: Sendable {
    /// `stage/case/subject`.
    public let name: BenchmarkName
    /// Whether the subject is other people's work, run for comparison. A peer's wrong answers are counted, but not
    /// fatal.
    public let isPeer: Bool
    /// Whether the peer is what programs usually have, rather than the nearest that an engineer would write. The table
    /// shows such rows last, under their own heading.
    public var isUsual = false
    /// Whether the mean of all operations is compared in any case, since some did work for others: a page fault that
    /// reads ahead.
    @usableFromInline package var comparesMeans = false
    /// The subject of the same stage and case by which the ratio column divides.
    public let reference: String
    /// The suites that the benchmark belongs to. A run without arguments uses `default`.
    public var suites: Set<String>
    /// The number of entries that an operation works among, if the name states it, as in `memory/hit/10k/mine`.
    /// Benchmarks whose names differ only here form a series, which tells a gate how the cost grows.
    public var entries: Int?
    /// Builds the subject and its data, in the worker and untimed.
    public let prepare: @Sendable (RunContext) throws -> PreparedBenchmark

    /// Describes a benchmark.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - isPeer: whether the subject is other people's work.
    ///   - reference: the subject that the ratio column compares with; `tiered` by default.
    ///   - suites: the suites that include it; `full` includes everything and needn't be named.
    ///   - entries: the number of entries, if the name states it.
    ///   - prepare: called once in the worker, before anything is timed.
    public init(
        _ name: BenchmarkName, isPeer: Bool = false, reference: String = "tiered", suites: Set<String> = ["default"],
        entries: Int? = nil,
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) {
        (self.name, self.isPeer, self.reference) = (name, isPeer, reference)
        (self.suites, self.entries, self.prepare) = (suites, entries, prepare)
    }
}

/// A benchmark's name, `stage/case/subject`: `disk/store/4k/tiered`. The case may itself contain slashes.
public struct BenchmarkName: Hashable, Sendable, CustomStringConvertible {
    /// The measured part of the cache: `key-hash`, `cache-control`, `date`, `memory`, `disk`, `two-tier`, …
    public let stage: String
    /// The operation and its variant: `hit/1k`, `store/4k`, `imf`.
    public let `case`: String
    /// The implementation: `tiered` is this package's cache, any other name a peer.
    public let subject: String

    /// A name of three parts.
    public init(_ stage: String, _ case: String, _ subject: String) {
        (self.stage, self.case, self.subject) = (stage, `case`, subject)
    }

    /// `stage/case/subject`.
    public var description: String { "\(stage)/\(`case`)/\(subject)" }

    /// The group `zipf/1k` of the case `zipf/1k/2-threads`; `nil` without a number of threads.
    static func withoutThreads(_ name: String) -> String? {
        let parts = name.split(separator: "/")
        guard let last = parts.last, last.hasSuffix("-thread") || last.hasSuffix("-threads"),
            last.first?.isNumber == true
        else { return nil }
        return parts.dropLast().joined(separator: "/")
    }
}

/// What a benchmark receives when it prepares.
public struct RunContext: Sendable {
    /// The seed of every pseudo-random choice.
    public let seed: UInt64
    /// Capacity of the memory tier, bytes.
    public let memoryCapacity: Int
    /// Capacity of the disk tier, bytes.
    public let diskCapacity: Int
    /// The worker's own directory, empty at first and removed after the run.
    public let directory: String
    /// Where the body reports wrong answers.
    public let answers: Answers
    /// When filling a cache is given up, seconds.
    @usableFromInline package var fillSeconds = Double.infinity

    /// Creates a context.
    public init(seed: UInt64, memoryCapacity: Int, diskCapacity: Int, directory: String, answers: Answers = Answers()) {
        (self.seed, self.memoryCapacity, self.diskCapacity) = (seed, memoryCapacity, diskCapacity)
        (self.directory, self.answers) = (directory, answers)
    }
}
