import GaugeStatistics
import GaugeSupport
import Platform

/// One benchmark of a set: its worker, and its results.
struct SetMember {
    /// Its position in the case.
    let index: Int
    let worker: WorkerProcess
    let timeOut: Double
    private(set) var result: BenchmarkMeasurements
    private let preparingTimeOut: Double
    private let before: Int
    /// The time of its slices, and of calibrating its batches, milliseconds.
    private var measured = 0.0
    private var calibrating = 0.0

    /// The part of the time for preparing after which filling is given up, so that the worker can still say so.
    private static let fillShare = 0.8

    /// Starts the worker.
    ///
    /// - Parameter place: the path of its directory, which is empty.
    init(
        _ result: BenchmarkMeasurements, index: Int, settings: RunSettings, place: String, peerTimeOut: Double,
        interruption: Interruption?
    ) throws {
        self.index = index
        self.result = result
        before = result.slices.count
        let benchmark = result.benchmark
        timeOut = settings.timeOut
        preparingTimeOut = Self.preparingTimeOut(timeOut, isPeer: benchmark.isPeer, peerTimeOut: peerTimeOut)
        worker = try WorkerProcess(
            executable: settings.executable,
            arguments: WorkerArguments.make(
                benchmark: benchmark.name.description, settings: settings,
                directory: place,
                fillSeconds: settings.executable == nil ? max(0.1, preparingTimeOut * Self.fillShare) : nil),
            interruption: interruption)
        if preparingTimeOut <= 0 { self.result.failure = .noTimeLeft }
    }

    /// The time-out for preparing, seconds.
    static func preparingTimeOut(_ timeOut: Double, isPeer: Bool, peerTimeOut: Double) -> Double {
        min(timeOut * 3, isPeer ? peerTimeOut : .infinity)
    }

    /// The failure of a worker that has not prepared itself for so many seconds. A part of a second counts as one.
    static func notReady(after seconds: Double) -> WorkerFailure { .notReady(seconds: Int(seconds.rounded(.up))) }

    /// Whether it has time left in this set. A benchmark whose single operation outlasts many slices stops after one;
    /// any other gets at least three slices, without which there is no spread.
    func mayGoOn(milliseconds share: Double) -> Bool {
        let count = result.slices.count - before
        return count == 0 || measured < (count < 3 ? share * 3 : share)
    }

    /// Performs one step, unless an earlier one has failed. A failure ends only this benchmark.
    mutating func attempt(_ step: (inout SetMember) throws -> Void) {
        guard result.failure == nil else { return }
        do {
            try step(&self)
        } catch let failure as WorkerFailure {
            result.failure = failure
            result.lastWords = worker.lastWords
        } catch is Interrupted {
            // An interruption concerns all benchmarks; the caller checks for it next.
        } catch {
            result.failure = .failed(reason: "\(error)")
        }
    }

    mutating func finishPreparing() throws {
        do {
            result.prepared = try worker.finishPreparing(within: preparingTimeOut)
        } catch WorkerFailure.timedOut {
            throw Self.notReady(after: preparingTimeOut)
        }
    }

    mutating func calibrate(milliseconds: Double) throws {
        let start = monotonicNanoseconds()
        defer { calibrating = Double(monotonicNanoseconds() - start) / 1e6 }
        try worker.calibrate(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
    }

    /// Whether a slice holds several operations. Otherwise warming up would take longer than measuring.
    private var hasShortOperations: Bool { calibrating < CaseSet.slice * 8 }

    /// Runs short slices until they agree.
    mutating func warmUp(milliseconds: Double) throws {
        guard hasShortOperations else { return }
        var warmUp = WarmUp()
        while !warmUp.isOver {
            warmUp.add(MeasuredSlice(try slice(milliseconds: milliseconds)).typicalOrMean)
        }
        result.note(isSteady: warmUp.isSteady)
    }

    /// Measures a slice, a short one with warm caches.
    mutating func measure(milliseconds: Double) throws {
        if milliseconds < CaseSet.warming, hasShortOperations {
            try worker.warmCaches(milliseconds: CaseSet.warming, within: timeOut + CaseSet.warming / 500)
        }
        let report = try slice(milliseconds: milliseconds)
        measured += Double(report.nanoseconds) / 1e6
        result.add(report)
    }

    private func slice(milliseconds: Double) throws -> SliceReport {
        try worker.slice(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
    }

    mutating func finish() throws {
        let report = try worker.finish(within: timeOut)
        result.add(report.figures)
        result.take(wrong: report.wrong, report.wrongAnswers)
    }
}
