import Platform
import Testing

@Suite struct LockedTests {
    @Test("Threads that add to one locked value lose no addition") func noAdditionIsLost() async {
        final class Shared: Sendable { let sum = Locked(0) }
        let shared = Shared()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { shared.sum.withLock { $0 += 1 } } }
            }
        }
        #expect(shared.sum.withLock { $0 } == 8_000)
    }

    @Test("An error thrown inside leaves the lock free") func errorLeavesTheLockFree() {
        struct Refused: Error {}
        let value = Locked(1)
        #expect(throws: Refused.self) { try value.withLock { _ throws(Refused) in throw Refused() } }
        #expect(value.withLock { $0 } == 1)
    }

    @Test("The value is released with its lock") func valueIsReleased() {
        final class Token: Sendable {}
        weak var watched: Token?
        do {
            let locked = Locked(Token())
            watched = locked.withLock { $0 }
            #expect(watched != nil)
        }
        #expect(watched == nil)
    }
}
