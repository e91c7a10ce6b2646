import GaugeMeasurement
import GaugeTraces

extension SubjectBenchmarks {
    /// Lookups of stored keys, in random order and in batches, for subjects whose hit takes about as long as reading
    /// the clock.
    ///
    /// Within a batch, only length, key and version of a body are checked. Every body is checked completely before the
    /// first slice, and the last body found is checked after each slice.
    @inlinable
    package static func batchedHit<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, work, context, ids: ids)
            let subject = checked.subject
            let keys = try ids.map { try checked.key($0) }
            for (key, id) in zip(keys, ids) { checked.check(key, id: id, version: 1, count: work.bodyCount) }
            let order = randomOrder(below: keys.count, seed: context.seed)
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    var right = 0
                    var last = 0
                    for _ in 0..<operations {
                        last = order[next]
                        next = next + 1 == order.count ? 0 : next + 1
                        _ = try? subject.lookUp(keys[last]) {
                            if $0.count == work.bodyCount, Payload.isLabelled($0, key: ids[last], version: 1) {
                                right &+= 1
                            }
                        }
                    }
                    blackHole(right)
                    MeasuredRegion.pause()
                    defer { MeasuredRegion.resume() }
                    if right != operations {
                        context.answers.wrong(
                            key: "\(operations) keys that are there", expected: "as many bodies of theirs",
                            got: "\(right)")
                    }
                    checked.check(keys[last], id: ids[last], version: 1, count: work.bodyCount)
                }, outcome: work.tier == .disk ? .diskHit : .memoryHit)
        }
    }
}
