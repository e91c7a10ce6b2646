import Testing

@testable import CacheTiers

@Suite("Reader gates") struct ReaderGateTests {
    @Test("a gate that was never opened stays so in a forked child, and lets writers in") func newGate() {
        let gate = Gate()
        gate.close()
        #expect(gate.isNew)
        gate.resetInChild()
        #expect(gate.isNew && gate.isFree && !gate.tryEnter())
        gate.openFirst()
        #expect(!gate.isNew && gate.isFree && gate.tryEnter())
        gate.leave()
        gate.close()
        #expect(!gate.tryEnter())
        gate.resetInChild()
        #expect(gate.tryEnter())
    }

    /// A gate for `#expect`, which wants a value that can be copied.
    private final class Gate: Sendable {
        private let gate = ReaderGate()

        var isNew: Bool { gate.isNew }
        var isFree: Bool { gate.isFree() }
        func tryEnter() -> Bool { gate.tryEnter() }
        func leave() { gate.leave() }
        func close() { gate.close() }
        func openFirst() { gate.openFirst() }
        func resetInChild() { gate.resetInChild() }
    }
}
