import GaugeMeasurement

extension SubjectBenchmarks {
    /// Stores of new keys into a memory tier that is empty at first, each timed alone: the most expensive ones are those
    /// that enlarge a table. After `work.entries` stores a new subject takes the place of the full one, untimed.
    @inlinable
    package static func grow<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            func empty() throws -> PreparedStores<Subject> {
                let checked = try filled(type, work, context, ids: [])
                return try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            }
            var stores = try empty()
            var next = 0
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        if next == ids.count {
                            MeasuredRegion.pause()
                            stores.checkLast(isKept: true)
                            if let fresh = try? empty() { stores = fresh }
                            next = 0
                            MeasuredRegion.resume()
                        }
                        let start = LatencyRecorder.now()
                        stores.store(next)
                        recorder.record(.store, nanoseconds: stores.checked.own(LatencyRecorder.now() &- start))
                        next += 1
                    }
                })
        }
    }
}
