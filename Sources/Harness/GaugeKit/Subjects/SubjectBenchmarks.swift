import GaugeTraces

/// Benchmarks of any subject: each function makes a row that does the same work for every type.
///
/// All of it is inlinable, so that loops are specialised for subjects defined in other modules.
@usableFromInline package enum SubjectBenchmarks {
    /// The rows of the disk stage: `disk/store/…`, `disk/hit/…` with bodies of 1, 4, 16 and 64 KiB, `disk/miss`, and
    /// `disk/open/…` of a full tier (subjects whose entries outlive them). None for a subject without a disk tier.
    ///
    /// - Parameters:
    ///   - isPeer: whether to only count a wrong answer, instead of ending the run.
    ///   - reference: the subject whose time the ratio column divides by.
    @inlinable
    package static func disk<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered",
        suites: @escaping (_ name: String) -> Set<String> = { _ in ["default"] }
    ) -> [Benchmark] {
        guard Subject.capabilities.contains(.disk) else { return [] }
        let work = { (name: String, bodyCount: Int) in
            SubjectCase(
                "disk", name, tier: .disk, bodyCount: bodyCount, suites: suites(name), reference: reference,
                isPeer: isPeer)
        }
        var rows = SubjectCase.bodyCounts.map { store(type, work("store/\($0.name)", $0.bytes)) }
        rows += SubjectCase.bodyCounts.map { hit(type, work("hit/\($0.name)", $0.bytes)) }
        rows.append(miss(type, work("miss", 1 << 12)))
        guard Subject.capabilities.contains(.persistence) else { return rows }
        return rows + SubjectCase.bodyCounts.map { open(type, work("open/\($0.name)", $0.bytes)) }
    }

    /// More rows of the disk stage, for the suite `full` since they take longer: `disk/store-clean/…` into pages
    /// written back before, `disk/store-flush/4k` (each store survives a power cut when it returns; subjects that can),
    /// `disk/hit-cold/4k` and `disk/hot/4k`.
    @inlinable
    package static func diskAtLength<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        guard Subject.capabilities.contains(.disk) else { return [] }
        let work = { (name: String, bodyCount: Int) in
            SubjectCase(
                "disk", name, tier: .disk, bodyCount: bodyCount, suites: [], reference: reference, isPeer: isPeer)
        }
        var rows = SubjectCase.bodyCounts.map { size in
            var clean = work("store-clean/\(size.name)", size.bytes)
            clean.pages = .writtenBack
            return store(type, clean)
        }
        if Subject.capabilities.contains(.durability) {
            var flushed = work("store-flush/4k", 1 << 12)
            flushed.isDurable = true
            rows.append(store(type, flushed))
        }
        var cold = work("hit-cold/4k", 1 << 12)
        cold.pages = .dropped
        return rows + [hit(type, cold), hot(type, work("hot/4k", 1 << 12))]
    }

    @inlinable
    package static func benchmark<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase,
        prepare: @escaping @Sendable (RunContext) throws -> PreparedBenchmark
    ) -> Benchmark {
        var benchmark = Benchmark(
            BenchmarkName(work.stage, work.name, work.subject ?? Subject.name), isPeer: work.isPeer,
            reference: work.reference, suites: work.suites, entries: work.stage == "memory" ? work.entries : nil,
            prepare: prepare)
        benchmark.comparesMeans = work.pages == .dropped
        return benchmark
    }

    /// A subject that holds the first version of `ids`, as if it had been open for some time.
    @inlinable
    package static func filled<Subject: CacheSubject>(
        _ type: Subject.Type, _ work: SubjectCase, _ context: RunContext, ids: [UInt64]
    ) throws -> CheckedSubject<Subject> {
        let checked = CheckedSubject(
            try Subject(work.configuration(context, for: Subject.capabilities)), answers: context.answers,
            urls: RequestURLs(seed: context.seed), longest: work.bodyCount)
        checked.readsPages = work.tier == .disk
        let bodyCount = work.bodyCount
        let entries = FillEntries(ids, urls: checked.urls, seconds: context.fillSeconds) { _ in bodyCount }
        let start = LatencyRecorder.now()
        try checked.subject.fill(with: entries)
        let taken = Double(max(1, LatencyRecorder.now() &- start)) / 1e9
        if work.diskCapacity != nil { checked.fillRate = Double(entries.bodyBytes) / taken }
        return checked
    }

    @usableFromInline
    package static func fillFigures(_ rate: Double) -> [Figure] {
        rate > 0 ? [Figure("filled a second", rate, .bytes)] : []
    }

    /// Brings the subject's files into a state; reports a failure as a wrong answer.
    @usableFromInline
    package static func bring(_ pages: PageState, _ context: RunContext) {
        do {
            try pages.bring(context.directory)
        } catch {
            context.answers.wrong(key: context.directory, expected: "files brought to disk", got: "\(error)")
        }
    }

    /// Positions below `count` in random order: too many for a branch predictor or prefetcher to learn.
    @usableFromInline
    package static func randomOrder(below count: Int, seed: UInt64) -> [Int] {
        var keys = UniformKeys(objects: count, seed: seed)
        return keys.draw(mixCount).map(Int.init)
    }

    @usableFromInline package static let mixCount = 65_536
}

extension SubjectBenchmarks {
    /// The words of the rows that any subject can have.
    package static let words = BenchmarkWords(
        stages: [
            "memory": "the memory tier alone",
            "disk": "the disk tier alone; warm unless the case says otherwise",
            "cache": "all tiers of a cache, under a workload",
            "large": "disk tiers of gigabytes; only in the suite large",
        ],
        cases: [
            "memory/hit": "a lookup that finds its entry",
            "memory/miss": "a lookup that finds nothing",
            "memory/store": "a store that replaces the entry of its key",
            "memory/grow": "a store of a new key while the cache fills up, its tables growing",
            "memory/store-evict": "a store of a new key into a full cache, which evicts another",
            "memory/truncate": "the capacity halved and restored, with the evictions",
            "memory/hits": "lookups that all find their entry",
            "memory/zipf": "lookups by popularity of four times as many keys as fit; a store after each miss",
            "disk/store": "a store into a full disk tier, which makes room by itself",
            "disk/hit": "a lookup that finds its entry, and reads all of its body",
            "disk/miss": "a lookup that finds nothing",
            "disk/open": "a full disk tier opened, as an application does at its start",
            "disk/store-clean": "a store into pages that the system has written back before",
            "disk/store-flush": "a store that survives a power cut when it returns",
            "disk/hit-cold": "a lookup whose pages the system has dropped from memory; a read may bring others back",
            "disk/hot": "lookups of entries that are nearly all in use, and one store to twenty of them",
            "disk/zipf": "requests by Zipf's law for four times as many objects as fit; a store after each miss",
            "large/store": "a store into a full disk tier",
            "large/hit": "a lookup somewhere in a full disk tier",
            "large/open": "a full disk tier opened",
            "cache/mix": "a web-like mixture: Zipf's law over objects of mixed sizes, a store after each miss",
        ].merging(WorkloadPlan.presets.map { ("cache/\($0.name)", $0.models) }) { first, _ in first },
        units: ["memory": .entries, "disk": .bodyBytes, "large": .tierBytes])
}

extension SubjectBenchmarks {
    /// A row for each predefined workload, e.g. `cache/page-loads`, and `cache/mix` for the web-like one, the only one
    /// in the default suite.
    @inlinable
    package static func workloads<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        let tier: SubjectTier = Subject.capabilities.contains(.disk) ? .both : .memory
        let work = { (name: String, suites: Set<String>) in
            SubjectCase("cache", name, tier: tier, bodyCount: 0, suites: suites, reference: reference, isPeer: isPeer)
        }
        return [mix(type, work("mix", ["default"]))]
            + WorkloadPlan.presets.map { plan in
                mix(type, work(plan.name, []), workload: { Workload(plan, seed: $0) })
            }
    }
}

extension SubjectBenchmarks {
    /// The rows of the suite `large`: a disk tier of 1, 8 and 32 GiB, whatever the run's capacity, with bodies of 4
    /// KiB. Each fills the tier, which takes seconds per GiB, and as much space on disk.
    ///
    /// `large/store/…` fills it to overflowing and goes on storing, `large/hit/…` looks up all over it, `large/open/…`
    /// opens it. A figure gives the rate of filling, bytes of bodies a second.
    @inlinable
    package static func large<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        guard Subject.capabilities.isSuperset(of: [.disk, .persistence]) else { return [] }
        return SubjectCase.largeCapacities.flatMap { capacity in
            let work = { (name: String) in
                var work = SubjectCase(
                    "large", "\(name)/\(capacity.name)", tier: .disk, bodyCount: 1 << 12,
                    suites: [BenchmarkSelection.apart], reference: reference, isPeer: isPeer)
                work.diskCapacity = capacity.bytes
                return work
            }
            return [store(type, work("store")), hit(type, work("hit")), open(type, work("open"))]
        }
    }
}
