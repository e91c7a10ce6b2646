import GaugeKit

@main
struct CacheGauge {
    /// All benchmarks in the order of the table, one list per line so that additions merge.
    static let benchmarks: [[Benchmark]] = [
        HarnessBenchmarks.all,
        KeyHashBenchmarks.all,
        KeyBenchmarks.all,
        MemoryBenchmarks.all,
        ReuseBenchmarks.all,
        DateBenchmarks.all,
        CacheControlBenchmarks.all,
        FieldsBenchmarks.all,
        URLCacheBenchmarks.memory,
        DiskBenchmarks.all,
        TwoTierBenchmarks.all,
        EngineBenchmarks.all,
        URLCacheBenchmarks.all,
        SessionBenchmarks.all,
        FetchBenchmarks.all,
    ]

    /// The caches under test. The first is the default of `replay`.
    static let subjects: [any CacheSubject.Type] = [TieredSubject.self, RequestSubject.self]

    static let asyncSubjects: [any AsyncCacheSubject.Type] = [SessionSubject.self]

    /// Other people's caches.
    static var peers: [any CacheSubject.Type] { DiskPeers.all + [FoundationSubject.self] }

    /// The benchmarks whose time a gate judges: one or two per stage, with the most stable times.
    static let timeGate: Set<String> = [
        "key-hash/100/tiered", "memory/hit/1k/tiered", "memory/store-evict/1k/tiered", "date/imf/tiered",
        "cache-control/mix/tiered", "engine/hit/tiered", "disk/hit/4k/tiered", "disk/store/4k/tiered",
    ]

    /// What programs usually have; the other peers are the nearest that an engineer would write.
    static let usual: Set<String> = [
        "swift-hasher", "dictionary-lru", "nscache", "strptime", "date-formatter", "split", FoundationSubject.name,
    ]

    /// The rows of every cache, for those of `subjects` and `peers` that the lists above don't name.
    static func others(_ subjects: [any CacheSubject.Type], peers: [any CacheSubject.Type]) -> [Benchmark] {
        let named = Set(benchmarks.joined().map(\.name.subject))
        func isNew(_ type: any CacheSubject.Type) -> Bool { !named.contains(type.name) }
        return Gauge.benchmarks(
            of: subjects.filter(isNew), peers: peers.filter(isNew), reference: TieredSubject.name)
    }

    /// Adds the time gate's suite to its benchmarks, and marks the usual peers.
    private static func suited(_ benchmark: Benchmark) -> Benchmark {
        var suited = benchmark
        suited.isUsual = usual.contains(benchmark.name.subject)
        if timeGate.contains(benchmark.name.description) { suited.suites.insert(Gauge.timeGateSuite) }
        return suited
    }

    static func main() {
        var gauge = Gauge(
            benchmarks: (benchmarks.joined() + others(subjects, peers: peers)).map(suited), subjects: subjects,
            asyncSubjects: asyncSubjects,
            peers: peers)
        gauge.words = Words.all
        gauge.absent = DiskPeers.absent
        gauge.cachingRules = ReferenceRules()
        gauge.admission = TieredSubject.admission
        gauge.simulated = [EngineCache.self]
        gauge.reuseRules = ReferenceReuse()
        gauge.main()
    }
}
