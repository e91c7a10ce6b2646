import Synchronization
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Open loop") struct OpenLoopTests {
    @Test("a request that stands still is charged to all that were due meanwhile, in response time alone")
    func backlog() {
        var waits: [UInt64] = []
        let loop = OpenLoop(rate: 1_000) { waits.append($0) }
        var recorder = LatencyRecorder()
        // Due every millisecond; the second takes 3.5 ms.
        let service: [UInt64] = [100_000, 3_500_000, 100_000, 100_000, 100_000, 100_000]
        var response: [UInt64] = []
        for nanoseconds in service {
            let times = loop.request(recordingInto: &recorder) { $0.record(.memoryHit, nanoseconds: nanoseconds) }
            #expect(times.service == nanoseconds)
            response.append(times.response)
        }
        #expect(response == [100_000, 3_500_000, 2_600_000, 1_700_000, 800_000, 100_000])
        #expect(waits == [900_000, 200_000])
    }

    @Test("what never reached the cache takes its turn and has no time") func nothing() {
        var waits: [UInt64] = []
        let loop = OpenLoop(rate: 1_000) { waits.append($0) }
        var recorder = LatencyRecorder()
        loop.request(recordingInto: &recorder) { _ in }
        #expect(loop.times == nil)
        loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 500) }
        #expect(waits == [1_000_000] && loop.times?.response.count == 1)
        loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 1_700_000) }
        // Due while the one before it was served, it has waited all the same.
        #expect(loop.request(recordingInto: &recorder) { _ in } == (0, 700_000))
    }

    @Test("a request of several operations is one, and the time between them is not charged") func severalOperations() {
        let loop = OpenLoop(rate: 1) { _ in }
        var recorder = LatencyRecorder()
        let times = loop.request(recordingInto: &recorder) {
            $0.record(.miss, nanoseconds: 300)
            $0.record(.store, nanoseconds: 700)
        }
        #expect(times == (1_000, 1_000))
        #expect(loop.figures.last?.value == 1_000)
    }

    /// Lindley's recursion: the wait of the next request is that of this one plus its service time minus the interval,
    /// and never negative.
    @Test("waits follow Lindley's recursion, at any rate and for any service times") func lindley() {
        var random = Xoshiro256(seed: 17)
        for _ in 0..<50 {
            // A power of two, so that due times are exact.
            let interval = 1 << (4 + Int(random.next(below: 8)))
            let loop = OpenLoop(rate: 1e9 / Double(interval)) { _ in }
            var recorder = LatencyRecorder()
            var wait = 0
            for _ in 0..<100 {
                let service = 1 + Int(random.next(below: UInt64(2 * interval)))
                let times = loop.request(recordingInto: &recorder) {
                    $0.record(.memoryHit, nanoseconds: UInt64(service))
                }
                #expect(times == (UInt64(service), UInt64(wait + service)))
                wait = max(0, wait + service - interval)
            }
        }
    }

    @Test("after a restart no earlier request counts, and none waits behind it") func restart() throws {
        let loop = OpenLoop(rate: 1e9 / 100) { _ in }
        var recorder = LatencyRecorder()
        for _ in 0..<20 { loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 50_000) } }
        loop.restart()
        #expect(loop.times == nil && loop.figures.isEmpty)
        for _ in 0..<10 { loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 60) } }
        let (service, response) = try #require(loop.times)
        #expect(service.count == 10 && service.maximum == 60 && response.maximum == 60)
    }

    @Test("a percentile is given when there are enough requests for its interval", arguments: [(5, []), (6, ["p50"])])
    func percentiles(requests: Int, given: [String]) {
        let loop = OpenLoop(rate: 1) { _ in }
        var recorder = LatencyRecorder()
        for _ in 0..<requests { loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 300) } }
        let maxima = ["response maximum", "service maximum"]
        #expect(loop.figures.map(\.name) == given.flatMap { ["response \($0)", "service \($0)"] } + maxima)
    }

    @Test("the figures are those of the response times, each beside that of the service times") func figures() throws {
        // Twice as many requests as can be served, so that the queue grows and every response time differs.
        let loop = OpenLoop(rate: 1e9 / 64) { _ in }
        var recorder = LatencyRecorder()
        for number in 0..<4_000 {
            loop.request(recordingInto: &recorder) { $0.record(.hit, nanoseconds: 120 + UInt64(number % 10)) }
        }
        let (service, response) = try #require(loop.times)
        var expected: [Figure] = []
        for (name, part) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
            let rank = UInt64((part * 4_000).rounded(.up))
            expected.append(Figure("response \(name)", try #require(response.value(atRank: rank)), .nanoseconds))
            expected.append(Figure("service \(name)", try #require(service.value(atRank: rank)), .nanoseconds))
        }
        expected.append(Figure("response maximum", Double(response.maximum), .nanoseconds))
        expected.append(Figure("service maximum", 129, .nanoseconds))
        #expect(loop.figures == expected && response.maximum > 200_000)
    }
}
