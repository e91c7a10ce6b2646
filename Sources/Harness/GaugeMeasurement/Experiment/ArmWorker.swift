import GaugeSupport
import Platform

/// The process of one arm in one set, and what it has measured.
package final class ArmWorker {
    package let arm: Arm
    private let worker: WorkerProcess
    private let timeOut: Double
    private let limit: Double?
    package private(set) var prepared: PreparedReply?
    package private(set) var slices: [SliceReply] = []
    /// Slices of operations timed one by one, for a body that runs them in batches.
    package private(set) var singles: [SliceReply] = []
    /// Whether it was warm before its first slice; `nil` if that isn't known.
    package private(set) var isSteady: Bool?
    package private(set) var figures: [Figure]?
    package private(set) var wrong = 0
    package private(set) var wrongAnswers: [WrongAnswer] = []
    package private(set) var failure: WorkerFailure?
    /// How long its calibration and its slices took, milliseconds.
    private var calibrating = 0.0
    private var measured = 0.0

    /// Filling is given up after this share of the time for preparing, so that the worker can still say so.
    private static let fillShare = 0.8

    /// - Parameters:
    ///   - directory: its own directory, with a path as long as the other arms', since arguments lie on the stack.
    ///   - processor: the only processor that it may use; any if `nil`.
    ///   - limit: the time-out for preparing, seconds, after which it isn't ready; `nil` for three times the usual
    ///     time-out.
    package init(
        _ arm: Arm, settings: RunSettings, directory: String, processor: Int? = nil, readyWithin limit: Double? = nil,
        interruption: Interruption?
    ) throws {
        self.arm = arm
        self.limit = limit
        timeOut = settings.timeOut
        var settings = settings
        settings.extraWork = arm.extraWork
        let arguments = WorkerArguments.make(
            benchmark: arm.benchmark, settings: settings, directory: directory,
            fillSeconds: arm.executable == nil ? limit.map { max(0.1, $0 * Self.fillShare) } : nil)
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

    /// The end of its standard error.
    var lastWords: String { worker.lastWords }

    /// Its failure, with its name and its last words.
    var error: GaugeError? { failure.map { GaugeError("\(arm.title) \($0)\(worker.lastLine(after: $0))") } }

    /// How long it prepared, calibrated and measured, seconds.
    var seconds: Double { Double(prepared?.nanoseconds ?? 0) / 1e9 + (calibrating + measured) / 1e3 }

    /// Whether the subject under test gave a wrong answer. Those of a peer are only counted.
    var hasLied: Bool { wrong > 0 && !arm.isPeer }

    /// Whether its subject's results can't be trusted.
    var isFatal: Bool { hasLied || !arm.isPeer && failure?.isFatal == true }

    /// Whether a slice holds several operations. If not, warming up would take longer than measuring.
    private var hasShortOperations: Bool { calibrating < SetPlan.usualSlice * 8 }

    /// Takes a step, unless an earlier one failed.
    ///
    /// - Throws: `Interrupted`; any other error is its failure.
    func attempt(_ step: (ArmWorker) throws -> Void) throws {
        guard failure == nil else { return }
        do {
            try step(self)
        } catch let interruption as Interrupted {
            throw interruption
        } catch {
            failure = error as? WorkerFailure ?? .failed(reason: "\(error)")
        }
    }

    func beginPreparing() throws { try worker.beginPreparing(within: timeOut) }

    func finishPreparing() throws {
        do {
            prepared = try worker.finishPreparing(within: limit ?? timeOut * 3)
        } catch WorkerFailure.timedOut {
            throw limit.map(Self.notReady) ?? .timedOut
        }
    }

    /// The failure of a worker that wasn't ready after so many seconds; part of a second counts as one.
    static func notReady(after seconds: Double) -> WorkerFailure { .notReady(seconds: Int(seconds.rounded(.up))) }

    /// Calibrates the size of a batch.
    func calibrate(milliseconds: Double) throws {
        let start = monotonicNanoseconds()
        defer { calibrating = Double(monotonicNanoseconds() - start) / 1e6 }
        try worker.calibrate(milliseconds: milliseconds, within: timeOut(for: milliseconds))
    }

    /// Runs short slices until they agree, and leaves them out of the figures.
    func warmUp() throws {
        guard hasShortOperations else { return }
        var warmUp = WarmUp()
        while !warmUp.isOver {
            warmUp.add(MeasuredSlice(try slice(milliseconds: SetPlan.usualSlice / 2)).typicalOrMean)
        }
        isSteady = warmUp.isSteady
        try worker.calibrate(milliseconds: 0, within: timeOut)
    }

    /// Fills the processor's caches with its own data again.
    func warmCaches(milliseconds: Double) throws {
        guard hasShortOperations else { return }
        try worker.warmCaches(milliseconds: milliseconds, within: timeOut(for: milliseconds))
    }

    /// Whether it has time left in this set. A benchmark whose single operation outlasts many slices stops after one;
    /// any other gets at least three, without which there is no spread.
    func mayGoOn(milliseconds share: Double) -> Bool {
        slices.isEmpty || measured < (slices.count < 3 ? share * 3 : share)
    }

    func measure(milliseconds: Double) throws {
        let report = try slice(milliseconds: milliseconds)
        measured += Double(report.nanoseconds) / 1e6
        slices.append(report)
    }

    /// Measures a slice of operations timed one by one. `prepared` says whether this build can.
    func measureSingles(milliseconds: Double) throws {
        singles.append(try noting(worker.sliceEach(milliseconds: milliseconds, within: timeOut(for: milliseconds))))
    }

    @discardableResult
    func slice(milliseconds: Double) throws -> SliceReply {
        try noting(worker.slice(milliseconds: milliseconds, within: timeOut(for: milliseconds)))
    }

    func finish() throws {
        let report = try worker.finish(within: timeOut)
        (figures, wrong, wrongAnswers) = (report.figures, report.wrong, report.wrongAnswers)
    }

    private func noting(_ report: SliceReply) -> SliceReply {
        (wrong, wrongAnswers) = (report.wrong, report.wrongAnswers)
        return report
    }

    private func timeOut(for milliseconds: Double) -> Double { timeOut + milliseconds / 500 }
}
