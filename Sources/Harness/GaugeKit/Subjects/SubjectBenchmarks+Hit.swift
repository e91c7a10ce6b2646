import GaugeTraces

extension SubjectBenchmarks {
    /// Lookups of stored keys in random order, each timed alone and its body checked completely.
    ///
    /// If the pages are to be dropped from memory first, that is done every 64 lookups, untimed.
    @inlinable
    package static func hit<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
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

extension SubjectBenchmarks {
    /// Lookups of stored keys in random order and in batches, for subjects whose hit takes about as long as reading the
    /// clock.
    ///
    /// Within a batch, only a body's length, key and version are checked. Every body is checked completely before the
    /// first slice, and the last one found after each slice.
    @inlinable
    package static func batchedHit<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
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

extension SubjectBenchmarks {
    /// Lookups of keys that were never stored, in batches: a miss may be faster than reading the clock.
    @inlinable
    package static func miss<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let resident = UInt64(work.residentCount(context))
            let checked = try filled(type, work, context, ids: (0..<resident).map { $0 })
            let table = try KeyTable((resident..<resident + UInt64(mixCount)).map { $0 }, of: checked)
            let keys = table.keys.prefix(table.prepared).compactMap(\.self)
            let subject = checked.subject
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    var answers = 0
                    for _ in 0..<operations {
                        let outcome = try? subject.lookUp(keys[next]) { answers += 1 + $0.count }
                        if outcome != .miss { answers += 1 }
                        next = next + 1 == keys.count ? 0 : next + 1
                    }
                    if answers > 0 {
                        context.answers.wrong(
                            key: "one of \(keys.count) never stored", expected: "a miss",
                            got: "another outcome, a body or an error")
                    }
                    blackHole(answers)
                }, outcome: .miss)
        }
    }
}
