import GaugeStatistics
import GaugeSupport
import Platform

/// Measures the subjects of one case in alternating slices, each subject in its own worker.
///
/// A disturbance that outlasts a slice affects all subjects alike, so that their ratio compares times of the same
/// moment. The order rotates from round to round, so that no subject always follows the slowest.
package struct CaseRun {
    package let benchmarkCase: BenchmarkCase
    package let settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    /// The time-out for preparing a peer, seconds; 0 skips peers. Filling some caches takes longer than measuring all
    /// others.
    package var peerTimeOut = Double.infinity
    /// Counts instructions after the slices, outside their time; `nil` counts none.
    package var counter: InstructionCounter?
    /// Distinguishes the directories of a case from those of the same case measured again.
    package var label = ""

    package init(
        benchmarkCase: BenchmarkCase, settings: RunSettings, directory: TemporaryDirectory, interruption: Interruption?,
        peerTimeOut: Double = Double.infinity, counter: InstructionCounter? = nil, label: String = ""
    ) {
        self.benchmarkCase = benchmarkCase
        self.settings = settings
        self.directory = directory
        self.interruption = interruption
        self.peerTimeOut = peerTimeOut
        self.counter = counter
        self.label = label
    }

    /// The number of rounds, when time permits: enough for quartiles.
    package static let rounds = 12
    /// The shortest useful slice, milliseconds: 20 batches.
    package static let shortestSlice = 10.0
    /// The longest slice, milliseconds. Machine conditions would differ more between longer ones.
    package static let longestSlice = 100.0

    /// The results so far; `isInterrupted` when the measurement is incomplete.
    package func measure(until deadline: UInt64) throws -> (results: [BenchmarkMeasurements], isInterrupted: Bool) {
        var arms = try benchmarkCase.benchmarks.enumerated().map { try Arm($1, number: $0, self) }
        // Stored files stay until the run ends: for minutes after many files were removed, ext4 takes a millisecond to
        // create one, which would slow down the filling of later caches.
        defer { for arm in arms { arm.worker.end() } }
        do {
            for index in arms.indices { arms[index].attempt { try $0.worker.greet(within: settings.timeOut) } }
            // In parallel: preparation is not timed.
            for index in arms.indices { arms[index].attempt { try $0.worker.send(.prepare) } }
            for index in arms.indices { arms[index].attempt { try $0.finishPreparing() } }
            try rethrowInterruption()
            try measureSlices(&arms, until: deadline)
            for index in arms.indices { arms[index].attempt { try $0.finish() } }
            try rethrowInterruption()
            for index in arms.indices where arms[index].result.failure == nil {
                try rethrowInterruption()
                if let counter { try arms[index].count(with: counter, settings: settings) }
            }
        } catch is Interrupted {
            return (arms.map(\.result), true)
        }
        return (arms.map(\.result), false)
    }

    private func rethrowInterruption() throws {
        if interruption?.isRequested == true { throw Interrupted() }
    }

    private func measureSlices(_ arms: inout [Arm], until deadline: UInt64) throws {
        let now = monotonicNanoseconds()
        let available = Double(deadline > now ? deadline - now : 0) / 1e6
        let share = available / Double(arms.count)
        // Two extra rounds, in which workers calibrate the batch size and warm up.
        let slice = min(max(share / Double(Self.rounds + 2), Self.shortestSlice), Self.longestSlice)
        let rounds = min(max(Int(share / slice) - 2, 3), Self.rounds)
        for index in arms.indices {
            arms[index].attempt { try $0.calibrate(milliseconds: slice) }
        }
        for index in arms.indices {
            try rethrowInterruption()
            arms[index].attempt { try $0.warmUp(slice: slice) }
        }
        for round in 0..<rounds {
            for offset in arms.indices {
                try rethrowInterruption()
                let index = (round + offset) % arms.count
                guard arms[index].mayGoOn(slice: slice, rounds: rounds) else { continue }
                arms[index].attempt { try $0.measure(milliseconds: slice) }
                if arms[index].result.isFatal { return }
            }
        }
    }

    /// One subject: its worker and its results.
    private struct Arm {
        let worker: WorkerProcess
        let timeOut: Double
        let preparingTimeOut: Double
        var result: BenchmarkMeasurements
        /// Milliseconds spent on calibrating the batch size.
        private var calibrating = 0.0

        init(_ benchmark: Benchmark, number: Int, _ run: CaseRun) throws {
            let name = "worker\(run.label)-\(number)-\(benchmark.name)".map { $0 == "/" ? "-" : $0 }
            let directory = try run.directory.subdirectory(String(name.prefix(200)))
            let arguments = WorkerArguments.make(
                benchmark: benchmark.name.description, settings: run.settings, directory: directory)
            worker = try WorkerProcess(
                executable: run.settings.executable, arguments: arguments, interruption: run.interruption)
            timeOut = run.settings.timeOut
            preparingTimeOut = min(timeOut * 3, benchmark.isPeer ? run.peerTimeOut : .infinity)
            result = BenchmarkMeasurements(benchmark)
            if preparingTimeOut <= 0 { result.failure = .noTimeLeft }
        }

        /// The total time of its slices so far, milliseconds.
        var milliseconds: Double { Double(result.slices.reduce(0) { $0 + $1.nanoseconds }) / 1e6 }

        /// Whether it has time left. A subject whose single operation outlasts many slices stops after one; any other
        /// gets at least three slices, without which there is no spread.
        func mayGoOn(slice: Double, rounds: Int) -> Bool {
            let share = slice * Double(rounds)
            return result.slices.isEmpty || milliseconds < (result.slices.count < 3 ? share * 3 : share)
        }

        /// Performs one step, unless an earlier one has failed. A failure ends only this subject.
        mutating func attempt(_ step: (inout Arm) throws -> Void) {
            guard result.failure == nil else { return }
            do {
                try step(&self)
            } catch let failure as WorkerFailure {
                result.failure = failure
                result.lastWords = worker.lastWords
            } catch is Interrupted {
                // An interruption concerns all subjects; the caller checks for it next.
            } catch {
                result.failure = .failed(reason: "\(error)")
            }
        }

        mutating func finishPreparing() throws {
            do {
                result.prepared = try worker.finishPreparing(within: preparingTimeOut)
            } catch WorkerFailure.timedOut {
                throw WorkerFailure.notReady(seconds: Int(preparingTimeOut.rounded()))
            }
        }

        mutating func calibrate(milliseconds: Double) throws {
            let start = monotonicNanoseconds()
            defer { calibrating = Double(monotonicNanoseconds() - start) / 1e6 }
            try worker.calibrate(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
        }

        /// Runs short slices until they agree. Skipped where a single operation outlasts a slice: warming up would take
        /// longer than measuring.
        mutating func warmUp(slice: Double) throws {
            guard calibrating < slice * 1.5 else { return }
            var warmUp = WarmUp()
            while !warmUp.isOver {
                warmUp.add(MeasuredSlice(try runSlice(milliseconds: max(slice / 4, 2))).typicalOrMean)
            }
            result.isSteady = warmUp.isSteady
        }

        mutating func measure(milliseconds: Double) throws {
            result.add(try runSlice(milliseconds: milliseconds))
        }

        private func runSlice(milliseconds: Double) throws -> SliceReport {
            try worker.slice(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
        }

        mutating func count(with counter: InstructionCounter, settings: RunSettings) throws {
            guard let time = result.slices.compactMap(\.typicalOrMean).min(), time <= InstructionCounter.longest else {
                result.uncounted = "an operation takes longer than \(Quantity.time(InstructionCounter.longest))"
                return
            }
            do {
                result.instructions = try counter.count(result.benchmark.name, settings: settings)
            } catch let error as GaugeError {
                result.uncounted = error.description
            }
        }

        mutating func finish() throws {
            let report = try worker.finish(within: timeOut)
            result.figures = report.figures
            result.take(wrong: report.wrong, report.wrongAnswers)
        }
    }
}
