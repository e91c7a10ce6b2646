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
    @inlinable
    public static func mix<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool,
        workload: @escaping @Sendable (_ seed: UInt64) -> Workload = { .webLike(seed: $0) }, counted: Int = 20_000,
        nanoseconds: UInt64 = 1_500_000_000
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let player = try WorkloadPlayer(type, work.tier, workload(context.seed), context)
            var counts = HitCounts()
            var untimed = LatencyRecorder()
            let (start, processorStart) = (monotonicNanoseconds(), threadCPUNanoseconds())
            while counts.requests < counted, threadCPUNanoseconds() - processorStart < nanoseconds,
                monotonicNanoseconds() - start < 4 * nanoseconds
            {
                player.request(&counts, &untimed)
            }
            let result = counts
            return PreparedBenchmark(
                .timed { operations, recorder in
                    var uncounted = HitCounts()
                    for _ in 0..<operations { player.request(&uncounted, &recorder) }
                },
                figures: { result.figures })
        }
    }
}

/// Sends the requests of a workload to a subject, and what it misses into it.
@usableFromInline
final class WorkloadPlayer<Subject: CacheSubject> {
    @usableFromInline let checked: CheckedSubject<Subject>
    @usableFromInline let workload: Workload
    @usableFromInline var stream: any KeyStream
    @usableFromInline var keys: KeyTable<Subject>

    /// Fills a subject with what an LRU cache would hold by now.
    @usableFromInline
    init(_ type: Subject.Type, _ tier: SubjectTier, _ workload: Workload, _ context: RunContext) throws {
        self.workload = workload
        stream = workload.keys()
        checked = CheckedSubject(
            try Subject(tier.configuration(context)), answers: context.answers, urls: RequestURLs(seed: context.seed),
            longest: workload.sizes.longest)
        let resident = workload.resident(
            after: 50_000, of: &stream, capacity: tier.capacity(context) / 10 * 9,
            overhead: SubjectCase.assumedOverhead)
        keys = try KeyTable((0..<UInt64(workload.objects)).map { $0 }, of: checked)
        try checked.subject.fill(with: FillEntries(resident, urls: checked.urls, size: workload.sizes.size(of:)))
    }

    /// The next request.
    @inlinable
    func request(_ counts: inout HitCounts, _ recorder: inout LatencyRecorder) {
        let id = stream.next()
        // A scan goes beyond the objects of the table.
        guard let key = id < UInt64(keys.ids.count) ? keys.key(at: Int(id)) : try? checked.key(id) else { return }
        let count = workload.sizes.size(of: id)
        let answer = checked.lookUp(key, id: id, version: 1, count: count, &recorder)
        counts.count(answer, bytes: count)
        if case .hit = answer { return }
        checked.store(key, id: id, version: 1, count: count, &recorder)
    }
}
