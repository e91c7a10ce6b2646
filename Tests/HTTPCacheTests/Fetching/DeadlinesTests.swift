import Platform
import Testing
import VirtualOrigin

@testable import HTTPCache

@Suite struct DeadlinesTests {
    private let clock = VirtualClock(seconds: 0)

    @Test("a deadline does not hold on to a wait that is over")
    func release() async {
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
