import GaugeSupport
import Platform

/// One side of an experiment: a benchmark of a build.
package struct Arm: Sendable {
    /// The name for people: a subject, a path, a revision, or `the base`.
    package let title: String
    /// The path of the executable; this one if `nil`.
    package let executable: String?
    /// The name of the benchmark, `stage/case/subject`.
    package let benchmark: String
    /// Whether the subject is other people's work, whose wrong answers are counted but no error.
    package let isPeer: Bool
    /// Extra work in every measured call, for testing verdicts (see `ExtraWork`).
    package var extraWork = 0.0
    /// Bytes added to its process's environment. That lies above the stack, which begins that much lower.
    package var stackPadding = 0

    package init(
        title: String, executable: String? = nil, benchmark: String, isPeer: Bool = false, extraWork: Double = 0,
        stackPadding: Int = 0
    ) {
        self.title = title
        self.executable = executable
        self.benchmark = benchmark
        self.isPeer = isPeer
        self.extraWork = extraWork
        self.stackPadding = stackPadding
    }
}

/// The four arms of a gate: two builds, and two controls that show how sensitive the run is.
package struct GateArms: Sendable {
    /// The path of the base; this executable if `nil`.
    package var base: String?
    /// The base linked with padding before its code (see `LayoutPadding`). If `nil`, the base itself with only its
    /// stack moved.
    package var padded: String?
    package var current: String?

    package init(base: String? = nil, padded: String? = nil, current: String? = nil) {
        self.base = base
        self.padded = padded
        self.current = current
    }

    package static let count = 4
    /// The positions of the arms. The base differs from itself in another process because of the machine, and from the
    /// padded base because of layout, which any change may alter (Mytkowicz et al., "Producing wrong data without doing
    /// anything obviously wrong!", ASPLOS 2009).
    package static let positions = (base: 0, again: 1, padded: 2, current: 3)

    /// Bytes by which the padded base's stack is moved.
    package static let stackPadding = 1_040

    /// The arms of a benchmark.
    ///
    /// - Parameter extraWork: planted work in the current build.
    package func arms(of benchmark: String, extraWork: Double = 0) -> [Arm] {
        [
            Arm(title: "the base", executable: base, benchmark: benchmark),
            Arm(title: "the base against itself", executable: base, benchmark: benchmark),
            Arm(
                title: "the padded base", executable: padded ?? base, benchmark: benchmark,
                stackPadding: Self.stackPadding),
            Arm(title: "the current build", executable: current, benchmark: benchmark, extraWork: extraWork),
        ]
    }
}

/// The process of one arm, which measures its slices.
package final class ArmWorker {
    private let arm: Arm
    private let worker: WorkerProcess
    private let timeOut: Double
    package private(set) var prepared: PreparedReply?
    package private(set) var failure: WorkerFailure?
    package private(set) var wrong = 0

    /// - Parameters:
    ///   - directory: its own directory, with a path as long as the other arms', since arguments lie on the stack.
    ///   - processor: the only processor that it may use; any if `nil`.
    package init(
        _ arm: Arm, settings: RunSettings, directory: String, processor: Int?, interruption: Interruption?
    ) throws {
        self.arm = arm
        timeOut = settings.timeOut
        var settings = settings
        settings.extraWork = arm.extraWork
        let arguments = WorkerArguments.make(benchmark: arm.benchmark, settings: settings, directory: directory)
        var environment = ChildProcess.environmentWithoutBacktraces
        // Every worker has the variable, so that only its length differs.
        environment.append("CACHEGAUGE_PADDING=\(String(repeating: "x", count: arm.stackPadding))")
        environment.append("\(UsableProcessors.variable)=\(UsableProcessors.count)")
        worker = try ProcessorBinding.bound(to: processor) {
            try WorkerProcess(
                executable: arm.executable, arguments: arguments, environment: environment, interruption: interruption)
        }
    }

    package func end() { worker.end() }

    package func beginPreparing() throws { try named { try worker.beginPreparing(within: timeOut) } }

    package func finishPreparing() throws {
        prepared = try named { try worker.finishPreparing(within: timeOut * 3) }
    }

    /// Calibrates the size of a batch.
    package func calibrate(milliseconds: Double) throws {
        try named { try worker.calibrate(milliseconds: milliseconds, within: timeOut) }
    }

    package func slice(milliseconds: Double) throws -> SliceReply {
        try named {
            let report = try checked(worker.slice(milliseconds: milliseconds, within: timeOut))
            let time = Self.time(of: report)
            guard time > 0, time.isFinite else { throw WorkerFailure.misunderstood("that a slice took no time") }
            return report
        }
    }

    /// Runs one slice of operations timed one by one. `prepared` says whether this build can.
    package func operations(milliseconds: Double) throws -> Histogram {
        try named {
            Self.operations(of: try checked(worker.sliceEach(milliseconds: milliseconds, within: timeOut)))
        }
    }

    private func checked(_ report: SliceReply) throws -> SliceReply {
        wrong = report.wrong
        if wrong > 0, !arm.isPeer {
            throw WorkerFailure.failed(reason: "\(report.wrong) wrong answers; run it with the command run")
        }
        return report
    }

    /// The times of all single operations, whatever their outcome.
    static func operations(of report: SliceReply) -> Histogram {
        report.histograms.values.reduce(into: Histogram()) { $0.merge($1) }
    }

    /// The time of one operation in one slice, nanoseconds.
    ///
    /// If the harness times batches, it's the time of the shortest batch, which had the processor to itself throughout.
    /// Its elapsed time is processor time without that of interrupts and of the host, which the thread's clock would
    /// include. Sets of processes with equal code differ by 0.4 to 0.5 % in this measure, and by 0.7 to 0.9 % by the
    /// thread's clock. If operations are timed one by one, as when they wait for a disk, it's the mean of their elapsed
    /// times.
    package static func time(of report: SliceReply) -> Double {
        if let shortest = report.batches.min(), report.batchOperations > 0 {
            return Double(shortest) / Double(report.batchOperations)
        }
        return Double(report.histograms.values.reduce(0) { $0 &+ $1.sum }) / Double(report.operations)
    }

    /// Adds the arm's name to a failure.
    private func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as WorkerFailure {
            self.failure = failure
            let words = worker.lastWords.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("\(arm.title) \(failure)\(words)")
        }
    }
}
