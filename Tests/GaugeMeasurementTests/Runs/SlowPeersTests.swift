import Testing

@testable import GaugeMeasurement

@Suite("Slow peers") struct SlowPeersTests {
    private func results(
        _ seconds: [Double], peers: Set<Int>, usual: Set<Int>, sets: Int = 0
    ) -> [BenchmarkMeasurements] {
        seconds.enumerated().map { number, seconds in
            var benchmark = Benchmark(BenchmarkName("a", "b", "\(number)"), isPeer: peers.contains(number)) { _ in
                PreparedBenchmark(.batched { _ in })
            }
            benchmark.isUsual = usual.contains(number)
            var result = BenchmarkMeasurements(benchmark)
            for _ in 0..<sets {
                result.beginSet()
                result.add(SliceReply())
            }
            result.spend(seconds)
            return result
        }
    }

    @Test("a peer that has spent more time than all quicker ones together waits, and no subject under test does")
    func waiting() {
        func waiting(_ seconds: [Double], _ active: [Int]? = nil) -> Set<Int> {
            let results = results(seconds, peers: [1, 2, 3], usual: [1, 2, 3])
            let active = active ?? Array(seconds.indices)
            #expect(SlowPeers.slow(results, active) == SlowPeers.waiting(results, active))
            return SlowPeers.waiting(results, active)
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

    @Test("a nearest peer that is slow has five sets before it waits, unless it is many times as slow") func nearest() {
        func waiting(_ seconds: [Double], sets: Int) -> (slow: Set<Int>, waiting: Set<Int>) {
            let results = results(seconds, peers: [1, 2, 3], usual: [3], sets: sets)
            return (SlowPeers.slow(results, [0, 1, 2, 3]), SlowPeers.waiting(results, [0, 1, 2, 3]))
        }
        for sets in 0..<5 {
            #expect(waiting([0.4, 0.3, 2.5, 0], sets: sets) == ([2], []))
            #expect(waiting([0.4, 0.3, 2.9, 0], sets: sets) == ([2], [2]))
            #expect(waiting([0.4, 0.3, 0, 2.5], sets: sets) == ([3], [3]))
        }
        #expect(waiting([0.4, 0.3, 2.5, 0], sets: 5) == ([2], [2]))
    }
}
