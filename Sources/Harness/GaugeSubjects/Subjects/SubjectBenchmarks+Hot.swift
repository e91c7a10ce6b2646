import GaugeMeasurement
import GaugeSupport
import Platform

extension SubjectBenchmarks {
    /// The hardest case for a cache that reclaims space: nearly all entries are in use. The hot part has nine tenths of
    /// the entries that fit, all requested equally often. One request in twenty stores a new entry that is not
    /// requested again.
    ///
    /// A cache that keeps the hot entries must rewrite them or find room beside them. A cache that does not will miss
    /// them, and the store after such a miss counts as one with eviction. Before anything is timed, enough requests are
    /// sent to replace the whole capacity. Figures report, for the second half of these requests, the hit ratio of the
    /// hot part and the bytes written per stored byte.
    ///
    /// - Parameters:
    ///   - untimed: requests before anything is timed.
    ///   - nanoseconds: limit of the processor time for these requests.
    @inlinable
    package static func hot<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool, untimed: Int = 200_000,
        nanoseconds: UInt64 = 4_000_000_000
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            // 4,500 entries where 5,000 of 4 KiB fit into 20 MiB.
            let fitting = work.tier.capacity(context) / (work.bodyCount + hotOverhead)
            let hot = max(1, fitting / 10 * 9)
            let ids = (0..<UInt64(hot + 4 * max(1, fitting))).map { $0 }
            let checked = try filled(type, work, context, ids: Array(ids[..<hot]))
            var keys = try KeyTable(ids, of: checked)
            var random = Xoshiro256(seed: context.seed, "hot")
            var nextNew = hot
            var counts = HitCounts()
            func request(_ recorder: inout LatencyRecorder) {
                if random.next(below: 20) == 0 {
                    // By then the oldest ids are evicted, and count as new again.
                    defer { nextNew = nextNew + 1 == ids.count ? hot : nextNew + 1 }
                    guard let key = keys.key(at: nextNew) else { return }
                    checked.store(key, id: ids[nextNew], version: 1, count: work.bodyCount, as: .store, &recorder)
                    return
                }
                let position = Int(random.next(below: UInt64(hot)))
                guard let key = keys.key(at: position) else { return }
                let answer = checked.lookUp(key, id: ids[position], version: 1, count: work.bodyCount, &recorder)
                counts.count(answer, bytes: work.bodyCount)
                if case .hit = answer { return }
                checked.store(key, id: ids[position], version: 1, count: work.bodyCount, as: .storeEvict, &recorder)
            }
            var discarded = LatencyRecorder()
            let deadline = FixedSurroundings.isUnhurried ? .max : threadCPUNanoseconds() + nanoseconds
            var sent = 0
            while sent < untimed / 2, threadCPUNanoseconds() < deadline {
                request(&discarded)
                sent += 1
            }
            let amplification = WriteAmplification(checked.subject.counters)
            counts = HitCounts()
            while sent < untimed, threadCPUNanoseconds() < deadline {
                request(&discarded)
                sent += 1
            }
            let figures =
                [Figure("hit ratio", counts.hitRatio, .ratio)] + amplification.figures(at: checked.subject.counters)
            return PreparedBenchmark(
                .timed { operations, recorder in for _ in 0..<operations { request(&recorder) } },
                figures: { figures })
        }
    }

    /// The assumed bytes of an entry of this benchmark beside its body.
    @usableFromInline package static let hotOverhead = 96
}
