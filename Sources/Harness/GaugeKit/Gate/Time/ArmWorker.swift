import Platform

/// One process of one arm, and the time that its slices took.
final class ArmWorker {
    private let arm: TimeArm
    private let worker: WorkerProcess
    private let patience: Double
    private(set) var prepared: PreparedReport?

    /// Bytes by which the environment of a padded worker is longer; it lies above the stack, which begins as much lower.
    private static let stackPadding = 1_040

    /// - Parameters:
    ///   - processor: where it runs, and nowhere else; anywhere when `nil`.
    init(
        _ arm: TimeArm, executable: String?, arguments: [String], processor: Int?, patience: Double,
        interruption: Interruption?
    ) throws {
        self.arm = arm
        self.patience = patience
        var environment = WorkerProcess.ownEnvironment
        // Everybody has the name, so that only its length differs.
        let length = arm == .padded ? Self.stackPadding : 0
        environment.append("CACHEGAUGE_PADDING=\(String(repeating: "x", count: length))")
        worker = try ProcessorBinding.bound(to: processor) {
            try WorkerProcess(
                executable: executable, arguments: arguments, environment: environment, interruption: interruption)
        }
    }

    func end() { worker.end() }

    /// Asks the worker to get ready, without waiting.
    func beginPreparing() throws {
        try named {
            try worker.beginPreparing(within: patience)
        }
    }

    func finishPreparing() throws {
        prepared = try named { try worker.finishPreparing(within: patience * 3) }
    }

    /// Finds the size of a batch.
    func settle(milliseconds: Double) throws {
        try named { try worker.settle(milliseconds: milliseconds, within: patience) }
    }

    /// Runs a slice.
    ///
    /// - Returns: nanoseconds of one operation (see `time(of:)`).
    func slice(milliseconds: Double) throws -> Double {
        try named {
            let report = try worker.slice(milliseconds: milliseconds, within: patience)
            if report.wrong > 0 {
                throw WorkerFailure.failed(reason: "\(report.wrong) wrong answers; run it with the command run")
            }
            let time = Self.time(of: report)
            guard time > 0, time.isFinite else { throw WorkerFailure.misunderstood("that a slice took no time") }
            return time
        }
    }

    /// Nanoseconds of one operation, in one slice.
    ///
    /// Where the harness times batches, of the shortest of them, which had the processor to itself all the time: its time is
    /// processor time, and without what an interrupt or a host takes, which the clock of the thread counts as the thread's.
    /// Sets of processes that do the same differ by 0.4 to 0.5 % so, by the thread's clock by 0.7 to 0.9 %. Where operations
    /// are timed one by one, as those are that wait for a disk, all the time that passed in them.
    static func time(of report: SliceReport) -> Double {
        if let shortest = report.batches.min(), report.batchOperations > 0 {
            return Double(shortest) / Double(report.batchOperations)
        }
        return Double(report.histograms.values.reduce(0) { $0 &+ $1.sum }) / Double(report.operations)
    }

    /// A failure says whose it is.
    private func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("\(arm.title) \(failure)\(words)")
        }
    }
}
