import Foundation
import GaugeSupport
import Platform

/// Measures the cases of a run in sets of processes, until its plan is fulfilled.
package struct SuiteRun {
    package let cases: [BenchmarkCase]
    package let settings: RunSettings
    package let plan: RunPlan
    package let directory: TemporaryDirectory
    package let interruption: Interruption?

    package init(
        _ cases: [BenchmarkCase], settings: RunSettings, plan: RunPlan, directory: TemporaryDirectory,
        interruption: Interruption?
    ) {
        (self.cases, self.settings, self.plan) = (cases, settings, plan)
        (self.directory, self.interruption) = (directory, interruption)
    }

    package struct Results {
        package var measurements: [[BenchmarkMeasurements]]
        package var isInterrupted = false

        /// Whether a subject under test answered wrongly, crashed or hung.
        package var isFatal: Bool { measurements.joined().contains(where: \.isFatal) }

        package var exitCode: ExitCode {
            if isInterrupted { return .interrupted }
            if isFatal { return .wrongAnswer }
            return measurements.joined().contains(where: \.isError) ? .failure : .ok
        }
    }

    /// So many sets of a case keep their files. Removing files slows down the file system for a while, and keeping all
    /// could fill it.
    private static let keptSets = 8

    /// - Parameters:
    ///   - meter: watches the machine, and receives every set.
    ///   - series: distinguishes the files and orders when a run is repeated.
    ///   - progress: receives the case's name and the set's number, from 1, before each set.
    package func measure(
        meter: inout NoiseMeter, series: Int = 0, progress: (_ name: String, _ set: Int) -> Void = { _, _ in }
    ) throws -> Results {
        var results = Results(measurements: cases.map { $0.benchmarks.map(BenchmarkMeasurements.init) })
        var active = cases.map { Array($0.benchmarks.indices) }
        var schedule = RunSchedule(cases: cases, plan: plan)
        let isPaced = settings.load?.isPaced == true
        while let next = schedule.next() {
            let number = schedule.sets(of: next)
            progress(cases[next].name, number + 1)
            let start = monotonicNanoseconds()
            let waiting = SlowPeers.waiting(results.measurements[next], active[next])
            let before = results.measurements[next].map(\.seconds)
            do {
                try measureSet(
                    &results.measurements[next], active: active[next].filter { !waiting.contains($0) },
                    name: "\(series)-\(next)-\(number)", seconds: isPaced ? share(of: next) : nil,
                    peerTimeOut: schedule.peerTimeOut(of: next))
            } catch is Interrupted {
                results.isInterrupted = true
            }
            let measured = results.measurements[next]
            meter.addSet(measured)
            if results.isInterrupted || measured.contains(where: \.isFatal) { break }
            // The disk may have space for only one tier of the suite `large`.
            let kept =
                cases[next].benchmarks.contains { $0.suites.contains(BenchmarkSelection.apart) } ? 0 : Self.keptSets
            if number >= kept { removeFiles(of: "\(series)-\(next)-\(number - kept)", benchmarks: measured.count) }
            let rows = ResultRow.rows(ofEach: measured, speed: meter.speed)
            let spent = zip(measured, before).map { $0.seconds - $1 }
            var seconds = Double(monotonicNanoseconds() - start) / 1e9
            // That of a peer that did not get ready is unknown.
            if active[next].contains(where: { measured[$0].failure != nil }) {
                seconds = min(seconds, spent.reduce(0, +))
            }
            active[next] = stillNeeded(measured, rows, active[next])
            func time(without peers: Set<Int>) -> Double {
                let left = 1 - peers.reduce(0) { $0 + spent[$1] } / max(spent.reduce(0, +), 1e-9)
                return max(0.01, seconds * left)
            }
            schedule.measured(
                next, seconds: time(without: SlowPeers.slow(measured, active[next])),
                // It takes as long as this one without the peers that wait.
                next: time(without: SlowPeers.waiting(measured, active[next])),
                isFinished: isPaced || active[next].isEmpty,
                lacksFullSpeed: rows.joined().contains(where: \.lacksFullSpeed),
                scatter: measured.filter { !$0.benchmark.isUsual }.compactMap(\.scatter).max() ?? 0)
        }
        return results
    }

    /// Measures a set of processes, and adds it to a case's results.
    ///
    /// - Parameters:
    ///   - name: the set's name, which distinguishes its files.
    ///   - seconds: how long to measure instead of a number of slices.
    ///   - peerTimeOut: the time-out for preparing a peer, seconds; 0 skips peers. Filling some caches takes longer
    ///     than measuring all others.
    ///   - now: the clock that times the preparation, nanoseconds.
    /// - Throws: `Interrupted`; whatever was measured before has been added.
    package func measureSet(
        _ results: inout [BenchmarkMeasurements], active: [Int], name: String, seconds: Double? = nil,
        peerTimeOut: Double = .infinity, now: () -> UInt64 = monotonicNanoseconds
    ) throws {
        var workers = [ArmWorker?](repeating: nil, count: results.count)
        // Stored files stay for now: for minutes after many files were removed, ext4 takes a millisecond to create one.
        defer {
            for index in results.indices {
                results[index].add(workers[index])
                workers[index]?.end()
            }
        }
        for index in active where results[index].failure == nil {
            let benchmark = results[index].benchmark
            let limit = Self.preparingTimeOut(settings.timeOut, isPeer: benchmark.isPeer, peerTimeOut: peerTimeOut)
            guard limit > 0 else {
                results[index].failure = .noTimeLeft
                continue
            }
            do {
                workers[index] = try ArmWorker(
                    Arm(benchmark, executable: settings.executable), settings: settings,
                    directory: try directory.subdirectory(place(name, index)), readyWithin: limit,
                    interruption: interruption)
            } catch let error as GaugeError {
                // Earlier sets are kept.
                results[index].failure = .failed(reason: error.description)
            }
        }
        var random = Xoshiro256(seed: Self.seed(of: name, in: settings))
        let set = ArmSet(workers.compactMap(\.self), interruption: interruption)
        let start = now()
        try ArmSet.prepare([set], &random)
        let plan = SetPlan.run(
            samples: plan.samples, seconds: seconds, preparing: Double(now() - start) / 1e9, arms: set.workers.count)
        try set.measure(plan, &random)
    }

    static func preparingTimeOut(_ timeOut: Double, isPeer: Bool, peerTimeOut: Double) -> Double {
        min(timeOut * 3, isPeer ? peerTimeOut : .infinity)
    }

    /// The seed for the order in a set: different for each set and for each seed of the run.
    package static func seed(of name: String, in settings: RunSettings) -> UInt64 {
        name.utf8.reduce(settings.seed) { SplitMix64.mix($0 &+ UInt64($1)) }
    }

    private func place(_ name: String, _ index: Int) -> String { "set-\(name)-\(index)" }

    private func removeFiles(of name: String, benchmarks: Int) {
        for index in 0..<benchmarks {
            try? FileManager.default.removeItem(atPath: "\(directory.path)/\(place(name, index))")
        }
    }

    /// Counts the instructions of every measured benchmark, outside the run's time.
    ///
    /// - Throws: `Interrupted`; earlier counts stay in the results.
    package func count(
        with counter: InstructionCounter, _ results: inout Results, progress: (_ name: String) -> Void = { _ in }
    ) throws {
        for (index, next) in cases.enumerated() where !next.isControl {
            for number in results.measurements[index].indices
            where results.measurements[index][number].failure == nil
                && !results.measurements[index][number].sets.isEmpty
            {
                if interruption?.isRequested == true { throw Interrupted() }
                progress(next.benchmarks[number].name.description)
                try count(&results.measurements[index][number], with: counter)
            }
        }
    }

    private func count(_ result: inout BenchmarkMeasurements, with counter: InstructionCounter) throws {
        guard let time = result.slices.compactMap(\.typicalOrMean).min(),
            let size = InstructionCounter.operations(taking: time)
        else {
            result.uncounted = "an operation takes more than five seconds"
            return
        }
        do {
            result.instructions = try counter.count(
                result.benchmark.name.description, settings: settings, operations: size.whole)
        } catch let error as GaugeError {
            result.uncounted = error.description
        }
    }

    /// The seconds of a case measured in one set.
    private func share(of index: Int) -> Double {
        plan.seconds * Double(cases[index].benchmarks.count) / Double(cases.reduce(0) { $0 + $1.benchmarks.count })
    }

    /// The benchmarks that need another set: those that aren't precise enough, and their references.
    private func stillNeeded(_ measured: [BenchmarkMeasurements], _ rows: [[ResultRow]], _ active: [Int]) -> [Int] {
        let working = active.filter { measured[$0].failure == nil }
        guard plan.precision != nil else { return working }
        let open = working.filter { !plan.isPrecise(rows[$0]) }
        return working.filter { index in
            open.contains(index)
                || open.contains { measured[$0].benchmark.reference == measured[index].benchmark.name.subject }
        }
    }
}
