import GaugeSupport
import Platform
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

/// Rows of the gate on time, and what their report says of them, in figures that all differ.
@Suite("Report of times") struct TimeReportTests {
    private static let plan = LookPlan(benchmarks: 3)

    private static func set(
        _ change: Double, same: Double = 0, layout: Double = 0, tail: Double? = nil, reason: String = "too few"
    ) -> SetRecord {
        SetRecord(change: change, same: same, layout: layout, p99: tail, obstacle: reason)
    }

    private static func row(
        _ name: String = "a/b/c", looks: Int = 1, _ set: (Int) throws -> SetRecord
    ) throws -> ExperimentRow {
        var row = ExperimentRow(name, plan: plan, delta: 0.01)
        for _ in 0..<looks { try row.extend(until: .max) { before in try set(before.count) } }
        return row
    }

    @Test("each figure stands in its own column") func columns() throws {
        let row = try Self.row { Self.set($0 % 2 == 0 ? 0.051 : 0.049, same: 0.002, layout: 0.004, tail: -0.3) }
        let interval = try #require(row.judgement.time.change?.interval)
        #expect(
            interval.lowerBound > 0.04 && interval.upperBound < 0.06
                && interval.upperBound > interval.lowerBound + 0.002)
        let ends = [interval.lowerBound, interval.upperBound].map { Quantity.change(expm1($0)) }
        #expect(ends[0] != ends[1])
        let text = "a/b/c | worse | +5.1 % | \(ends[0]) to \(ends[1]) | +0.20 % | +0.40 % | 0.40 % | 8"
        let lines = TimeReport(rows: [row]).markdown.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "| time | verdict | change | interval | A/A | layout | smallest seen | sets |",
                "| :-- | :-- | --: | --: | --: | --: | --: | --: |", "| \(text) |",
                "| a/b/c p99 | better | -25.9 % | -25.9 % to -25.9 % | 0.00 % | 0.00 % | 0.00 % | 8 |"
                    .replacing(" | 0.00 % | 0.00 % | 0.00 %", with: " | +0.00 % | +0.00 % | 0.00 %"),
            ])
        #expect(TimeReport.change(row.judgement.time) == "+5.1 % (\(ends[0]) to \(ends[1]))")
    }

    @Test("a reason names its own figures: sets so far, the smallest difference seen, or what moving code changes")
    func reasons() throws {
        let early = try Self.row("a/early/c") { _ in throw GaugeError("it is not measured") }
        var none = ExperimentRow("a/none/c", plan: Self.plan, delta: 0.01)
        try none.extend(until: 0) { _ in Self.set(0) }
        let moved = try Self.row("a/moved/c") { _ in Self.set(0.001, same: 0.002, layout: 0.03) }
        let noisy = try Self.row("a/noisy/c") { _ in Self.set(0.001, same: 0.02, layout: 0.003) }
        let open = try Self.row("a/open/c", looks: 7) { Self.set($0 % 2 == 0 ? 0.02 : 0.0, tail: 0) }
        let report = TimeReport(rows: [early, none, moved, noisy, open])
        #expect(report.reasons.count == 5, "\(report.reasons)")
        for (reason, beginning) in zip(
            report.reasons,
            [
                "a/early/c: it is not measured",
                "a/none/c: inconclusive: 0 sets of processes in the given time, 8 are needed; give it more",
                "a/moved/c: inconclusive: moving code and stack alone changes its time by +3.0 %; trust its counts",
                "a/noisy/c: inconclusive: equal builds may differ by up to 2.0 % in this run, which is above 1.0 %; ",
                "a/open/c: inconclusive: the change may be more or less than 1.0 %; ",
            ])
        {
            #expect(reason.hasPrefix(beginning), "\(reason)")
        }
        #expect(open.sets.count == 90 && open.judgement.time.isOpen && !open.isOpen)
    }

    @Test("the first reason why a percentile is unknown is told once for all rows that share it, and not of a failure")
    func obstacles() throws {
        let first = try Self.row("a/one/c") { Self.set(0, reason: $0 == 0 ? "too few" : "too old") }
        let second = try Self.row("a/two/c") { _ in Self.set(0, reason: "too old") }
        let third = try Self.row("a/three/c") { _ in Self.set(0, reason: "too few") }
        let failed = try Self.row("a/four/c") { number in
            guard number == 0 else { throw GaugeError("it crashed") }
            return Self.set(0, reason: "too few")
        }
        #expect(failed.tailObstacle == "too few" && failed.figures.count == 1)
        let report = TimeReport(rows: [first, second, failed, third])
        #expect(
            report.obstacles == [
                "p99 is not judged for a/one/c, a/three/c: too few", "p99 is not judged for a/two/c: too old",
            ])
    }

    @Test("a verdict on the 99th percentile that was reached stays while the mean is measured on")
    func keptTail() throws {
        let row = try Self.row(looks: 2) { number in
            Self.set(number % 2 == 0 ? 0.02 : 0, tail: number < 8 ? 0.3 : -5)
        }
        #expect(row.sets.count == 12 && row.judgement.time.sets == 12)
        #expect(row.judgement.tails[.p99]?.verdict == .worse && row.judgement.tails[.p99]?.sets == 8)
    }

    @Test("no set is begun that would end after the deadline, by the time that the sets before it took")
    func deadline() throws {
        var row = ExperimentRow("a/b/c", plan: Self.plan, delta: 0.01)
        try row.extend(until: monotonicNanoseconds() + 12_000_000) { _ in
            let start = monotonicNanoseconds()
            while monotonicNanoseconds() < start + 8_000_000 {}
            return Self.set(0)
        }
        // One that began late took its time all the same.
        #expect(row.sets.count <= 1)
    }

    @Test(
        "a change has two decimals below one per cent, three below a tenth, and one from there",
        arguments: [
            (0.0099, "+0.99 %"), (0.00996, "+1.0 %"), (0.051, "+5.1 %"), (-0.0012, "-0.12 %"), (-0.0234, "-2.3 %"),
            (0, "+0.00 %"), (0.000_13, "+0.013 %"), (.nan, "–"), (.infinity, "–"),
        ])
    func percent(part: Double, text: String) {
        #expect(Quantity.change(part) == text)
        #expect(Quantity.smallPercent(0.0512) == "5.1 %" && Quantity.smallPercent(0.0051) == "0.51 %")
        #expect(Quantity.change(0.0512, isExact: true) == "+5.12 %")
    }

    @Test("a change that was not measured is a dash") func unmeasured() {
        #expect(TimeReport.change(Judgement([], .gate(delta: 0.01, plan: Self.plan))) == "–")
    }
}
