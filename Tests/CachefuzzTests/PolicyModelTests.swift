import GaugeTraces
import Testing

@testable import cachefuzz

@Suite("Simulated policies against their models") struct PolicyModelTests {
    @Test(
        "every policy has the hits and the usage of its model, at many capacities, with sizes that change",
        arguments: PolicyKind.all.map(\.name))
    func randomOperations(name: String) throws {
        let kind = try #require(PolicyKind.all.first { $0.name == name })
        let model = try #require(policyModels[name], "\(name) has no model")
        for capacity in [0, 1, 20, 64, 150, 400, 700, 1000] {
            var state = UInt64(capacity)
            let bytes = (0..<6_000).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            var script = PolicyScript(kind.type, model, capacity: capacity)
            let difference = bytes.withUnsafeBytes { script.run($0) }
            #expect(difference == nil, "capacity \(capacity)")
        }
    }

    @Test("the names of the policies are different, and each has a summary of a line") func names() {
        #expect(Set(PolicyKind.all.map(\.name)).count == PolicyKind.all.count)
        for kind in PolicyKind.all {
            #expect(!kind.summary.isEmpty && kind.summary.utf8.count <= 90 && !kind.summary.contains("\n"))
        }
    }
}
