import Testing

@testable import CurlTransport

@Suite struct ExchangeDeadlineTests {
    private static let second = 1_000_000_000 as UInt64

    @Test("the idle time counts from the last byte") func moments() {
        var deadline = ExchangeDeadline(idle: 2, now: 100 * Self.second)
        #expect(deadline.moment == 102 * Self.second)
        deadline.progress(now: 105 * Self.second)
        #expect(deadline.moment == 107 * Self.second)
        #expect(deadline.reason == "nothing came for 2.0 s; raise the request's timeoutInterval")
    }

    @Test("an exchange that waits for its reader is not idle, and is again when it goes on") func waiting() {
        var deadline = ExchangeDeadline(idle: 2, now: 0)
        deadline.isWaiting = true
        #expect(deadline.moment == .max)
        deadline.isWaiting = false
        deadline.progress(now: 3 * Self.second)
        #expect(deadline.moment == 5 * Self.second)
    }

    @Test("time in which the request was suspended does not count") func suspended() {
        var deadline = ExchangeDeadline(idle: 2, now: 100 * Self.second)
        deadline.count(seconds: .infinity, now: 101 * Self.second)
        #expect(deadline.moment == 102 * Self.second)
        deadline.count(seconds: 0.5, now: 102 * Self.second)
        #expect(deadline.moment == 103 * Self.second + Self.second / 2)
        deadline.count(seconds: 0, now: 110 * Self.second)
        #expect(deadline.moment == 112 * Self.second)
    }

    @Test("what is endless or no number is a hundred years, and less than nothing is nothing") func odd() {
        for seconds in [Double.infinity, .nan, 1e300] {
            #expect(ExchangeDeadline(idle: seconds, now: 0).moment == 3_155_760_000 * Self.second)
        }
        #expect(ExchangeDeadline(idle: -1, now: 7).moment == 7 && ExchangeDeadline(idle: nil, now: 7).moment == .max)
    }
}
