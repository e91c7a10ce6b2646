extension SubjectBenchmarks {
    /// Lookups of what is there, in random order, one timed after the other, each body checked whole.
    ///
    /// A lookup that misses all the same is counted as the miss it is. Where the pages are to be dropped before, that is
    /// done every 64 lookups, untimed.
    @inlinable
    public static func hit<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
            let ids = (0..<UInt64(work.residentCount(context))).map { $0 }
            let checked = try filled(type, work, context, ids: ids)
            try checked.subject.settle()
            var keys = try KeyTable(ids, of: checked)
            let order = randomOrder(below: ids.count, seed: context.seed)
            var done = 0
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        let position = order[done % order.count]
                        if work.pages != .asLeft, done % 64 == 0 { bring(work.pages, context) }
                        done += 1
                        guard let key = keys.key(at: position) else { continue }
                        _ = checked.lookUp(key, id: ids[position], version: 1, count: work.bodyCount, &recorder)
                    }
                })
        }
    }
}
