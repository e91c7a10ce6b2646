import Platform
import Testing
import VirtualOrigin

@testable import HTTPCache

@Suite struct DeadlinesTests {
    private let clock = VirtualClock(seconds: 0)

    @Test("a deadline does not hold on to a wait that is over")
    func release() async {
        let deadlines = Deadlines(clock: clock, executor: nil)
        weak var held: OneShot<Int>?
        do {
            let oneShot = OneShot<Int>()
            held = oneShot
            oneShot.provide(1)
            #expect(await deadlines.wait(for: oneShot, seconds: 100, expired: 0, cancelled: 2) == 1)
        }
        #expect(held == nil)
    }
}
