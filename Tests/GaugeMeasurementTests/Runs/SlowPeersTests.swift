import Testing

@testable import GaugeMeasurement

@Suite("Slow peers") struct SlowPeersTests {
    private func results(_ seconds: [Double], peers: Set<Int>) -> [BenchmarkMeasurements] {
        seconds.enumerated().map { number, seconds in
            var result = BenchmarkMeasurements(
                Benchmark(BenchmarkName("a", "b", "\(number)"), isPeer: peers.contains(number)) { _ in
                    PreparedBenchmark(.batched { _ in })
                })
            result.spend(seconds)
            return result
        }
    }

    @Test("a peer that has spent more time than all quicker ones together waits, and no subject under test does")
    func waiting() {
        func waiting(_ seconds: [Double], _ active: [Int]? = nil) -> Set<Int> {
            SlowPeers.waiting(results(seconds, peers: [1, 2, 3]), active ?? Array(seconds.indices))
        }
        #expect(waiting([0.1, 0.2, 20, 0.1]) == [2])
        #expect(waiting([0.1, 0.2, 0.3, 0.4]) == [])
        #expect(waiting([20, 0.2, 0.3, 0.4]) == [])
        // Two slow ones: the slower waits for the other as well.
        #expect(waiting([0.1, 5, 20, 0.1]) == [1, 2])
        // After as much time for the others it takes part again.
        #expect(waiting([11, 5, 20, 5]) == [])
        #expect(waiting([0.1, 20], [1]) == [] && waiting([0.01, 0.4, 0.02, 0.02]) == [])
    }
}
