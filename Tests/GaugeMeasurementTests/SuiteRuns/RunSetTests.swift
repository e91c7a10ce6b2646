import Testing

@testable import GaugeMeasurement

@Suite("Sets of processes of a run") struct RunSetTests {
    @Test("the order in a set follows from the name of the set and the seed of the run") func seeds() {
        func seed(_ name: String, _ run: UInt64) -> UInt64 { SuiteRun.seed(of: name, in: RunSettings(seed: run)) }
        let names = ["1", "2", "12", "21", "case-1"]
        let runs: [UInt64] = [0, 1, 7, .max]
        for run in runs { #expect(Set(names.map { seed($0, run) }).count == names.count) }
        for name in names { #expect(Set(runs.map { seed(name, $0) }).count == runs.count) }
        #expect(seed("case-1", 7) == seed("case-1", 7))
    }

    @Test("slices take half as long as preparing did, shared by the benchmarks, from 6 to 48 each") func slices() {
        for (seconds, benchmarks, slices) in [
            (0, 1, 6), (0.055, 1, 6), (0.08, 1, 10), (0.16, 2, 10), (0.2, 1, 25), (0.2, 5, 6), (0.38, 1, 47),
            (0.384, 1, 48), (0.8, 2, 48), (3_600, 1, 48), (0.16, 0, 20),
        ] as [(Double, Int, Int)] {
            let plan = SetPlan.run(preparing: seconds, arms: benchmarks)
            #expect(plan.length == .shares(slices) && plan.slice == 4, "\(seconds) s, \(benchmarks)")
            #expect(!plan.isComplete(rows: slices - 1, seconds: 60, isTimed: false))
            #expect(plan.isComplete(rows: slices, seconds: 0, isTimed: true) && plan.share == 4 * Double(slices))
        }
    }

    @Test("the number of slices can be given, and slices of a run by time are long and fill it") func given() {
        #expect(SetPlan.run(samples: 2, preparing: 60, arms: 1).length == .shares(2))
        for (seconds, arms, slices) in [(1.2, 2, 6), (0.01, 2, 1), (3, 0, 30)] as [(Double, Int, Int)] {
            let plan = SetPlan.run(samples: 5, seconds: seconds, preparing: 60, arms: arms)
            #expect((plan.length, plan.slice) == (.shares(slices), 100), "\(seconds) s, \(arms)")
        }
    }
}
