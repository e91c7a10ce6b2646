import GaugeMeasurement
import GaugeSupport
import TestSupport
import Testing

@testable import GaugeVerdicts

@Suite("Repeatability of runs")
struct RepeatabilityTests {
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

    @Test("an interval counts as covering when it contains the median of all runs")
    func coverage() throws {
        // The median of 80 to 90 is 85; those within 2 of it cover.
        let result = Repeatability((0...10).map { run($0, ratio: 80 + Double($0), reach: 2) })
        let line = try #require(result.ratios.first)
        #expect((line.name, line.median, line.covered, line.intervals) == ("date/imf/strptime", 85, 5, 11))
        #expect(Repeatability.coverage(result.ratios) == 5.0 / 11)
        #expect(abs(line.spread - (89.5 / 80.5 - 1)) < 1e-12)
        #expect(result.ratios.count == 1 && result.times.count == 2)
        #expect(result.times[1].intervals == 0 && result.times[1].runs == 11)
    }

    @Test("a row whose reference or itself allocates is told apart")
    func allocates() {
        #expect(Repeatability([run(0, ratio: 2, reach: 1)]).ratios.map(\.allocates) == [false])
        #expect(Repeatability([run(0, ratio: 2, reach: 1, allocations: 3)]).ratios.map(\.allocates) == [true])
    }

    @Test("the table has every row and every run")
    func table() {
        let settings = Record.Settings(seed: 1, plan: RunPlan(), benchmarks: [])
        let text = RepeatabilityReport(settings: settings, runs: (0..<4).map { run($0, ratio: 80, reach: 1) }).markdown
        #expect(text.contains("- intervals of ratios that cover: 4 of 4, 100.0 %\n"))
        #expect(text.contains("| date/imf/strptime | 80.0× | 0.0 % | 4 of 4 | 4 | no |\n"))
        #expect(text.contains("| 4 | Thu, 01 Jan 1970 00:00:00 GMT | 45 | 0.0 % | 0.25 | 1 | 70.0 % | – | 1.0 % |\n"))
        #expect(!text.contains("\n\n\n"))
    }

    @Test("a log goes on where it ended")
    func log() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/log"
        do {
            let log = try LineLog<Record>(path)
            try log.add(.settings(.init(seed: 1, plan: RunPlan(), benchmarks: ["a"])))
            try log.add(.run(run(0, ratio: 80, reach: 1)))
        }
        let log = try LineLog<Record>(path)
        #expect(!log.hadTornLine && log.runs == [run(0, ratio: 80, reach: 1)])
        #expect(log.settings?.benchmarks == ["a"])
    }
}
