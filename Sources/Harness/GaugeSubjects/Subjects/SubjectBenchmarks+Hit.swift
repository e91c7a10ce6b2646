import GaugeMeasurement

extension SubjectBenchmarks {
    /// Lookups of stored keys, in random order, each timed alone and its body checked completely.
    ///
    /// A lookup that misses is counted as a miss. If the pages are to be dropped from memory first, that is done every
    /// 64 lookups, untimed.
    @inlinable
    package static func hit<Subject: CacheSubject>(
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
                        MeasuredRegion.pause()
                        let position = order[done % order.count]
                        if work.pages != .asLeft, done % 64 == 0 { bring(work.pages, context) }
                        done += 1
                        let asked = keys.key(at: position)
                        MeasuredRegion.resume()
                        guard let key = asked else { continue }
                        _ = checked.lookUp(key, id: ids[position], version: 1, count: work.bodyCount, &recorder)
                    }
                }, figures: { fillFigures(checked.fillRate) })
        }
    }
}
