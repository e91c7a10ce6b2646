import Platform
import Testing
import VirtualOrigin

@testable import HTTPCache

@Suite struct DeadlinesTests {
    private let clock = VirtualClock(seconds: 0)

    @Test("one sleep is under way for all deadlines, the one until the earliest, and each is called when it is due")
    func sleeps() {
        let counting = CountingClock(clock)
        let executor = SteppedExecutor()
        let deadlines = Deadlines(clock: counting, executor: executor)
        let waits = [10.0, 5, 20, 12].map { deadline in
            executor.start { await deadlines.wait(for: AutoResetEvent(), until: deadline) }
        }
        executor.drain()
        for (step, over) in [(4, 0), (1, 1), (4, 1), (1, 2), (1, 2), (1, 3), (7, 3), (1, 4)] as [(Int64, Int)] {
            clock.advance(by: step)
            executor.drain()
            #expect(waits.count { $0.result != nil } == over)
        }
        // Until 10 and until 5; then until 10, 12 and 20 again.
        #expect(counting.sleeps.withLock { $0 } == [10, 5, 5, 2, 8])
    }

    @Test("a sleep ends when an earlier one takes its place, and when the engine has gone and nobody waits")
    func endedSleeps() {
        let counting = CountingClock(clock)
        let executor = SteppedExecutor()
        let deadlines = Deadlines(clock: counting, executor: executor)
        var underWay: Int { counting.sleeps.withLock { $0.count } - counting.ended.withLock { $0 } }
        for round in 0..<5 {
            let now = Double(round)
            let events = [1e6, now + 1].map { deadline in
                let event = AutoResetEvent()
                _ = executor.start { await deadlines.wait(for: event, until: deadline) }
                return event
            }
            executor.drain()
            #expect(underWay == 1)
            clock.advance(by: 1)
            executor.drain()
            for event in events { event.set() }
            executor.drain()
            #expect(underWay == 1)
        }
        let last = AutoResetEvent()
        let wait = executor.start { await deadlines.wait(for: last, until: 10) }
        deadlines.end()
        executor.drain()
        #expect(wait.result == nil && underWay == 1)
        last.set()
        executor.drain()
        #expect(wait.result != nil && underWay == 0)
    }

    @Test("a deadline does not hold on to a wait that is over") func release() async {
        let deadlines = Deadlines(clock: clock, executor: nil)
        weak var held: AutoResetEvent?
        do {
            let event = AutoResetEvent()
            held = event
            event.set()
            await deadlines.wait(for: event, until: 100)
        }
        #expect(held == nil)
    }
}

/// A clock that notes for how long it is slept on.
private final class CountingClock: CacheClock {
    let sleeps = Locked<[Double]>([])
    let ended = Locked(0)
    private let clock: VirtualClock

    init(_ clock: VirtualClock) { self.clock = clock }

    var now: CacheTime { clock.now }
    var uptime: Double { clock.uptime }

    func sleep(seconds: Double) async throws {
        sleeps.withLock { $0.append(seconds) }
        defer { ended.withLock { $0 += 1 } }
        try await clock.sleep(seconds: seconds)
    }
}
