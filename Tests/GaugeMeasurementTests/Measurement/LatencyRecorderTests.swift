import GaugeSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Latency recorder") struct LatencyRecorderTests {
    @Test("each outcome has the histogram of its own times, and what is removed leaves nothing behind")
    func outcomes() {
        var random = Xoshiro256(seed: 23)
        var recorder = LatencyRecorder()
        var total: UInt64 = 0
        // Later rounds have shorter times, so that a maximum that stayed would be seen.
        for round in 0..<4 {
            var expected: [Outcome: Histogram] = [:]
            for _ in 0..<300 {
                let outcome = Outcome.allCases[Int(random.next(below: UInt64(4 + round)))]
                let time = random.next(below: 1 << (30 - 5 * UInt64(round)))
                recorder.record(outcome, nanoseconds: time)
                expected[outcome, default: Histogram()].add(nanoseconds: time)
                total += time
            }
            let found = recorder.histograms
            #expect(found == expected && recorder.total == total)
            for outcome in Outcome.allCases { #expect(recorder.histogram(of: outcome) == expected[outcome]) }
            recorder.removeAll()
            let nothing = recorder.histograms
            #expect(nothing.isEmpty && recorder.total == total)
        }
    }

    @Test("an operation is recorded once, under the outcome that it returns, and an error under none") func timing() {
        struct Failure: Error {}
        var recorder = LatencyRecorder()
        recorder.time { .promotion }
        #expect(throws: Failure.self) { try recorder.time { throw Failure() } }
        let found = recorder.histograms
        #expect(found.mapValues(\.count) == [.promotion: 1])
    }

    @Test("an outcome's number is its place among all of them") func ordinals() {
        #expect(Outcome.allCases.map(\.ordinal) == Array(0..<Outcome.count))
    }
}
