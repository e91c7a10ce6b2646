import Testing

@testable import CurlTransport

@Suite struct ExchangeDeadlineTests {
    private static let second = 1_000_000_000 as UInt64

    @Test("the idle time counts from the last byte, and the whole time from the beginning") func moments() {
        var deadline = ExchangeDeadline(whole: 10, idle: 2, now: 100 * Self.second)
        #expect(deadline.moment == 102 * Self.second)
        deadline.progress(now: 105 * Self.second)
        #expect(deadline.moment == 107 * Self.second)
        deadline.progress(now: 109 * Self.second)
        #expect(deadline.moment == 110 * Self.second, "the whole time comes first")
    }

    @Test("the whole time counts from the beginning of the request, before which other exchanges may have been")
    func began() {
        let deadline = ExchangeDeadline(whole: 10, idle: 2, began: 93 * Self.second, now: 100 * Self.second)
        #expect(deadline.moment == 102 * Self.second)
        let late = ExchangeDeadline(whole: 10, idle: 2, began: 91 * Self.second, now: 100 * Self.second)
        #expect(late.moment == 101 * Self.second)
        #expect(late.reason(now: 101 * Self.second).contains("timeoutIntervalForResource"))
    }

    @Test("an exchange that waits for its reader is not idle, and is again when it goes on") func waiting() {
        var deadline = ExchangeDeadline(whole: 10, idle: 2, now: 0)
        deadline.isWaiting = true
        #expect(deadline.moment == 10 * Self.second)
        deadline.isWaiting = false
        deadline.progress(now: 3 * Self.second)
        #expect(deadline.moment == 5 * Self.second)
    }

    @Test("the reason names the time that was over, and its setting") func reasons() {
        let deadline = ExchangeDeadline(whole: 10, idle: 2, now: 0)
        #expect(deadline.reason(now: 2 * Self.second) == "nothing came for 2.0 s; raise the request's timeoutInterval")
        let whole = "the request took longer than 10.0 s; raise timeoutIntervalForResource"
        #expect(deadline.reason(now: 10 * Self.second) == whole)
    }

    @Test("what is endless or no number is a hundred years, and less than nothing is nothing") func odd() {
        for seconds in [Double.infinity, .nan, 1e300] {
            #expect(ExchangeDeadline(whole: seconds, idle: nil, now: 0).moment == 3_155_760_000 * Self.second)
        }
        #expect(ExchangeDeadline(whole: 5, idle: -1, now: 7).moment == 7)
    }
}
