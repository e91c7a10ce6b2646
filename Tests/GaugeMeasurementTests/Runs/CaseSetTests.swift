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
}
