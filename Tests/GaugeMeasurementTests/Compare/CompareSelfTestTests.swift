import Foundation
import GaugeMeasurement
import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Self-test of compare") struct CompareSelfTestTests {
    private static func attempt(
        _ kind: CompareSelfTest.Kind, isB: Bool, change: Double, reach: Double, sets: Int = 20, stolen: Double? = nil
    ) -> CompareSelfTest.Try {
        CompareSelfTest.Try(
            benchmark: "a/b/c", kind: kind, isB: isB,
            verdict: JudgingRule.verdict(of: (change - reach)...(change + reach), delta: 0.005), change: change,
            low: change - reach, high: change + reach, sets: sets, stolen: stolen)
    }

    private static let planted = CompareSelfTest.Kind(planted: 0.02, seconds: 1)
    private static let equal = CompareSelfTest.Kind(planted: 0, seconds: 1)

    @Test(
        "a try is called when it names the side with the planted work, and wrong when it names the other, or any of equals"
    )
    func table() throws {
        let tries = [
            Self.attempt(Self.planted, isB: true, change: 0.02, reach: 0.01),
            Self.attempt(Self.planted, isB: false, change: -0.02, reach: 0.01, sets: 30),
            Self.attempt(Self.planted, isB: false, change: 0.02, reach: 0.01, sets: 12),
            Self.attempt(Self.planted, isB: true, change: 0.01, reach: 0.03),
            Self.attempt(Self.equal, isB: true, change: 0, reach: 0.004, stolen: 0.25),
            Self.attempt(Self.equal, isB: true, change: 0.02, reach: 0.01),
            Self.attempt(Self.equal, isB: false, change: 0.02, reach: 0.01),
        ]
        #expect(tries.map(\.isCalled) == [true, true, false, false, false, true, false])
        #expect(tries.map(\.isReversed) == [false, false, true, false, false, false, true])
        let lines = CompareSelfTestReport(tries, delta: 0.005).markdown.split(separator: "\n").map(String.init)
        #expect(lines.contains("| a/b/c | 0.00 % | 1 | 3 | – | 2 | 1 | 0 | 1.0 % | 20 |"), "\(lines)")
        #expect(lines.contains("| a/b/c | +2.0 % | 1 | 4 | 2 | 1 | 0 | 1 | 1.0 % | 20 |"), "\(lines)")
        #expect(lines.contains("Equivalent is within 0.50 %."))
        // The change of the side with the planted work: that of A is the other way round.
        #expect(CompareSelfTestReport.cells(tries[1])[3...6] == ["called", "+2.0 %", "+1.0 % to +3.0 %", "30"])
        #expect(CompareSelfTestReport.cells(tries[2])[3...5] == ["wrong", "-2.0 %", "-3.0 % to -1.0 %"])
        #expect(CompareSelfTestReport.cells(tries[3])[3] == "inconclusive")
        #expect(CompareSelfTestReport.cells(tries[4])[3] == "equivalent")
        #expect(CompareSelfTestReport.cells(tries[4])[7...] == ["25.0 %", "–"])
        #expect(CompareSelfTestReport.cells(tries[5])[3] == "wrong")
    }

    @Test("a plan has each kind for each benchmark, planted on either side by turns, and twice as many without")
    func plan() throws {
        let directory = try TemporaryDirectory(in: nil)
        defer { directory.remove() }
        let experiment = Experiment(settings: RunSettings(), directory: directory, interruption: nil)
        let plan = CompareSelfTest(benchmarks: ["x", "y"], tries: 4, delta: 0.005, experiment: experiment).plan
        for name in ["x", "y"] {
            for kind in CompareSelfTest.kinds {
                let these = plan.filter { $0.benchmark == name && $0.kind == kind }
                #expect(these.count == (kind.planted > 0 ? 4 : 8))
                #expect(these.count { $0.isB } * 2 == these.count, "\(kind)")
            }
        }
        #expect(plan.count == 2 * (4 + 4 + 8 + 8))
        let selfTest = CompareSelfTest(benchmarks: ["x"], tries: 1, delta: 0.005, experiment: experiment)
        for isB in [false, true] {
            let arms = selfTest.arms(benchmark: "x", kind: Self.planted, isB: isB)
            #expect(arms.map(\.title) == ["A", "B"] && arms.map(\.benchmark) == ["x", "x"])
            #expect(arms.map(\.extraWork) == (isB ? [0, 0.02] : [0.02, 0]))
        }
    }
}
