import GaugeMeasurement

extension SubjectBenchmarks {
    /// Lookups of keys that were never stored, in batches: a miss may take less time than reading the clock.
    @inlinable
    package static func miss<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool
    ) -> Benchmark {
        benchmark(type, work, isPeer: isPeer) { context in
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
