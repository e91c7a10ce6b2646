import HTTPCache
import Synchronization
import Testing
import VirtualOrigin

@Suite struct AutoResetEventTests {
    @Test("each setting wakes one wait, be it before or after it", arguments: [true, false])
    func once(isEarly: Bool) {
        let executor = SteppedExecutor()
        let event = AutoResetEvent()
        if isEarly { for _ in 0..<2 { event.set() } }
        let first = executor.start { await event.wait() }
        executor.drain()
        if !isEarly {
            #expect(first.result == nil)
            event.set()
            executor.drain()
        }
        #expect(first.result != nil)
        let second = executor.start { await event.wait() }
        executor.drain()
        #expect(second.result == nil)
        second.cancel()
        executor.drain()
        #expect(second.result != nil)
    }

    @Test("no setting is lost between two tasks that wake each other", .timeLimit(.minutes(60)))
    func turns() async {
        let (ping, pong) = (AutoResetEvent(), AutoResetEvent())
        let turns = Atomic<Int>(0)
        // Beside other tests, each turn waits for those that hold the pool.
        let count = 300
        async let echo: Void = {
            for _ in 0..<count {
                await ping.wait()
                turns.add(1, ordering: .relaxed)
                pong.set()
            }
        }()
        for turn in 1...count {
            ping.set()
            await pong.wait()
            // Otherwise a wait has returned without a setting.
            #expect(turns.load(ordering: .relaxed) == turn)
        }
        await echo
    }
}
