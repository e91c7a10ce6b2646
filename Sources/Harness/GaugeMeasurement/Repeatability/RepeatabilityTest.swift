import Foundation
import GaugeSupport
import Platform
import Synchronization

/// Repeats a run, and reports how well the runs agree. Each run is in the log as soon as it has ended.
package struct RepeatabilityTest {
    private let run: SuiteRun
    private let runs: Int
    private let busy: Int
    private let console: Console
    private let progress: ProgressLine

    /// - Parameters:
    ///   - busy: how many processors other work keeps busy.
    package init(_ run: SuiteRun, runs: Int, busy: Int = 0, console: Console) {
        (self.run, self.runs, self.busy, self.console) = (run, runs, busy, console)
        progress = ProgressLine(console: console)
    }

    /// - Returns: `interrupted` after an interruption, `wrongAnswer` if a subject under test failed; the log then holds
    ///   all complete runs.
    package func run(log: LineLog<RepeatabilityRecord.Line>) throws -> ExitCode {
        let settings = RepeatabilityRecord.Settings(
            seed: run.settings.seed, plan: run.plan, busy: busy,
            benchmarks: run.cases.flatMap(\.benchmarks).map(\.name.description))
        let otherWork = OtherWork(threads: busy)
        defer { otherWork.end() }
        return try log.run(
            settings, rounds: runs, of: "run", console: console,
            table: { RepeatabilityReport(settings: settings, runs: $0.compactMap(\.done)).markdown }
        ) { number in
            let (record, exitCode) = try measure(
                number: number, reference: log.records.lazy.compactMap(\.done).first?.clock)
            guard [.ok, .failure].contains(exitCode) else { throw EndedSelfTest(exitCode: exitCode) }
            return (record, told: "run \(number + 1) of \(runs)\n")
        }
    }

    private func measure(number: Int, reference: Double?) throws -> (RepeatabilityRecord.Run, ExitCode) {
        let date = Date().timeIntervalSince1970
        let start = monotonicNanoseconds()
        var meter = NoiseMeter(reference: reference)
        // Another run has other orders of slices, like a user's.
        let results = try run.measure(meter: &meter, series: number) { name, set in
            progress.show("run \(number + 1) of \(runs): \(name), set \(set)")
        }
        progress.clear()
        let controls = zip(run.cases, results.measurements).filter { $0.0.isControl }.map { $0.1 }
        let noise = meter.report(pairs: controls)
        let measured = zip(run.cases, results.measurements).filter { !$0.0.isControl }.map { $0.1 }
        let variation = RunVariation(measured, speed: meter.speed)
        let rows = measured.flatMap { ResultRow.rows(of: $0, speed: meter.speed, variation: variation) }
        let record = RepeatabilityRecord.Run(
            number: number, date: date, seconds: Double(monotonicNanoseconds() - start) / 1e9, stolen: noise.stolen,
            loadBefore: noise.loadBefore, loadAfter: noise.loadAfter, fullSpeed: noise.fullSpeed, clock: noise.clock,
            pairs: noise.pairs, rows: rows.map(RepeatabilityRecord.Row.init))
        return (record, results.exitCode)
    }
}

/// Keeps processors busy while something else is measured: each thread writes through 256 KiB again and again, and so
/// competes for the processor, its caches and a core's units.
package final class OtherWork: Sendable {
    private let isOver = Atomic(false)

    package init(threads: Int) {
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                var memory = [UInt64](repeating: 1, count: 32_768)
                var sum: UInt64 = 0
                while !isOver.load(ordering: .relaxed) {
                    for index in memory.indices {
                        sum = (sum ^ memory[index]) &* 0x9E37_79B9_7F4A_7C15
                        memory[index] = sum
                    }
                }
            }
        }
    }

    /// Ends the threads within microseconds.
    package func end() { isOver.store(true, ordering: .relaxed) }
}
