import TestSupport
import Testing

@Suite struct ReleasedMemoryTests {
    @Test(
        "a tier that is gone leaves nothing on the heap, whatever was done with it", arguments: ["memory", "disk"],
        ["lru", "gdsf"])
    func released(tier: String, policy: String) throws {
        let count = nightly(500, else: 150)
        let run = try ChildRun("HeapCycles", [tier, policy, "\(count)"])
        let growth = try #require(Int(run.output.filter { !$0.isNewline }), "\(run.output)\(run.errors)")
        // The C library keeps some tens of kilobytes of what was freed, which count as used, however many cycles there
        // are.
        #expect(growth < 128 << 10, "\(growth) bytes in \(count) cycles")
    }
}
