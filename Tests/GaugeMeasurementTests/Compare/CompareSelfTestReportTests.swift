import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement

/// The whole table of a self-test of `compare`, in figures that all differ.
@Suite("Report of a self-test of compare") struct CompareSelfTestReportTests {
    private static func attempt(
        _ benchmark: String, _ kind: CompareSelfTest.Kind, isB: Bool, change: Double, reach: Double, sets: Int,
        stolen: Double? = nil, load: Double? = nil
    ) -> CompareSelfTest.Try {
        CompareSelfTest.Try(
            benchmark: benchmark, kind: kind, isB: isB,
            verdict: JudgingRule.verdict(of: (change - reach)...(change + reach), delta: 0.015), change: change,
            low: change - reach, high: change + reach, sets: sets, stolen: stolen, load: load)
    }

    @Test("each kind of each benchmark has a line in the order of the kinds, and each try one in its own order")
    func whole() throws {
        let (still, long, two, one) = (
            CompareSelfTest.kinds[0], CompareSelfTest.kinds[1], CompareSelfTest.kinds[2], CompareSelfTest.kinds[3]
        )
        let tries = [
            Self.attempt("b", two, isB: true, change: 0.031, reach: 0.006, sets: 17, stolen: 0.125, load: 2.5),
            Self.attempt("b", one, isB: false, change: -0.024, reach: 0.004, sets: 33, load: 0.25),
            Self.attempt("a", long, isB: false, change: 0.002, reach: 0.005, sets: 29, stolen: 0),
            Self.attempt("b", two, isB: false, change: 0.027, reach: 0.002, sets: 18),
            Self.attempt("b", two, isB: true, change: 0.029, reach: 0.07, sets: 19),
            Self.attempt("a", still, isB: true, change: -0.036, reach: 0.008, sets: 21),
            Self.attempt("a", still, isB: false, change: -0.037, reach: 0.007, sets: 22),
            Self.attempt("a", still, isB: false, change: 0.001, reach: 0.003, sets: 23),
            CompareSelfTest.Try(benchmark: "a", kind: still, isB: true, verdict: .inconclusive, sets: 3),
        ]
        let report = CompareSelfTestReport(tries, delta: 0.015).markdown
        // Counted by hand: tries, called, wrong, equivalent and inconclusive.
        for line in [
            "| b | +2.0 % | 1 | 3 | 1 | 1 | 0 | 1 |", "| b | +1.0 % | 10 | 1 | 1 | 0 | 0 | 0 |",
            "| a | 0.00 % | 1 | 4 | – | 2 | 1 | 1 |", "| a | 0.00 % | 10 | 1 | – | 0 | 1 | 0 |",
        ] {
            #expect(report.contains("\n\(line) "), "\(line)")
        }
        #expect(RecordedText.differences(of: report, from: "Reports/compare-self-test.md") == [])
    }
}
