import Platform
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// Experiments with real workers.
@Suite("Experiments") struct ExperimentTests {
    private func rows(
        _ scratch: ScratchDirectory, _ names: [String], timeOut: Double = 10, seconds: Double = 60
    ) throws -> [ExperimentRow] {
        let planted = RunningChild.path(of: "PlantedGauge")
        let experiment = Experiment(
            settings: RunSettings(timeOut: timeOut), directory: try TemporaryDirectory(in: scratch.path),
            interruption: nil)
        let arms = GateArms(base: planted, current: planted)
        var rows = names.map { ExperimentRow($0, plan: LookPlan(benchmarks: names.count), delta: 0.01) }
        try experiment.run(&rows, arms: { arms.arms(of: $0) }, seconds: seconds)
        return rows
    }

    @Test("a benchmark that cannot be measured says why, and blames the current build if it fails alone as well")
    func failures() throws {
        let scratch = try ScratchDirectory()
        let rows = try rows(
            scratch,
            [
                "planted/crash-subject/tiered", "planted/lie-subject/tiered",
                "planted/refuse-subject/tiered", "no/such/benchmark",
            ])
        #expect(rows[0].failure == "the current build crashed (SIGSEGV)")
        #expect(rows[1].failure?.contains("wrong answers") == true)
        #expect(rows[2].failure == "the current build failed: no such library; install it")
        #expect(rows.map { $0.buildFailure?.hasWrongAnswers } == [false, true, false, false])
        #expect(rows[3].failure?.contains("there is no benchmark 'no/such/benchmark'") == true)
        #expect(rows.allSatisfy { $0.judgement.time.verdict == .inconclusive && !$0.isOpen })
    }

    @Test("a benchmark that times out in both builds is not blamed on the current one") func slow() throws {
        let scratch = try ScratchDirectory()
        let rows = try rows(scratch, ["planted/hang-subject/tiered"], timeOut: 1)
        #expect(rows[0].failure?.hasSuffix(" timed out") == true && rows[0].buildFailure == nil)
    }

    @Test("without time nothing is measured, and nothing is said") func noTime() throws {
        let scratch = try ScratchDirectory()
        let rows = try rows(scratch, ["planted/honest-subject/tiered"], seconds: 0)
        #expect(rows[0].judgement.time.doubt == .fewSets)
    }

    @Test("a set of two arms has times, a course and percentiles of both, and wrong answers of peers are counted")
    func set() throws {
        let scratch = try ScratchDirectory()
        let planted = RunningChild.path(of: "PlantedGauge")
        var random = Xoshiro256(seed: 1)
        let names = ["planted/honest-subject/tiered", "planted/honest-subject/tiered"]
        let armSet = try ArmSet(
            comparing: names.map { Arm(title: "A", executable: planted, benchmark: $0, isPeer: true) },
            settings: RunSettings(timeOut: 600), in: try TemporaryDirectory(in: scratch.path), processor: nil,
            interruption: nil)
        defer { armSet.end() }
        try ArmSet.prepare([armSet], &random)
        let plan = SetPlan(slice: 0, timedSlice: 0, length: .rows(3, timed: 3, least: 3, seconds: 60), mostStretch: 1)
        try armSet.measure(plan, &random)
        let set = armSet.record()
        #expect(set.arms.map(\.times.count) == [3, 3] && set.arms.allSatisfy { $0.wrong == 0 })
        #expect(set.arms.allSatisfy { ($0.course?.operations ?? 0) > 0 })
        #expect(SetChanges(set) != nil)
    }

    @Test("a benchmark with threads is measured on all processors, and others share one") func threads() throws {
        let scratch = try ScratchDirectory()
        let planted = RunningChild.path(of: "PlantedGauge")
        let experiment = Experiment(
            settings: RunSettings(timeOut: 600), directory: try TemporaryDirectory(in: scratch.path), interruption: nil)
        for (name, isThreaded) in [("planted/threads/2/tiered", true), ("planted/honest-subject/tiered", false)] {
            let arms = ["A", "B"].map { Arm(title: $0, executable: planted, benchmark: name) }
            // The sets that a verdict needs.
            let sets = try experiment.run(arms, seconds: 0.1).sets
            #expect(sets.count >= 4 && sets.allSatisfy { $0.arms.count == 2 }, "\(name)")
            let isBound = !isThreaded && !ProcessorBinding.allowed.isEmpty
            #expect(sets.allSatisfy { $0.isBound == isBound }, "\(name)")
        }
    }

    @Test("a round is begun that ends in time if it is as long as the longest, and any that a verdict needs")
    func rounds() {
        for (sets, spent, longest, goesOn) in [
            (0, 0.0, 0.0, true), (3, 100, 50, true), (4, 5, 4.9, true), (4, 5, 5, false),
            (4, 9.9, 0.2, false), (4, 9.9, 0.05, true), (1_000, 1, 1, true), (1_000, 10, 0, false),
        ] {
            #expect(
                Experiment.goesOn(sets: sets, spent: spent, longest: longest, of: 10) == goesOn,
                "\(sets) sets, \(spent) s, longest \(longest) s")
        }
    }

    @Test("a gate has four arms, of which the current build alone has planted work, and the padded base its own stack")
    func arms() {
        let padded = GateArms(base: "/base", padded: "/padded", current: "/current").arms(of: "a/b/c", extraWork: 0.03)
        #expect(padded.map(\.executable) == ["/base", "/base", "/padded", "/current"])
        #expect(padded.map(\.extraWork) == [0, 0, 0, 0.03] && padded.allSatisfy { $0.benchmark == "a/b/c" })
        #expect(padded.map(\.stackPadding) == [0, 0, GateArms.stackPadding, 0])
        #expect(
            padded.map(\.title) == ["the base", "the base against itself", "the padded base", "the current build"])
        let plain = GateArms(base: "/base", current: "/current").arms(of: "a/b/c")
        #expect(plain.map(\.executable) == ["/base", "/base", "/base", "/current"])
    }

    @Test("operations are not timed one by one on several threads") func obstacles() {
        func obstacle(_ kinds: PreparedReply.Kind...) -> String? {
            ArmSet.tailObstacle(kinds.map { PreparedReply(kind: $0, threads: 1, outcome: .memoryHit) })
        }
        #expect(obstacle(.batched, .batched) == nil && obstacle(.timed, .batched) == nil && obstacle() == nil)
        #expect(obstacle(.batched, .threaded) == "operations on several threads are not timed one by one")
    }
}
