import Testing

@testable import GaugeMeasurement

@Suite("Sets of processes")
struct CaseSetTests {
    @Test("the order in a set follows from the name of the set and the seed of the run")
    func seeds() {
        func seed(_ name: String, _ run: UInt64) -> UInt64 { CaseSet.seed(of: name, in: RunSettings(seed: run)) }
        let names = ["1", "2", "12", "21", "case-1"]
        let runs: [UInt64] = [0, 1, 7, .max]
        for run in runs { #expect(Set(names.map { seed($0, run) }).count == names.count) }
        for name in names { #expect(Set(runs.map { seed(name, $0) }).count == runs.count) }
        #expect(seed("case-1", 7) == seed("case-1", 7))
    }

    @Test("slices take half as long as preparing did, shared by the benchmarks, from 6 to 48 each")
    func slices() {
        for (seconds, benchmarks, slices) in [
            (0, 1, 6), (0.055, 1, 6), (0.08, 1, 10), (0.16, 2, 10), (0.2, 1, 25), (0.2, 5, 6), (0.38, 1, 47),
            (0.384, 1, 48), (0.8, 2, 48), (3_600, 1, 48), (0.16, 0, 20),
        ] as [(Double, Int, Int)] {
            #expect(
                CaseSet.slices(preparing: seconds, benchmarks: benchmarks) == slices, "\(seconds) s, \(benchmarks)")
        }
    }
}
