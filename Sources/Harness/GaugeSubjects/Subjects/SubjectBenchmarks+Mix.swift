import GaugeMeasurement
import GaugeTraces
import Platform

extension SubjectBenchmarks {
    /// How many counted requests follow each other before an object is overwritten.
    @usableFromInline static var requestsPerOverwrite: Int { 16 }

    /// Requests of a workload as a cache in use receives them, timed by outcome: hits in memory, hits on disk, and
    /// misses. Each miss is followed by a store of the missed object.
    ///
    /// The subject begins with the entries that an LRU cache of nine tenths of its disk capacity (memory, if it has no
    /// disk) holds after 50,000 requests. Then up to `counted` requests are counted before any is timed, so that the
    /// hit ratios of all subjects are over the same requests. A subject that does not finish them in time reports how
    /// many it saw. While they are counted, every sixteenth requested object is overwritten, so that an outdated answer
    /// is noticed then and later.
    ///
    /// - Parameters:
    ///   - work: names the benchmark; its `bodyCount` and `entries` are not used.
    ///   - workload: the requests, made from the run's seed.
    ///   - counted: requests over which hits are counted.
    ///   - nanoseconds: limit of the processor time for counting, so that a noisy machine does not end it early. The
    ///     elapsed time may be four times as long.
    ///   - rate: requests per second, sent and timed from when they are due (open loop); `nil` to send each after the
    ///     previous answer (closed loop).
    @inlinable
    package static func mix<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool,
        workload: @escaping @Sendable (_ seed: UInt64) -> Workload = { .webLike(seed: $0) }, counted: Int = 20_000,
        nanoseconds: UInt64 = 1_500_000_000, rate: Double? = nil
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let player = try WorkloadPlayer(type, work.tier, workload(context.seed), context)
            var counts = HitCounts()
            var untimed = LatencyRecorder()
            let (start, processorStart) = (monotonicNanoseconds(), threadCPUNanoseconds())
            while counts.requests < counted,
                FixedSurroundings.isUnhurried
                    || (threadCPUNanoseconds() - processorStart < nanoseconds
                        && monotonicNanoseconds() - start < 4 * nanoseconds)
            {
                let id = player.request(&counts, &untimed)
                if counts.requests % requestsPerOverwrite == 0 { player.overwrite(id) }
            }
            let result = counts
            guard let rate else {
                return PreparedBenchmark(
                    .timed { operations, recorder in
                        var uncounted = HitCounts()
                        for _ in 0..<operations { player.request(&uncounted, &recorder) }
                    },
                    figures: { result.figures })
            }
            let loop = OpenLoop(rate: rate)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    var uncounted = HitCounts()
                    for _ in 0..<operations {
                        loop.request(recordingInto: &recorder) { player.request(&uncounted, &$0) }
                    }
                },
                figures: { loop.figures + result.figures })
        }
    }
}
