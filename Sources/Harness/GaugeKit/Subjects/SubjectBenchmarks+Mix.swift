import Platform

extension SubjectBenchmarks {
    /// Requests of a workload as a cache in use gets them, timed by outcome: hits in memory, hits on disk, and misses,
    /// each followed by the store of what was missed.
    ///
    /// The subject begins with what an LRU cache of nine tenths of its disk capacity (memory, if it has no disk) holds
    /// after 50,000 requests. Then up to `counted` requests are counted before any is timed, so that the hit ratios of
    /// all subjects are over the same requests; one that does not get so far within its time says how many it saw.
    ///
    /// - Parameters:
    ///   - work: names the benchmark; its `bodyCount` and `entries` say nothing here.
    ///   - workload: what is asked for, made of the run's seed.
    ///   - counted: requests over which hits are counted.
    ///   - nanoseconds: bound on the processor time for counting, so that a loud machine does not end it early; waiting
    ///     included it may take four times as long.
    ///   - rate: requests a second, sent when they are due (open loop) and timed from then too; `nil` to send each when
    ///     the one before it is answered (closed loop).
    @inlinable
    public static func mix<Subject: CacheSubject>(
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
                player.request(&counts, &untimed)
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
