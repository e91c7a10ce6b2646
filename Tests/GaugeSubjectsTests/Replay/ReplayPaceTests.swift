import Testing

@testable import GaugeSubjects
@testable import GaugeTraces

@Suite("Pace of a replay")
struct ReplayPaceTests {
    private func due(_ pace: ReplayPace, _ times: [Double?]) -> [Double?] {
        var pace = pace
        return times.map { pace.due(TraceRequest(id: 1, size: 1, time: $0)) }
    }

    @Test("at the times of the trace, a request is due so many times sooner after the first") func traceTimes() {
        let times: [Double?] = [100, 100.5, 104, 102, nil, 110]
        // A request out of order, or without a time, is due with the one before.
        #expect(due(.traceTimes(speedup: 1), times) == [0, 5e8, 4e9, 4e9, 4e9, 1e10])
        #expect(due(.traceTimes(speedup: 4), times) == [0, 1.25e8, 1e9, 1e9, 1e9, 2.5e9])
        #expect(due(.traceTimes(speedup: 0.5), [3, 4]) == [0, 2e9])
        #expect(due(.traceTimes(speedup: 1), [0, 1e300]) == [0, 3e18])
    }

    @Test("at a rate, and in a closed loop, the trace says nothing") func others() {
        #expect(due(.evenly(rate: 5), [1, 2]) == [nil, nil] && due(.closedLoop, [1]) == [nil])
        #expect(ReplayPace.evenly(rate: 5).rate == 5 && ReplayPace.closedLoop.rate == nil)
        #expect(ReplayPace.evenly(rate: 5).isOpen && ReplayPace.traceTimes(speedup: 1).isOpen)
        #expect(!ReplayPace.closedLoop.isOpen)
    }
}
