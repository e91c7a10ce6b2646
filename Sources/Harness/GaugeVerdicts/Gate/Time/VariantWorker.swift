import GaugeMeasurement
import GaugeStatistics
import GaugeSupport
import Platform

/// One process of one variant, which measures the time of its slices.
package final class VariantWorker {
    private let title: String
    private let isPeer: Bool
    private let worker: WorkerProcess
    private let timeOut: Double
    package private(set) var prepared: PreparedReport?
    /// The failure that was thrown, if there was one.
    package private(set) var failure: WorkerFailure?
    /// The wrong answers so far.
    package private(set) var wrong = 0

    /// Bytes added to the environment of a padded worker. The environment lies above the stack, which begins that much
    /// lower.
    package static let stackPadding = 1_040

    /// - Parameters:
    ///   - title: the name of the variant in an error.
    ///   - isPeer: counts wrong answers, which are otherwise an error.
    ///   - padding: bytes added to its environment.
    ///   - processor: the only processor that it may use; any when `nil`.
    package init(
        _ title: String, isPeer: Bool = false, padding: Int = 0, executable: String?, arguments: [String],
        processor: Int?, timeOut: Double, interruption: Interruption?
    ) throws {
        self.title = title
        self.isPeer = isPeer
        self.timeOut = timeOut
        var environment = ChildProcess.environmentWithoutBacktraces
        // Every worker has the variable, so that only its length differs.
        environment.append("CACHEGAUGE_PADDING=\(String(repeating: "x", count: padding))")
        environment.append("\(UsableProcessors.variable)=\(UsableProcessors.count)")
        worker = try ProcessorBinding.bound(to: processor) {
            try WorkerProcess(
                executable: executable, arguments: arguments, environment: environment, interruption: interruption)
        }
    }

    package func end() { worker.end() }

    /// Asks the worker to prepare, without waiting for the reply.
    package func beginPreparing() throws {
        try named {
            try worker.beginPreparing(within: timeOut)
        }
    }

    package func finishPreparing() throws {
        prepared = try named { try worker.finishPreparing(within: timeOut * 3) }
    }

    /// Calibrates the size of a batch.
    package func calibrate(milliseconds: Double) throws {
        try named { try worker.calibrate(milliseconds: milliseconds, within: timeOut) }
    }

    /// Runs one slice.
    ///
    /// - Returns: the time of one operation, nanoseconds (see `time(of:)`).
    package func slice(milliseconds: Double) throws -> Double {
        try report(milliseconds: milliseconds).time
    }

    /// Runs one slice.
    ///
    /// - Returns: the time of one operation as `slice` has it, and the times of single operations; these are empty where
    ///   batches are timed.
    package func report(milliseconds: Double) throws -> (time: Double, operations: Histogram) {
        try named {
            let report = try checked(worker.slice(milliseconds: milliseconds, within: timeOut))
            let time = Self.time(of: report)
            guard time > 0, time.isFinite else { throw WorkerFailure.misunderstood("that a slice took no time") }
            return (time, Self.operations(of: report))
        }
    }

    /// Runs one slice whose operations are timed one by one. `prepared` says whether this build can.
    package func operations(milliseconds: Double) throws -> Histogram {
        try named {
            Self.operations(of: try checked(worker.sliceEach(milliseconds: milliseconds, within: timeOut)))
        }
    }

    private func checked(_ report: SliceReport) throws -> SliceReport {
        wrong = report.wrong
        if wrong > 0, !isPeer {
            throw WorkerFailure.failed(reason: "\(report.wrong) wrong answers; run it with the command run")
        }
        return report
    }

    /// The times of all single operations, whatever their outcome.
    private static func operations(of report: SliceReport) -> Histogram {
        report.histograms.values.reduce(into: Histogram()) { $0.merge($1) }
    }

    /// The time of one operation in one slice, nanoseconds.
    ///
    /// Where the harness times batches, this is the time of the shortest batch, which had the processor to itself
    /// throughout. Its elapsed time is processor time without the time of interrupts and of the host, which the
    /// thread's clock charges to the thread. Sets of processes with equal code differ by 0.4 to 0.5 % in this measure,
    /// and by 0.7 to 0.9 % by the thread's clock. Where operations are timed one by one, as those that wait for a disk
    /// are, it is the mean of their elapsed times.
    package static func time(of report: SliceReport) -> Double {
        if let shortest = report.batches.min(), report.batchOperations > 0 {
            return Double(shortest) / Double(report.batchOperations)
        }
        return Double(report.histograms.values.reduce(0) { $0 &+ $1.sum }) / Double(report.operations)
    }

    /// Adds the variant's name to a failure.
    private func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as WorkerFailure {
            self.failure = failure
            let words = worker.lastWords.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("\(title) \(failure)\(words)")
        }
    }
}
