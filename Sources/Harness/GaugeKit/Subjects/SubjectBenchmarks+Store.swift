extension SubjectBenchmarks {
    /// Stores into a full tier, each timed alone: each causes an eviction, at once or when a later store makes room.
    /// All count as stores with eviction, so that the row shows a store's long-run cost, and its percentiles how evenly
    /// that is spread.
    ///
    /// The tier is filled in advance. A key is stored again, in the next version, only after more keys than fit, so a
    /// store is never an overwrite. After each batch the last body is looked up, untimed: a subject may be fast because
    /// it stores nothing, so a figure tells how often it was found.
    ///
    /// If the pages are to be written back first, that is done after every eighth of a filling, untimed.
    @inlinable
    package static func store<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let resident = try work.overfullCount(context)
            let ids = (0..<UInt64(2 * resident + 1)).map { $0 }
            let checked = try filled(type, work, context, ids: Array(ids[..<resident]))
            var keys = try KeyTable(ids, of: checked)
            var done = resident
            var (slices, found) = (0, 0)
            var untilWriteBack = 0
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        MeasuredRegion.pause()
                        let position = done % ids.count
                        if work.pages != .asLeft {
                            if untilWriteBack == 0 {
                                bring(work.pages, context)
                                untilWriteBack = max(1, resident / 8)
                            }
                            untilWriteBack -= 1
                        }
                        let asked = keys.key(at: position)
                        MeasuredRegion.resume()
                        if let key = asked {
                            checked.store(
                                key, id: ids[position], version: UInt64(done / ids.count) + 1, count: work.bodyCount,
                                as: .storeEvict, &recorder)
                        }
                        done += 1
                    }
                    MeasuredRegion.pause()
                    defer { MeasuredRegion.resume() }
                    let last = (done - 1) % ids.count
                    guard let key = keys.key(at: last) else { return }
                    let answer = checked.check(
                        key, id: ids[last], version: UInt64((done - 1) / ids.count) + 1, count: work.bodyCount)
                    slices += 1
                    if case .hit = answer { found += 1 }
                },
                figures: {
                    fillFigures(checked.fillRate)
                        + (found == slices ? [] : [Figure("found again", Double(found) / Double(slices), .ratio)])
                })
        }
    }
}
