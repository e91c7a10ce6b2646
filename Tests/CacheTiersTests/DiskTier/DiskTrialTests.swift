import DiskSimulation
import Testing

@Suite struct DiskTrialTests {
    /// Bytes that follow from a seed.
    static func program(_ seed: Int, count: Int) -> [UInt8] {
        var state = scrambled(UInt64(seed))
        return (0..<count).map { _ in
            state = scrambled(state)
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    @Test("random operations keep every promise", arguments: [DiskTrial.Scope.operations, .faults])
    func randomOperationsKeepEveryPromise(_ scope: DiskTrial.Scope) {
        for seed in 0..<150 {
            let broken = Self.program(seed, count: 641).withUnsafeBytes { DiskTrial.run($0, scope) }
            #expect(broken == nil, "seed \(seed)")
        }
    }
}
