import Platform

extension SubjectBenchmarks {
    /// The hardest case for a cache that reclaims: nearly everything in it is in use. Nine tenths of as many entries as
    /// fit are asked for evenly, and one request in twenty stores something new that nobody asks for again.
    ///
    /// Whoever keeps what is in use has to write it again or to find room beside it; whoever does not misses it, and the
    /// store that follows a miss counts as one with eviction. Before anything is timed so many requests are sent that the
    /// capacity has been stored anew, and of the second half of them figures say how much of the hot part was found, and
    /// how many bytes were written for one that was stored.
    ///
    /// - Parameters:
    ///   - untimed: requests before anything is timed.
    ///   - nanoseconds: bound on the processor time for them.
    @inlinable
    public static func hot<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool, untimed: Int = 200_000,
        nanoseconds: UInt64 = 4_000_000_000
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            // 4,500 of 5,000 of 4 KiB in 20 MiB.
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
                    // Those stored long ago count as new again.
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

    /// What an entry of the hot case is taken to need beside its body.
    @usableFromInline static let hotOverhead = 96
}
