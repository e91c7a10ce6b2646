import GaugeMeasurement
import GaugeTraces

extension SubjectBenchmarks {
    /// How close a subject's eviction comes to LRU, and at what cost: 20,000 objects of one size are requested by
    /// Zipf's law, of which about a quarter fit.
    ///
    /// Figures: the hit ratio beside that of an exact LRU over the same requests at the same capacity, with an entry
    /// counted as body, key and 64 bytes; and the bytes written per stored byte. Counting starts when an LRU of that
    /// size is warm, before anything is timed.
    ///
    /// - Parameters:
    ///   - exponent: how steeply popularity falls.
    ///   - warm: requests before counting.
    ///   - counted: requests that are counted.
    @inlinable
    package static func reclaim<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, exponent: Double, isPeer: Bool, warm: Int = 60_000,
        counted: Int = 100_000
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let ids = (0..<UInt64(reclaimObjects)).map { $0 }
            let checked = try filled(type, work, context, ids: [])
            let keyBytes = checked.urls.url(for: 0).utf8.count
            let capacity = work.tier.capacity(context)
            var keys = try KeyTable(ids, of: checked, nanoseconds: .max / 4)
            var stream = ZipfKeys(objects: ids.count, exponent: exponent, seed: context.seed)
            var exact = ExactLRU(capacity: .bytes(capacity, largest: capacity))
            var counts = HitCounts()
            var exactHits = 0
            var untimed = LatencyRecorder()
            func request(_ recorder: inout LatencyRecorder) {
                let id = stream.next()
                guard let key = keys.key(at: Int(id)) else { return }
                let answer = checked.lookUp(key, id: id, version: 1, count: work.bodyCount, &recorder)
                counts.count(answer, bytes: work.bodyCount)
                if exact.access(id, size: work.bodyCount + keyBytes + recordOverhead) { exactHits += 1 }
                if case .hit = answer { return }
                checked.store(key, id: id, version: 1, count: work.bodyCount, as: .storeEvict, &recorder)
            }
            for _ in 0..<warm { request(&untimed) }
            let amplification = WriteAmplification(checked.subject.counters)
            counts = HitCounts()
            exactHits = 0
            for _ in 0..<counted { request(&untimed) }
            let figures =
                [
                    Figure("hit ratio", counts.hitRatio, .ratio),
                    Figure("exact LRU", Double(exactHits) / Double(max(1, counts.requests)), .ratio),
                ] + amplification.figures(at: checked.subject.counters)
            return PreparedBenchmark(
                .timed { operations, recorder in for _ in 0..<operations { request(&recorder) } },
                figures: { figures })
        }
    }

    @usableFromInline package static let reclaimObjects = 20_000
    @usableFromInline package static let recordOverhead = 64
}
