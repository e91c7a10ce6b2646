import TestSupport
import Testing

@testable import GaugeKit

@Suite("Order of eviction") struct EvictionOrderTests {
    @Test(
        "it is one if the entries that are left are those stored last, or first, however many",
        arguments: [
            (Array(30..<60), true), ([59], true), (Array(0..<60), true), ([], false), (Array(30..<59), false),
            ([29] + Array(31..<60), false), ([0], true), ([58], false),
            (Array(0..<30), true), (Array(1..<31), false), ([0, 59], false),
        ])
    func order(left: [Int], isOne: Bool) throws {
        let scratch = try ScratchDirectory()
        let script = Script()
        let requests = Set(left.map { Trial.many($0) })
        script.answer = { requests.contains($0) ? $2 : nil }
        try Script.$current.withValue(script) {
            let trial = Trial(ScriptedSubject.self, parent: scratch.path) { _ in }
            let found = try EvictionOrder.isOne(trial)
            #expect(found == isOne)
        }
        // Twice as much as fits.
        #expect(script.capacities == [[150_000, 0]] && script.entries.values.reduce(0) { $0 + $1.count } == 300_000)
    }
}
