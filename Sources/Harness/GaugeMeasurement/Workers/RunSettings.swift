import GaugeSupport

/// The settings of a run, apart from its selection of benchmarks.
package struct RunSettings: Sendable {
    package static let defaultSeed: UInt64 = 1
    /// The memory capacity of Apple's `URLCache`.
    package static let defaultMemory = ByteSize(bytes: 4 << 20)
    /// The disk capacity of Apple's `URLCache`.
    package static let defaultDisk = ByteSize(bytes: 20 << 20)

    package var seed = RunSettings.defaultSeed
    package var memory = RunSettings.defaultMemory
    package var disk = RunSettings.defaultDisk
    /// The time-out for each answer of a worker, seconds. Preparing may take three times as long.
    package var timeOut = 10.0
    /// The workload from which the benchmarks are made; `nil` for those of the executable.
    package var load: OfferedLoad?
    /// The executable that the workers run; this one if `nil`.
    package var executable: String?
    /// The extra work in every measured call, relative to its normal work (see `ExtraWork`).
    package var extraWork = 0.0

    package init(
        seed: UInt64 = RunSettings.defaultSeed, memory: ByteSize = RunSettings.defaultMemory,
        disk: ByteSize = RunSettings.defaultDisk, timeOut: Double = 10.0, load: OfferedLoad? = nil,
        executable: String? = nil, extraWork: Double = 0.0
    ) {
        (self.seed, self.memory, self.disk, self.timeOut) = (seed, memory, disk, timeOut)
        (self.load, self.executable, self.extraWork) = (load, executable, extraWork)
    }
}

package enum WorkerArguments {
    /// The arguments that measure one benchmark.
    ///
    /// - Parameters:
    ///   - benchmark: its name, which may belong to another build.
    ///   - fillSeconds: see `RunContext.fillSeconds`. Older builds don't know the option.
    package static func make(
        benchmark: String, settings: RunSettings, directory: String, fillSeconds: Double? = nil
    ) -> [String] {
        [
            "worker", "--benchmark=\(benchmark)", "--directory=\(directory)", "--seed=\(settings.seed)",
            "--memory=\(settings.memory.bytes)", "--disk=\(settings.disk.bytes)",
        ] + (settings.load?.arguments ?? [])
            + (fillSeconds.map { ["--fill-seconds=\(Quantity.plain($0))"] } ?? [])
            + (settings.extraWork > 0 ? ["--extra-work=\(Quantity.plain(settings.extraWork))"] : [])
    }
}

/// What a run says of the workload from which its benchmarks are made.
package struct OfferedLoad: Sendable {
    /// The options that pass it to a worker.
    package let arguments: [String]
    /// A line for people.
    package let summary: String
    /// Whether requests are sent when they are due (an open loop), so that a set takes its share of the run.
    package let isPaced: Bool

    package init(arguments: [String], summary: String, isPaced: Bool) {
        (self.arguments, self.summary, self.isPaced) = (arguments, summary, isPaced)
    }
}

/// Adds work to a benchmark, to show how a gate judges a slower build without building one.
///
/// For every counted operation, `part` of another one runs in the same measured call: with 0.03, three uncounted
/// operations in a hundred. This raises every cost (instructions, misses, allocations) by the same part, for any
/// benchmark, and the optimiser can't remove it. The extra operations are the ones that come next. A separate call
/// would start over with the texts of a mix, whose branches are already predicted by then: 3 % more instructions then
/// took only 1.7 % more time.
package enum ExtraWork {
    /// The allowed parts: at most ten times the normal work.
    package static let parts = 0.0...10.0

    /// The benchmark with extra work; unchanged if `part` is 0.
    package static func added(_ part: Double, to prepared: PreparedBenchmark) -> PreparedBenchmark {
        guard part > 0 else { return prepared }
        var more = prepared
        switch prepared.body {
        case .batched(let run):
            var owed = 0.0
            more.body = .batched { run($0 + due($0, part, &owed)) }
        case .timed(let run):
            var owed = 0.0
            more.body = .timed { run($0 + due($0, part, &owed), &$1) }
        case .threaded(let threads, let run):
            more.body = .threaded(threads: threads) { thread, operations in
                run(thread, operations + Int((Double(operations) * part).rounded()))
            }
        }
        return more
    }

    /// The whole operations that are due; the remainder is left for the next call.
    private static func due(_ operations: Int, _ part: Double, _ owed: inout Double) -> Int {
        owed += Double(operations) * part
        let whole = owed.rounded(.down)
        owed -= whole
        return Int(whole)
    }
}
