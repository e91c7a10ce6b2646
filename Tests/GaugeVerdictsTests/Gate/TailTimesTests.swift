import Foundation
import Testing

@testable import GaugeStatistics
@testable import GaugeSupport
@testable import GaugeVerdicts

/// The gate on 99th percentiles, with operations whose times are known.
@Suite("Gate on 99th percentiles")
struct TailTimesTests {
    /// The processes of a simulated machine: an operation takes about 400 ns, one in 300 is interrupted, and processes differ
    /// by 1 %.
    private struct Machine {
        var random: Xoshiro256
        /// Every 64th operation of the current build takes this many times as long.
        var tail = 1.0
        var operations = 1_500

        private mutating func normal() -> Double {
            (-2 * log(1 - random.nextUnit())).squareRoot() * cos(2 * .pi * random.nextUnit())
        }

        /// One set: the mean times and the histograms of its slices.
        mutating func set() throws -> (set: TimedSet, tails: TailTimes) {
            let processes = TimeVariant.allCases.map { _ in exp(0.01 * normal()) }
            var tails = TailTimes()
            var means: [[Double]] = []
            for _ in 0..<4 {
                let row = TimeVariant.allCases.map { variant in
                    var histogram = Histogram()
                    for number in 0..<operations {
                        let isPlanted = variant == .current && number.isMultiple(of: 64)
                        let interruption = random.next(below: 300) == 0 ? 2_000.0 : 0
                        let time = 400 * processes[variant.rawValue] * (1 + 0.1 * normal()) * (isPlanted ? tail : 1)
                        histogram.add(nanoseconds: UInt64(max(1, time + interruption)))
                    }
                    return histogram
                }
                tails.add(row)
                means.append(row.map { $0.quantile(0.5) ?? 1 })
            }
            return (TimedSet(mean: try #require(Replicate(slices: means)), tail: tails.tail), tails)
        }

        mutating func row(benchmarks: Int = 8, looks: Int = 2) throws -> TimeRow {
            var row = TimeRow("memory/hit/mine", plan: LookPlan(benchmarks: benchmarks, figures: 2), delta: 0.01)
            for _ in 0..<looks where row.isOpen { try row.extend(until: .max) { _, _ in try set().set } }
            return row
        }
    }

    @Test("work on every 64th operation is called in the 99th percentile, though the typical time is the same")
    func planted() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            var machine = Machine(random: Xoshiro256(seed: seed))
            machine.tail = 2
            let row = try machine.row()
            #expect(row.judgement.verdict != .regressed, "seed \(seed)")
            #expect(row.tail?.judgement.verdict == .regressed, "seed \(seed)")
            let decision = TimeDecision(rows: [row], delta: 0.01)
            #expect(decision.regressions == ["memory/hit/mine p99"])
            #expect(decision.exitCode(beside: GateDecision(comparisons: [])) == .regression)
            #expect(decision.summary.contains("\np99 of 1 benchmarks: 1 regressed by more than 10.0 %, "))
            #expect(decision.annotations.contains { $0.hasPrefix("::error title=memory/hit/mine p99 takes longer::") })
            #expect(decision.report.text.contains("\nmemory/hit/mine p99  regressed"))
        }
    }

    @Test("equal builds are not accused of their 99th percentiles, and are mostly called equivalent")
    func equal() throws {
        var verdicts: [TimeJudgement.Verdict: Int] = [:]
        for seed in 100..<150 as Range<UInt64> {
            var machine = Machine(random: Xoshiro256(seed: seed))
            machine.operations = 1_000
            verdicts[try #require(machine.row(benchmarks: 1).tail).judgement.verdict, default: 0] += 1
        }
        #expect(verdicts[.regressed] == nil && verdicts[.improved] == nil)
        #expect(verdicts[.equivalent] ?? 0 > 40, "\(verdicts)")
    }

    @Test("rows of slices are merged until each variant has enough operations, and no percentile comes from fewer")
    func merged() throws {
        var machine = Machine(random: Xoshiro256(seed: 3))
        for (operations, rows) in [(1_000, 4), (999, 2), (334, 1), (249, 0)] {
            machine.operations = operations
            let (set, tails) = try machine.set()
            #expect(tails.rows.count == rows, "\(operations)")
            #expect(tails.operations == UInt64(4 * operations))
            guard rows == 0 else { continue }
            #expect(
                set.tail
                    == .unknown(reason: "a set of processes has 996 operations of each build, and 1000 are needed"))
        }
    }

    @Test("a percentile is that of the slices of its own variant")
    func percentiles() throws {
        var tails = TailTimes()
        let row = (1...4).map { variant in
            var histogram = Histogram()
            for time in 1...1_000 { histogram.add(nanoseconds: UInt64(time > 980 ? variant * 200 : 10)) }
            return histogram
        }
        tails.add(row)
        #expect(tails.rows.count == 1)
        for (percentile, expected) in zip(tails.rows[0], [200.0, 400, 600, 800]) {
            #expect(abs(percentile / expected - 1) < HistogramBuckets.relativeError)
        }
    }

    @Test("without enough operations the report says why, and nothing waits for a verdict that cannot come")
    func unknown() throws {
        var machine = Machine(random: Xoshiro256(seed: 4))
        machine.operations = 249
        let row = try machine.row(looks: 7)
        #expect(row.tail == nil && row.figures.count == 1)
        #expect(row.judgement.isOpen || !row.isOpen)
        let report = TimeReport(rows: [row, row], delta: 0.01)
        #expect(
            report.text.contains(
                "p99 is not judged for memory/hit/mine, memory/hit/mine: a set of processes has 996 operations"))
        #expect(report.markdown.contains("\n- p99 is not judged for "))
        #expect(!TimeDecision(rows: [row], delta: 0.01).summary.contains("p99"))
    }

    @Test("a verdict that was reached stays while the other figure is measured on")
    func kept() throws {
        var row = TimeRow("a/b/c", plan: LookPlan(benchmarks: 1, figures: 2), delta: 0.01)
        func replicate(_ change: Double) -> Replicate { Replicate(change: change, same: 0, layout: 0) }
        try row.extend(until: .max) { set, _ in
            TimedSet(mean: replicate(0.05), tail: .ratios(replicate(set.isMultiple(of: 2) ? 0.3 : -0.3)))
        }
        #expect(row.judgement.verdict == .regressed && row.tailJudgement.doubt == .straddles && row.isOpen)
        try row.extend(until: .max) { _, _ in TimedSet(mean: replicate(-5), tail: .ratios(replicate(0))) }
        #expect(row.replicates.count == 12)
        #expect(row.judgement.verdict == .regressed && row.judgement.sets == 8)
        #expect(row.tailJudgement.sets == 12)
    }
}
