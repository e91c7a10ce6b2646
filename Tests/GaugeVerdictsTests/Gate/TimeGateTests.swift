import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport
@testable import GaugeVerdicts

/// The gate with real workers.
@Suite("Gate on times")
struct TimeGateTests {
    private func gate(_ scratch: ScratchDirectory) throws -> TimeGate {
        let planted = RunningChild.path(of: "PlantedGauge")
        return TimeGate(
            VariantExecutables(base: planted, padded: nil, current: planted), settings: RunSettings(),
            directory: try TemporaryDirectory(in: scratch.path), interruption: nil)
    }

    @Test("a benchmark that cannot be measured says which variant failed and why")
    func failures() throws {
        let scratch = try ScratchDirectory()
        let rows = try gate(scratch).run(
            [
                "planted/crash-subject/tiered", "planted/lie-subject/tiered",
                "planted/refuse-subject/tiered", "no/such/benchmark",
            ], seconds: 60)
        #expect(rows[0].failure == "the base crashed (SIGSEGV)")
        #expect(rows[1].failure?.contains("wrong answers") == true)
        // The variant that was prepared first.
        #expect(
            TimeVariant.allCases.contains { rows[2].failure == "\($0.title) failed: no such library; install it" })
        #expect(rows[3].failure?.contains("there is no benchmark 'no/such/benchmark'") == true)
        #expect(rows.allSatisfy { $0.judgement.verdict == .inconclusive && !$0.isOpen })
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
