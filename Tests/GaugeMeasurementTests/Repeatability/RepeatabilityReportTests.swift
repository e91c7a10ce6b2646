import GaugeMeasurement
import TestSupport
import Testing

@testable import GaugeMeasurement

/// The whole table of a self-test of `run`, in figures that all differ.
@Suite("Report of repeated runs") struct RepeatabilityReportTests {
    private typealias Record = RepeatabilityRecord

    private static let runs = [
        Record.Run(
            number: 0, date: 86_400, seconds: 45.4, stolen: 0.01, loadBefore: 0.25, loadAfter: 1.5, fullSpeed: 0.7,
            clock: 2.75, pairs: [0.01, 0.02],
            rows: [
                .init(name: "a/one/x", time: .init(10, 9...11), allocations: 0.25),
                .init(name: "a/one/y", time: .init(30, 28...31), ratio: .init(3, 2.9...3.2)),
                .init(name: "a/two/x", time: .init(50, 49...51), allocations: 4),
                .init(name: "a/two/y", time: nil, ratio: .init(7, 6.5...6.9)),
            ]),
        Record.Run(
            number: 1, date: 172_800, seconds: 46.6, stolen: nil, loadBefore: nil, loadAfter: 2.5, fullSpeed: nil,
            clock: 2.5, pairs: [],
            rows: [
                .init(name: "a/two/y", time: .init(340, nil), ratio: .init(6.8, 6.5...6.9)),
                .init(name: "a/one/y", time: .init(36, 35...37), ratio: .init(3.5, 3.3...3.6)),
                .init(name: "a/one/x", time: .init(10.5, 9...11)),
            ]),
    ]

    @Test("ratios, times and runs have their tables, rows in the order of the first run") func whole() {
        let settings = Record.Settings(seed: 1, plan: RunPlan(seconds: 45.5), busy: 2, benchmarks: [])
        let report = RepeatabilityReport(settings: settings, runs: Self.runs).markdown
        // By hand: 3.25 is in neither interval of a/one/y, and 6.9 ends both of a/two/y.
        #expect(report.contains("ratios that cover: 2 of 4, 50.0 %\n"))
        #expect(report.contains("\n| a/one/y | 3.25× |") && report.contains("\n| a/two/y | 6.90× |"))
        #expect(RecordedText.differences(of: report, from: "Reports/run-self-test.md") == [])
        #expect(settings.seconds == 45.5 && settings.busy == 2)
    }

    @Test("the settings of a log have the bounds of the plan, each under its name") func settings() {
        let plan = RunPlan(seconds: 7, sets: 3, samples: 5)
        let settings = Record.Settings(seed: 9, plan: plan, benchmarks: ["a"])
        #expect(settings.seed == 9 && settings.seconds == 7 && settings.sets == 3 && settings.samples == 5)
        #expect(settings.busy == nil && settings.benchmarks == ["a"])
        #expect(Record.Settings(seed: 9, plan: plan, busy: 1, benchmarks: []).busy == 1)
    }

    @Test("without any run there are tables without rows, and nothing to sum up") func empty() {
        let report = RepeatabilityReport(settings: .init(seed: 1, plan: RunPlan(), benchmarks: []), runs: [])
        #expect(report.summary == [] && report.markdown.contains("0 runs of 50 s, all of them counted."))
    }
}
