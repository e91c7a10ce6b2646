import GaugeMeasurement

extension SubjectBenchmarks {
    /// Halves the capacity of a full memory tier and restores it, as an application does when memory is short. The
    /// entries are stored again between the operations, untimed.
    @inlinable
    package static func truncate<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let tight = try tight(type, work, context)
            let configuration = tight.configuration(context, for: Subject.capabilities)
            let capacity = configuration.entryLimit ?? configuration.memoryCapacity
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, tight, context, ids: ids)
            let stores = try PreparedStores(ids, version: 1, count: work.bodyCount, of: checked)
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        MeasuredRegion.pause()
                        for position in ids.indices { stores.store(position) }
                        MeasuredRegion.resume()
                        do {
                            try recorder.time {
                                try checked.subject.resize(memory: capacity / 2, disk: 0)
                                try checked.subject.resize(memory: capacity, disk: 0)
                                return .remove
                            }
                        } catch {
                            context.answers.wrong(
                                key: "a capacity of \(capacity)", expected: "half of it, and all of it again",
                                got: "the error: \(error)")
                        }
                    }
                })
        }
    }
}
