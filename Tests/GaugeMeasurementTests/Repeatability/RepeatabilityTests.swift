import GaugeMeasurement
import GaugeSupport
import TestSupport
import Testing

@testable import GaugeMeasurement

@Suite("Repeatability of runs") struct RepeatabilityTests {
    private typealias Record = RepeatabilityRecord

    private func run(_ number: Int, ratio: Double, reach: Double, allocations: Double = 0) -> Record.Run {
        let rows = [
            Record.Row(name: "date/imf/tiered", time: .init(12, 11...13)),
            Record.Row(
                name: "date/imf/strptime", time: .init(12 * ratio, nil),
                ratio: .init(ratio, (ratio - reach)...(ratio + reach)), allocations: allocations),
        ]
        return Record.Run(
            number: number, date: 0, seconds: 45, stolen: 0, loadBefore: 0.25, loadAfter: 1, fullSpeed: 0.7,
            pairs: [0.01], rows: rows)
    }

    @Test("an interval counts as covering when it contains the median of all runs") func coverage() throws {
        // The median of 80 to 90 is 85; those within 2 of it cover.
        let result = Repeatability((0...10).map { run($0, ratio: 80 + Double($0), reach: 2) })
        let line = try #require(result.ratios.first)
        #expect((line.name, line.median, line.covered, line.intervals) == ("date/imf/strptime", 85, 5, 11))
        #expect(Repeatability.coverage(result.ratios) == 5.0 / 11)
        #expect(abs(line.spread - (89.5 / 80.5 - 1)) < 1e-12)
        #expect(result.ratios.count == 1 && result.times.count == 2)
        #expect(result.times[1].intervals == 0 && result.times[1].runs == 11)
    }

    @Test("a row whose reference or itself allocates is told apart") func allocates() {
        #expect(Repeatability([run(0, ratio: 2, reach: 1)]).ratios.map(\.allocates) == [false])
        #expect(Repeatability([run(0, ratio: 2, reach: 1, allocations: 3)]).ratios.map(\.allocates) == [true])
    }

    @Test("the table has every row and every run") func table() {
        let settings = Record.Settings(seed: 1, plan: RunPlan(), benchmarks: [])
        let text = RepeatabilityReport(settings: settings, runs: (0..<4).map { run($0, ratio: 80, reach: 1) }).markdown
        #expect(text.contains("- intervals of ratios that cover: 4 of 4, 100.0 %\n"))
        #expect(text.contains("| date/imf/strptime | 80.0× | 0.0 % | 4 of 4 | 4 | no |\n"))
        #expect(text.contains("| 4 | Thu, 01 Jan 1970 00:00:00 GMT | 45 | 0.0 % | 0.25 | 1 | 70.0 % | – | 1.0 % |\n"))
        #expect(!text.contains("\n\n\n"))
    }

    @Test("a log goes on where it ended") func log() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        do {
            let log = try LineLog<Record.Line>(path)
            try log.add(.settings(.init(seed: 1, plan: RunPlan(), benchmarks: ["a"])))
            try log.add(.round(run(0, ratio: 80, reach: 1)))
        }
        let log = try LineLog<Record.Line>(path)
        #expect(!log.hadTornLine && log.records.compactMap(\.done) == [run(0, ratio: 80, reach: 1)])
        #expect(log.records[0].shared?.benchmarks == ["a"])
    }

    @Test("a row allocates from one allocation in two operations, and a ratio also where its reference does")
    func reference() {
        func ratios(own: Double, reference: Double) -> [Bool] {
            let rows = [
                Record.Row(name: "a/b/one", time: .init(12, 11...13), allocations: reference),
                Record.Row(name: "a/b/two", time: .init(24, nil), ratio: .init(2, 1.9...2.1), allocations: own),
                Record.Row(name: "a/c/one", time: .init(12, nil), allocations: 7),
            ]
            return Repeatability([Record.Run(number: 0, date: 0, seconds: 1, rows: rows)]).ratios.map(\.allocates)
        }
        #expect(ratios(own: 0.5, reference: 0) == [true] && ratios(own: 0.49, reference: 0) == [false])
        #expect(ratios(own: 0, reference: 0.5) == [true] && ratios(own: 0, reference: 0.49) == [false])
    }

    @Test("the summary names the ratio that spreads most, with and without allocations, and the largest A/A difference")
    func summary() throws {
        func row(_ name: String, _ ratio: Double, allocations: Double = 0) -> Record.Row {
            Record.Row(name: name, time: nil, ratio: .init(ratio, ratio * 0.9...ratio * 1.1), allocations: allocations)
        }
        let runs = [1.0, 1.2].enumerated().map { number, factor in
            Record.Run(
                number: number, date: 0, seconds: 45, clock: 2.5, pairs: [0.01 * factor, 0.03],
                rows: [
                    row("a/b/steady", 90), row("a/b/loose", 3 * factor),
                    row("a/b/heap", 5 * factor * factor, allocations: 2),
                    row("a/b/calm", 7, allocations: 2),
                ])
        }
        let settings = Record.Settings(seed: 1, plan: RunPlan(), busy: 3, benchmarks: [])
        let report = RepeatabilityReport(settings: settings, runs: runs)
        #expect(
            report.summary == [
                "intervals of ratios that cover: 6 of 8, 75.0 %",
                "largest spread of a ratio without allocation: 17.8 %, of a/b/loose",
                "largest spread of a ratio with allocation: 38.7 %, of a/b/heap",
                "largest difference of a benchmark from itself in a run: 3.0 %",
            ], "\(report.summary)")
        #expect(report.markdown.contains("Times are told for 2.50 GHz. Other work kept 3 processors busy."))
    }

    @Test("a run's row keeps its undisturbed time, and no ratio of typical times") func rows() {
        var row = ResultRow(name: BenchmarkName("a", "b", "c"), isPeer: true)
        (row.median, row.ratio, row.ratioInterval) = (30, 2.5, 2.4...2.7)
        row.undisturbed = Estimate(20, in: 18...21)
        row.sets = [SetTimes(operations: 5, slices: [1]), SetTimes(), SetTimes(operations: 6, slices: [2])]
        #expect(
            Record.Row(row)
                == Record.Row(
                    name: "a/b/c", time: .init(20, 18...21), typical: 30, ratio: .init(2.5, 2.4...2.7), sets: 2))
        row.isRatioPaired = true
        #expect(Record.Row(row).ratio == nil)
    }

    @Test("a row whose name has no case is no other row's reference") func nameless() {
        let rows = [
            Record.Row(name: "one", time: .init(12, 11...13), allocations: 3),
            Record.Row(name: "two", time: .init(24, nil), ratio: .init(2, 1.9...2.1), allocations: 0),
        ]
        let result = Repeatability([Record.Run(number: 0, date: 0, seconds: 1, rows: rows)])
        #expect(result.ratios.map(\.name) == ["two"] && result.ratios.map(\.allocates) == [false])
        #expect(result.times.map(\.name) == ["one", "two"] && result.times.map(\.allocates) == [true, false])
        #expect(Repeatability.coverage([]) == nil)
    }
}
