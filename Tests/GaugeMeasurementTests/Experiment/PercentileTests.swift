import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Percentiles of operations whose times are known.
@Suite("Percentiles in an experiment") struct PercentileTests {
    /// The processes of a simulated machine: an operation takes about 400 ns, one in 300 is interrupted, and processes
    /// differ by 1 %.
    private struct Machine {
        var random: Xoshiro256
        /// Every 64th operation of the current build takes this many times as long.
        var tail = 1.0
        var operations = 1_500

        /// One set, with four slices of single operations of each arm.
        mutating func set() -> SetRecord {
            let processes = (0..<GateArms.count).map { _ in exp(0.01 * random.nextNormal()) }
            var rows: [[Histogram]] = []
            for _ in 0..<4 {
                rows.append(
                    (0..<GateArms.count).map { arm in
                        var histogram = Histogram()
                        for number in 0..<operations {
                            let isPlanted = arm == 3 && number.isMultiple(of: 64)
                            let interruption = random.next(below: 300) == 0 ? 2_000.0 : 0
                            let time = 400 * processes[arm] * (1 + 0.1 * random.nextNormal()) * (isPlanted ? tail : 1)
                            histogram.add(nanoseconds: UInt64(max(1, time + interruption)))
                        }
                        return histogram
                    })
            }
            let slices = rows[0].indices.map { arm in
                rows.map { row in
                    var report = SliceReply()
                    (report.operations, report.histograms) = (Int(row[arm].count), [.hit: row[arm]])
                    // Times by the median, since the planted work is not to be seen there.
                    (report.batchOperations, report.batches) = (1, [UInt64(row[arm].quantile(0.5) ?? 1)])
                    return report
                }
            }
            return SetRecord(slices: slices, tails: rows)
        }

        mutating func row(benchmarks: Int = 8, looks: Int = 2) throws -> ExperimentRow {
            var row = ExperimentRow("memory/hit/mine", plan: LookPlan(benchmarks: benchmarks), delta: 0.01)
            for _ in 0..<looks where row.isOpen { try row.extend(until: .max) { _ in set() } }
            return row
        }
    }

    @Test("work on every 64th operation is called in the 99th percentile, though the typical time is the same")
    func planted() throws {
        for seed in 1...nightly(10, else: 4) as ClosedRange<UInt64> {
            var machine = Machine(random: Xoshiro256(seed: seed))
            machine.tail = 2
            let row = try machine.row()
            #expect(row.judgement.time.verdict != .worse, "seed \(seed)")
            #expect(row.judgement.tails[.p99]?.verdict == .worse, "seed \(seed)")
            let decision = TimeDecision(rows: [row], delta: 0.01)
            #expect(decision.regressions == ["memory/hit/mine p99"])
            #expect(decision.exitCode(beside: GateDecision(comparisons: [])) == .regression)
            #expect(decision.summary.contains("\np99 of 1 benchmark: 1 worse by more than 10.0 %, "))
            #expect(decision.annotations.contains { $0.hasPrefix("::error title=memory/hit/mine p99 takes longer::") })
            #expect(decision.report.text().contains("\nmemory/hit/mine p99  worse"))
        }
    }

    @Test("equal builds are not accused of their 99th percentiles, and are mostly called equivalent")
    func equal() throws {
        var verdicts: [Verdict: Int] = [:]
        let seeds: UInt64 = nightly(50, else: 16)
        for seed in 100..<100 + seeds {
            var machine = Machine(random: Xoshiro256(seed: seed))
            machine.operations = 1_000
            let row = try machine.row(benchmarks: 1)
            verdicts[try #require(row.judgement.tails[.p99]).verdict, default: 0] += 1
        }
        #expect(verdicts[.worse] == nil && verdicts[.better] == nil)
        #expect(verdicts[.equivalent] ?? 0 > seeds * 4 / 5, "\(verdicts)")
    }

    @Test("rows of slices are merged until each arm has enough operations, and no percentile comes from fewer")
    func merged() throws {
        var machine = Machine(random: Xoshiro256(seed: 3))
        for (operations, rows) in [(1_000, 4), (999, 2), (334, 1), (249, 0)] {
            machine.operations = operations
            let set = machine.set()
            #expect(set.arms.allSatisfy { ($0.percentiles["p99"] ?? []).count == rows }, "\(operations)")
            #expect(set.arms.allSatisfy { $0.percentiles["p99.9"] == nil })
            let reason = "a set of processes has 996 operations of each build, and 1000 are needed"
            #expect(set.tailObstacle == (rows == 0 ? reason : nil))
        }
    }

    @Test("a percentile is that of the slices of its own arm") func percentiles() {
        let row = (1...4).map { arm in
            var histogram = Histogram()
            for time in 1...1_000 { histogram.add(nanoseconds: UInt64(time > 980 ? arm * 200 : 10)) }
            return histogram
        }
        let rows = SetRecord.percentiles([row], part: 0.99, least: 1_000)
        #expect(rows.count == 1)
        for (percentile, expected) in zip(rows[0], [200.0, 400, 600, 800]) {
            #expect(abs(percentile / expected - 1) < HistogramBuckets.relativeError)
        }
    }

    @Test("without enough operations the report says why, and nothing waits for a verdict that cannot come")
    func unknown() throws {
        var machine = Machine(random: Xoshiro256(seed: 4))
        machine.operations = 249
        let row = try machine.row(looks: 7)
        #expect(row.judgement.tails.isEmpty && row.figures.count == 1)
        #expect(row.judgement.time.isOpen || !row.isOpen)
        let report = TimeReport(rows: [row, row])
        #expect(
            report.obstacles == [
                "p99 is not judged for memory/hit/mine, memory/hit/mine: a set of processes has 996 operations of each "
                    + "build, and 1000 are needed"
            ])
        #expect(report.markdown.contains("\n- p99 is not judged for "))
        #expect(!TimeDecision(rows: [row], delta: 0.01).summary.contains("p99"))
    }

    @Test("a verdict that was reached stays while the other figure is measured on") func kept() throws {
        var row = ExperimentRow("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try row.extend(until: .max) { before in
            SetRecord(change: 0.05, p99: before.count.isMultiple(of: 2) ? 0.3 : -0.3)
        }
        #expect(row.judgement.time.verdict == .worse && row.judgement.tails[.p99]?.doubt == .straddles && row.isOpen)
        try row.extend(until: .max) { _ in SetRecord(change: -5, p99: 0) }
        #expect(row.sets.count == 12)
        #expect(row.judgement.time.verdict == .worse && row.judgement.time.sets == 8)
        #expect(row.judgement.tails[.p99]?.sets == 12)
    }
}
