import AllocationCounter
import GaugeKit
import GaugeMeasurement
import GaugeSubjects

@main
struct CacheGauge {
    /// What is measured, in the order of the table. One line a list, so that additions merge.
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

    /// The caches under test; the first is the one that `replay` asks.
    static let subjects: [any CacheSubject.Type] = [
        TieredSubject.self,
        RequestSubject.self,
    ]

    /// Other people's caches.
    static var peers: [any CacheSubject.Type] { diskPeers + [FoundationSubject.self] }

    /// Other people's ways to keep bodies on disk, those whose traits are on.
    static var diskPeers: [any CacheSubject.Type] {
        var peers: [any CacheSubject.Type] = [FilesSubject.self]
        #if SQLite
        peers.append(SQLiteSubject.self)
        #endif
        #if LMDB
        peers.append(LMDBSubject.self)
        #endif
        return peers
    }

    private static var allocationTotals: (@Sendable () -> AllocationTotals)? {
        guard allocation_counter_is_active() else { return nil }
        return { AllocationTotals(count: allocation_counter_count(), bytes: allocation_counter_bytes()) }
    }

    /// Whose time a gate judges: one of each stage, those whose time repeats best.
    static let timeGate: Set<String> = [
        "key-hash/100/tiered", "memory/hit/1k/tiered", "memory/store-evict/1k/tiered", "date/imf/tiered",
        "cache-control/mix/tiered", "engine/hit/tiered", "disk/hit/4k/tiered", "disk/store/4k/tiered",
    ]

    /// With the suite of the time gate.
    private static func suited(_ benchmark: Benchmark) -> Benchmark {
        var suited = benchmark
        if timeGate.contains(benchmark.name.description) { suited.suites.insert(Gauge.timeGateSuite) }
        return suited
    }

    static func main() {
        var gauge = Gauge(
            benchmarks: benchmarks.joined().map(suited), subjects: subjects, peers: peers,
            allocationTotals: allocationTotals
        )
        gauge.cachingRules = ReferenceRules()
        gauge.simulated = [EngineCache.self]
        gauge.reuseRules = ReferenceReuse()
        gauge.main()
    }
}
