extension SubjectBenchmarks {
    /// Opens a subject on a full disk tier whose files are in the page cache, as an application does at startup. The
    /// previous subject is closed untimed.
    ///
    /// Figures: how many entries it found, and how many bytes one opening reads, which shows whether it reads bodies.
    @inlinable
    package static func open<Subject: CacheSubject>(_ type: Subject.Type, _ work: SubjectCase) -> Benchmark {
        benchmark(type, work) { context in
            let ids = (0..<UInt64(try work.overfullCount(context))).map { $0 }
            let fillRate = try filled(type, work, context, ids: ids).fillRate
            let configuration = work.configuration(context, for: Subject.capabilities)
            let before = ExecutableCounters.readBytes()
            var subject: Subject? = try Subject(configuration)
            let read = ExecutableCounters.readBytes() - before
            let entries = subject?.usage.diskEntries ?? 0
            return PreparedBenchmark(
                .timed { operations, recorder in
                    for _ in 0..<operations {
                        MeasuredRegion.pause()
                        subject = nil
                        MeasuredRegion.resume()
                        do {
                            try recorder.time {
                                subject = try Subject(configuration)
                                return .computed
                            }
                        } catch {
                            context.answers.wrong(
                                key: context.directory, expected: "a subject that opens", got: "\(error)")
                        }
                    }
                    guard (subject?.usage.diskEntries ?? 0) != entries else { return }
                    context.answers.wrong(
                        key: context.directory, expected: "\(entries) entries",
                        got: "\(subject?.usage.diskEntries ?? 0) after opening again")
                },
                figures: {
                    [Figure("entries", Double(entries)), Figure("bytes read", Double(read), .bytes)]
                        + (subject?.counters["index bytes"].map {
                            [Figure("index bytes an entry", Double($0) / Double(max(1, entries)))]
                        } ?? []) + fillFigures(fillRate)
                })
        }
    }
}
