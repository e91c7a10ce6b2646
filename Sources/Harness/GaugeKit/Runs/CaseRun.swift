import Platform

/// Measures the subjects of one case in alternating slices, each in a worker of its own.
///
/// Whatever disturbs the machine for longer than a slice disturbs all subjects alike, so that their ratio is of one
/// moment. The order rotates from round to round, so that none is always the one after the slowest.
struct CaseRun {
    let benchmarkCase: BenchmarkCase
    let settings: RunSettings
    let directory: TemporaryDirectory
    let interruption: Interruption?
    /// Seconds in which a peer has to get ready, 0 for not trying: filling some caches takes longer than measuring all
    /// others.
    var peerPatience = Double.infinity
    /// Counts instructions, after the slices and outside their time; `nil` for not counting any.
    var counter: InstructionCounter?
    /// Keeps the directories of a case apart from those of the same case measured again.
    var label = ""

    /// Rounds, when there is time for them: enough for quartiles.
    static let rounds = 12
    /// The shortest slice worth having, milliseconds: 20 batches.
    static let shortestSlice = 10.0
    /// The longest slice: longer ones would be less alike.
    static let longestSlice = 100.0

    /// What was measured; `isInterrupted` when not all of it could be.
    func measure(until deadline: UInt64) throws -> (results: [SubjectResult], isInterrupted: Bool) {
        var arms = try benchmarkCase.benchmarks.enumerated().map { try Arm($1, number: $0, self) }
        // What they have stored stays until the run ends: for minutes after many files were removed, ext4 needs a
        // millisecond to make a new one, and the cases that follow would fill their caches so.
        defer { for arm in arms { arm.worker.end() } }
        do {
            for index in arms.indices { arms[index].attempt { try $0.worker.greet(within: settings.patience) } }
            // Side by side: getting ready is not timed.
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
        // Two rounds more than are measured, in which workers find their batch size and warm up.
        let slice = min(max(share / Double(Self.rounds + 2), Self.shortestSlice), Self.longestSlice)
        let rounds = min(max(Int(share / slice) - 2, 3), Self.rounds)
        for index in arms.indices {
            arms[index].attempt { try $0.settle(milliseconds: slice) }
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

    /// One subject: its worker, and what came of it.
    private struct Arm {
        let worker: WorkerProcess
        let patience: Double
        let preparingPatience: Double
        var result: SubjectResult
        /// Milliseconds that finding the batch size took.
        private var settling = 0.0

        init(_ benchmark: Benchmark, number: Int, _ run: CaseRun) throws {
            let name = "worker\(run.label)-\(number)-\(benchmark.name)".map { $0 == "/" ? "-" : $0 }
            let directory = try run.directory.subdirectory(String(name.prefix(200)))
            let arguments = WorkerCommand.arguments(
                benchmark: benchmark.name, settings: run.settings, directory: directory)
            worker = try WorkerProcess(
                executable: run.settings.executable, arguments: arguments, interruption: run.interruption)
            patience = run.settings.patience
            preparingPatience = min(patience * 3, benchmark.isPeer ? run.peerPatience : .infinity)
            result = SubjectResult(benchmark)
            if preparingPatience <= 0 { result.failure = .noTimeLeft }
        }

        /// Time that its slices have taken so far.
        var milliseconds: Double { Double(result.nanoseconds) / 1e6 }

        /// Whether it has time left. A subject whose single operation outlasts many slices has had its share after one;
        /// any other gets three slices, without which there is no spread.
        func mayGoOn(slice: Double, rounds: Int) -> Bool {
            let share = slice * Double(rounds)
            return result.slices.isEmpty || milliseconds < (result.slices.count < 3 ? share * 3 : share)
        }

        /// Does one step, unless an earlier one has failed; a failure ends this subject and no other.
        mutating func attempt(_ step: (inout Arm) throws -> Void) {
            guard result.failure == nil else { return }
            do {
                try step(&self)
            } catch let failure as WorkerFailure {
                result.failure = failure
                result.lastWords = worker.lastWords
            } catch is Interrupted {
                // Concerns all subjects: whoever called looks at it next.
            } catch {
                result.failure = .failed(reason: "\(error)")
            }
        }

        mutating func finishPreparing() throws {
            do {
                result.prepared = try worker.finishPreparing(within: preparingPatience)
            } catch WorkerFailure.timedOut {
                throw WorkerFailure.notReady(seconds: Int(preparingPatience.rounded()))
            }
        }

        mutating func settle(milliseconds: Double) throws {
            let start = monotonicNanoseconds()
            defer { settling = Double(monotonicNanoseconds() - start) / 1e6 }
            try worker.settle(milliseconds: milliseconds, within: patience + milliseconds / 500)
        }

        /// Runs short slices until they agree. Not where a single operation outlasts a slice: warming up would cost more
        /// time than measuring.
        mutating func warmUp(slice: Double) throws {
            guard settling < slice * 1.5 else { return }
            var warmUp = WarmUp()
            while !warmUp.isOver {
                warmUp.add(try runSlice(milliseconds: max(slice / 4, 2)).typicalOrMean)
            }
            result.isSteady = warmUp.isSteady
        }

        mutating func measure(milliseconds: Double) throws {
            result.add(try runSlice(milliseconds: milliseconds))
        }

        private func runSlice(milliseconds: Double) throws -> SliceReport {
            try worker.slice(milliseconds: milliseconds, within: patience + milliseconds / 500)
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
            let report = try worker.finish(within: patience)
            result.figures = report.figures
            result.take(wrong: report.wrong, report.wrongAnswers)
        }
    }
}
