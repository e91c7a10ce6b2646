import GaugeTraces
import Platform

extension SubjectBenchmarks {
    /// An object is overwritten after so many counted requests.
    @usableFromInline static var requestsPerOverwrite: Int { 16 }

    /// Requests of a workload as a cache in use receives them, timed by outcome: hits in memory, hits on disk, and
    /// misses. A miss is followed by a store of the object.
    ///
    /// The subject begins with the entries that an LRU cache of nine tenths of its disk capacity (memory, if it has no
    /// disk) holds after 50,000 requests. Then up to `counted` requests are counted before any is timed, so that all
    /// subjects' hit ratios are over the same requests; a subject that doesn't finish them in time reports how many it
    /// saw. While counting, every sixteenth requested object is overwritten, so that outdated answers are noticed then
    /// and later.
    ///
    /// - Parameters:
    ///   - work: names the benchmark; its `bodyCount` and `entries` aren't used.
    ///   - workload: the requests, made from the run's seed.
    ///   - counted: requests over which hits are counted.
    ///   - nanoseconds: limit of the processor time for counting, so that a noisy machine doesn't end it early. The
    ///     elapsed time may be four times as long.
    ///   - rate: requests per second, sent and timed from when they are due (open loop); `nil` to send each after the
    ///     previous answer (closed loop).
    @inlinable
    package static func mix<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase,
        workload: @escaping @Sendable (_ seed: UInt64) -> Workload = { .webLike(seed: $0) }, counted: Int = 20_000,
        nanoseconds: UInt64 = 1_500_000_000, rate: Double? = nil
    ) -> Benchmark {
        benchmark(type, work) { context in
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
            var prepared = PreparedBenchmark(
                .timed { operations, recorder in
                    var uncounted = HitCounts()
                    for _ in 0..<operations {
                        loop.request(recordingInto: &recorder) { player.request(&uncounted, &$0) }
                    }
                },
                figures: { loop.figures + result.figures })
            prepared.restart = { loop.restart() }
            return prepared
        }
    }
}

/// Sends the requests of a workload to a subject, and stores the missed objects.
///
/// A subject has no header fields, so only `no-store` of a header class matters here. No time passes between requests.
/// Every answer must be the version stored last, since one thread sends all requests.
@usableFromInline
package final class WorkloadPlayer<Subject: CacheSubject> {
    @usableFromInline package let checked: CheckedSubject<Subject>
    @usableFromInline package let workload: Workload
    @usableFromInline package var stream: any KeyStream
    @usableFromInline package var keys: KeyTable<Subject>
    @usableFromInline package var versions: [UInt64: UInt64] = [:]
    @usableFromInline package var random: Xoshiro256
    @usableFromInline package let hasUnstorable: Bool

    @usableFromInline
    package init(_ type: Subject.Type, _ tier: SubjectTier, _ workload: Workload, _ context: RunContext) throws {
        self.workload = workload
        stream = workload.keys()
        random = Xoshiro256(seed: workload.seed, "operations")
        hasUnstorable = workload.plan.headers.contains { $0.noStore }
        let resident = workload.resident(
            after: 50_000, of: &stream, capacity: tier.capacity(context) / 10 * 9,
            overhead: SubjectCase.assumedOverhead)
        var configuration = tier.configuration(context)
        // As many as fill the others' capacity.
        if Subject.capabilities.countsEntries { configuration.entryLimit = max(1, resident.count / 9 * 10) }
        checked = CheckedSubject(
            try Subject(configuration), answers: context.answers, urls: RequestURLs(seed: context.seed),
            longest: workload.sizes.longest)
        keys = try KeyTable((0..<UInt64(workload.objects)).map { $0 }, of: checked)
        let storable = resident.filter { !isUnstorable($0) }
        try checked.subject.fill(
            with: FillEntries(
                storable, urls: checked.urls, seconds: context.fillSeconds, size: workload.sizes.size(of:)))
    }

    /// The next request. Only the subject's share is measured.
    ///
    /// - Returns: the id of the requested object.
    @inlinable
    @discardableResult
    package func request(_ counts: inout HitCounts, _ recorder: inout LatencyRecorder) -> UInt64 {
        MeasuredRegion.pause()
        let id = stream.next()
        // A scan goes beyond the table's objects.
        let asked = id < UInt64(keys.ids.count) ? keys.key(at: Int(id)) : try? checked.key(id)
        let operations = workload.plan.operations
        let operation = operations.isReadOnly ? .read : operations.operation(at: random.nextUnit())
        // The next version, so that a hit on a removed or replaced body is wrong.
        if operation != .read, asked != nil { versions[id, default: 1] += 1 }
        MeasuredRegion.resume()
        guard let key = asked else { return id }
        switch operation {
        case .read: read(key, id, &counts, &recorder)
        case .store: store(key, id, &recorder)
        case .remove: checked.remove(key, id: id, &recorder)
        }
        return id
    }

    /// Stores an object's next version, of the same length, so that an answer with the earlier one is noticed. Called
    /// after a request for the object: the cache holds it, and the eviction order stays the same.
    @usableFromInline
    package func overwrite(_ id: UInt64) {
        guard let key = id < UInt64(keys.ids.count) ? keys.key(at: Int(id)) : try? checked.key(id) else { return }
        versions[id, default: 1] += 1
        var untimed = LatencyRecorder()
        store(key, id, &untimed)
    }

    @inlinable
    package func read(_ key: Subject.Key, _ id: UInt64, _ counts: inout HitCounts, _ recorder: inout LatencyRecorder) {
        MeasuredRegion.pause()
        let duplicates = workload.plan.duplicates
        let times = duplicates > 0 && random.nextUnit() < duplicates ? 2 : 1
        let count = workload.sizes.size(of: id)
        let version = versions[id] ?? 1
        MeasuredRegion.resume()
        var missed = 0
        // Two requests at one moment are both looked up before the origin answers either.
        for _ in 0..<times {
            let answer = checked.lookUp(key, id: id, version: version, count: count, &recorder)
            counts.count(answer, bytes: count)
            if case .hit = answer { continue }
            missed += 1
        }
        for _ in 0..<missed { store(key, id, &recorder) }
    }

    @inlinable
    package func store(_ key: Subject.Key, _ id: UInt64, _ recorder: inout LatencyRecorder) {
        MeasuredRegion.pause()
        let isRefused = isUnstorable(id)
        let (version, count) = (versions[id] ?? 1, workload.sizes.size(of: id))
        MeasuredRegion.resume()
        if !isRefused { checked.store(key, id: id, version: version, count: count, &recorder) }
    }

    @usableFromInline
    package func isUnstorable(_ id: UInt64) -> Bool { hasUnstorable && workload.headers(of: id).noStore }
}
