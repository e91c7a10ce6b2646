import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeVerdicts

/// The gate with real workers.
@Suite("Gate on times")
struct TimeGateTests {
    private func gate(_ scratch: ScratchDirectory, timeOut: Double = 10) throws -> TimeGate {
        let planted = RunningChild.path(of: "PlantedGauge")
        return TimeGate(
            VariantExecutables(base: planted, padded: nil, current: planted), settings: RunSettings(timeOut: timeOut),
            directory: try TemporaryDirectory(in: scratch.path), interruption: nil)
    }

    @Test("a benchmark that cannot be measured says why, and blames the current build if it fails alone as well")
    func failures() throws {
        let scratch = try ScratchDirectory()
        let rows = try gate(scratch).run(
            [
                "planted/crash-subject/tiered", "planted/lie-subject/tiered",
                "planted/refuse-subject/tiered", "no/such/benchmark",
            ], seconds: 60)
        #expect(rows[0].failure == "the current build crashed (SIGSEGV)")
        #expect(rows[1].failure?.contains("wrong answers") == true)
        #expect(rows[2].failure == "the current build failed: no such library; install it")
        #expect(rows.map { $0.buildFailure?.hasWrongAnswers } == [false, true, false, false])
        #expect(rows[3].failure?.contains("there is no benchmark 'no/such/benchmark'") == true)
        #expect(rows.allSatisfy { $0.judgement.verdict == .inconclusive && !$0.isOpen })
    }

    @Test("a benchmark that times out in both builds is not blamed on the current one")
    func slow() throws {
        let scratch = try ScratchDirectory()
        let rows = try gate(scratch, timeOut: 1).run(["planted/hang-subject/tiered"], seconds: 60)
        #expect(rows[0].failure?.hasSuffix(" timed out") == true && rows[0].buildFailure == nil)
    }

    @Test("single operations are timed in further slices, unless all slices have timed them")
    func tailSlices() {
        #expect(TimeGate.tailSlices(isTimed: true) == 0)
        #expect(TimeGate.tailSlices(isTimed: false) == TailTimes.slices)
    }

    @Test("single operations are timed where each build can, and never those of several threads")
    func tailObstacle() {
        func prepared(_ kind: PreparedReport.Kind, _ timesEach: Bool?) -> PreparedReport {
            var report = PreparedReport(kind: kind, threads: 1, outcome: .computed)
            report.timesEach = timesEach
            return report
        }
        let able = [prepared(.batched, true)] + [nil, false, true].map { prepared(.timed, $0) }
        #expect(TimeGate.tailObstacle(able) == nil && TimeGate.tailObstacle([]) == nil)
        for report in able { #expect(TimeGate.tailObstacle([report]) == nil) }
        for other in [nil, false] {
            let reason = TimeGate.tailObstacle(able + [prepared(.batched, other)])
            #expect(reason == "one of the builds is too old to time operations one by one")
        }
        for other in [nil, true] {
            let reason = TimeGate.tailObstacle(able + [prepared(.threaded, other), prepared(.batched, nil)])
            #expect(reason == "operations on several threads are not timed one by one")
        }
    }

    @Test("the length of a slice is no limit of the time in which its worker has to answer")
    func timeOut() throws {
        let scratch = try ScratchDirectory()
        let worker = try VariantWorker(
            "base", executable: RunningChild.path(of: "PlantedGauge"),
            arguments: WorkerArguments.make(
                benchmark: "planted/honest-subject/tiered", settings: RunSettings(), directory: scratch.path),
            processor: nil, timeOut: 600, interruption: nil)
        defer { worker.end() }
        try worker.beginPreparing()
        try worker.finishPreparing()
        try worker.calibrate(milliseconds: 0)
        #expect(try worker.slice(milliseconds: 0) > 0)
        #expect(try worker.operations(milliseconds: 0).count > 0)
    }

    @Test("without time nothing is measured, and nothing is said")
    func noTime() throws {
        let scratch = try ScratchDirectory()
        let rows = try gate(scratch).run(["planted/honest-subject/tiered"], seconds: 0)
        #expect(rows[0].judgement.doubt == .fewSets)
    }

    @Test("planted work is that of the current build, and each benchmark is judged by two figures")
    func planted() throws {
        let scratch = try ScratchDirectory()
        var gate = try gate(scratch)
        gate.extraWork = ["a/b/c": 0.03]
        let parts = TimeVariant.allCases.map { gate.settings(of: $0, benchmark: "a/b/c").extraWork }
        #expect(parts == [0, 0, 0, 0.03])
        #expect(TimeVariant.allCases.allSatisfy { gate.settings(of: $0, benchmark: "a/b/d").extraWork == 0 })
        #expect(TimeGate.plan(for: ["a/b/c", "a/b/d", "a/b/e"]) == LookPlan(benchmarks: 3, figures: 2))
    }
}
