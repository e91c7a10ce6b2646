import GaugeMeasurement
import GaugeTraces

/// Benchmarks of any subject: each function makes a row that does the same work for every subject type.
///
/// All of it is inlinable, so that the loops are specialised for a subject that is defined in another module.
@usableFromInline package enum SubjectBenchmarks {
    /// The rows of the disk stage: `disk/store/…`, `disk/hit/…` with bodies of 1, 4, 16 and 64 KiB, `disk/miss`, and
    /// `disk/open/…` of a full tier (subjects whose entries outlive them). None for a subject without a disk tier.
    ///
    /// - Parameters:
    ///   - isPeer: whether a wrong answer is only counted, instead of ending the run.
    ///   - reference: the subject whose time the ratio column divides by.
    ///   - suites: the suites of a case, by its name.
    @inlinable
    package static func disk<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered",
        suites: @escaping (_ name: String) -> Set<String> = { _ in ["default"] }
    ) -> [Benchmark] {
        guard Subject.capabilities.contains(.disk) else { return [] }
        let work = { (name: String, bodyCount: Int) in
            SubjectCase(
                "disk", name, tier: .disk, bodyCount: bodyCount, suites: suites(name), reference: reference)
        }
        let stores = SubjectCase.bodyCounts.map { store(type, work("store/\($0.name)", $0.bytes), isPeer: isPeer) }
        let hits = SubjectCase.bodyCounts.map { hit(type, work("hit/\($0.name)", $0.bytes), isPeer: isPeer) }
        guard Subject.capabilities.contains(.persistence) else {
            return stores + hits + [miss(type, work("miss", 1 << 12), isPeer: isPeer)]
        }
        let openings = SubjectCase.bodyCounts.map { open(type, work("open/\($0.name)", $0.bytes), isPeer: isPeer) }
        return stores + hits + [miss(type, work("miss", 1 << 12), isPeer: isPeer)] + openings
    }

    /// More rows of the disk stage, which take longer, for the suite `full`: `disk/store-clean/…` into pages that were
    /// written back before, `disk/store-flush/4k` (each store survives a power cut when it returns; subjects that can),
    /// `disk/hit-cold/4k` and `disk/hot/4k`.
    @inlinable
    package static func diskAtLength<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        guard Subject.capabilities.contains(.disk) else { return [] }
        let work = { (name: String, bodyCount: Int) in
            SubjectCase("disk", name, tier: .disk, bodyCount: bodyCount, suites: [], reference: reference)
        }
        var rows = SubjectCase.bodyCounts.map { size in
            var clean = work("store-clean/\(size.name)", size.bytes)
            clean.pages = .writtenBack
            return store(type, clean, isPeer: isPeer)
        }
        if Subject.capabilities.contains(.durability) {
            var flushed = work("store-flush/4k", 1 << 12)
            flushed.isDurable = true
            rows.append(store(type, flushed, isPeer: isPeer))
        }
        var cold = work("hit-cold/4k", 1 << 12)
        cold.pages = .dropped
        return rows + [
            hit(type, cold, isPeer: isPeer), hot(type, work("hot/4k", 1 << 12), isPeer: isPeer),
        ]
    }

    @inlinable
    package static func benchmark<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, isPeer: Bool,
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) -> Benchmark {
        Benchmark(
            BenchmarkName(work.stage, work.name, work.subject ?? Subject.name), isPeer: isPeer,
            reference: work.reference, suites: work.suites, entries: work.stage == "memory" ? work.entries : nil,
            prepare: prepare)
    }

    /// A subject that holds the first version of `ids`, in the state of one that has been open for some time.
    @inlinable
    package static func filled<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext, ids: [UInt64]
    ) throws -> CheckedSubject<Subject> {
        let checked = CheckedSubject(
            try Subject(work.configuration(context, for: Subject.capabilities)), answers: context.answers,
            urls: RequestURLs(seed: context.seed), longest: work.bodyCount)
        let bodyCount = work.bodyCount
        let entries = FillEntries(ids, urls: checked.urls, seconds: context.fillSeconds) { _ in bodyCount }
        let start = LatencyRecorder.now()
        try checked.subject.fill(with: entries)
        let taken = Double(max(1, LatencyRecorder.now() &- start)) / 1e9
        if work.diskCapacity != nil { checked.fillRate = Double(entries.bodyBytes) / taken }
        return checked
    }

    /// The rate of filling, where it was measured.
    @usableFromInline
    package static func fillFigures(_ rate: Double) -> [Figure] {
        rate > 0 ? [Figure("filled a second", rate, .bytes)] : []
    }

    /// Brings the subject's files into a state; a failure is reported as a wrong answer.
    @usableFromInline
    package static func bring(_ pages: PageState, _ context: RunContext) {
        do {
            try pages.bring(context.directory)
        } catch {
            context.answers.wrong(key: context.directory, expected: "files brought to disk", got: "\(error)")
        }
    }

    /// Positions below `count` in random order, too many for a branch predictor or prefetcher to learn.
    @usableFromInline
    package static func randomOrder(below count: Int, seed: UInt64) -> [Int] {
        var keys = UniformKeys(objects: count, seed: seed)
        return keys.draw(mixCount).map(Int.init)
    }

    @usableFromInline package static let mixCount = 65_536
}
