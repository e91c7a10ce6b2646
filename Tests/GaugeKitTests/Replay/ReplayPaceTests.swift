import Testing

@testable import GaugeKit
@testable import GaugeTraces

@Suite("Pace of a replay") struct ReplayPaceTests {
    private func due(_ speedup: Double, _ trace: [Double?]) -> (moments: [Double], cut: CutPauses) {
        var times = TraceTimes(speedup: speedup)
        return (trace.map { times.due(TraceRequest(id: 1, size: 1, time: $0)) }, times.cut)
    }

    @Test("at the times of the trace, a request is due so many times sooner after the first") func traceTimes() {
        let times: [Double?] = [100, 100.5, 104, 102, nil, 110]
        // A request out of order, or without a time, is due with the one before.
        #expect(due(1, times).moments == [0, 5e8, 4e9, 4e9, 4e9, 1e10])
        #expect(due(4, times).moments == [0, 1.25e8, 1e9, 1e9, 1e9, 2.5e9])
        #expect(due(0.5, [3, 4]).moments == [0, 2e9])
        #expect(due(1, [nil, 7, nil]).moments == [0, 0, 0])
        #expect(due(1, times).cut == CutPauses())
    }

    @Test("a pause of more than 60 s at the speed of the replay is cut to 60 s, and counted") func pauses() {
        #expect(due(1, [0, 60, 121, 122]).moments == [0, 60e9, 120e9, 121e9])
        let (moments, cut) = due(2, [0, 100, 240, 240, 1e9])
        #expect(moments == [0, 50e9, 110e9, 110e9, 170e9])
        #expect(cut.count == 2 && cut.seconds == 10 + (1e9 - 240) / 2 - 60)
        #expect(due(0.001, [0, 1e300]).moments == [0, 60e9])
    }

    @Test("requests are due at a rate or at the times of the trace, and not in a closed loop") func others() {
        #expect(ReplayPace.evenly(rate: 5).rate == 5 && ReplayPace.closedLoop.rate == nil)
        #expect(ReplayPace.evenly(rate: 5).isOpen && ReplayPace.traceTimes(speedup: 1).isOpen)
        #expect(!ReplayPace.closedLoop.isOpen)
    }
}
