import CacheTiers
import TestSupport
import Testing

@testable import cachefuzz

@Suite("Memory tier against its model") struct MemoryTierModelTests {
    static let operations = nightly(1_000_000, else: 250_000)

    @Test(
        "the same hits, victims and usage after every one of many random operations",
        arguments: EvictionPolicy.allCases, [1, 2, 3, 4] as [UInt64])
    func randomOperations(policy: EvictionPolicy, seed: UInt64) throws {
        var state = seed
        let bytes = (0..<Self.operations / 8 * 3).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        var script = try MemoryTierScript(policy: policy, stripes: Int(seed))
        let difference = bytes.withUnsafeBytes { script.run($0) }
        #expect(difference == nil, "\(policy), seed \(seed)")
    }
}
