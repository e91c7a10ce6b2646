import GaugeKit

/// Without arguments: one table of public caches beside this package's and Foundation's. With arguments: the commands
/// of the harness for all of them, such as `verify --subject lrucache`.
@main
struct PublicCaches {
    private static let ours: [any CacheSubject.Type] = [
        MemoryTierSubject.self, URLCacheSubject<OursInMemory>.self, URLCacheSubject<OursOnDisk>.self,
    ]
    private static let actors: [any AsyncCacheSubject.Type] = [SwiftLRUCacheSubject.self]
    private static let others: [any CacheSubject.Type] = [
        NSCacheSubject.self, URLCacheSubject<FoundationInMemory>.self, URLCacheSubject<FoundationOnDisk>.self,
        LRUCacheSubject.self, LeifCacheSubject.self, KituraCacheSubject.self, MagiCacheSubject.self,
        CacheStoreSubject.self,
    ]

    static func main() throws {
        guard CommandLine.arguments.count == 1 else {
            Gauge.main(subjects: ours, asyncSubjects: actors, peers: others)
        }
        let caches =
            (ours + others).map { ComparedCache($0.name, $0.title, $0.details, $0.capabilities) }
            + actors.map { ComparedCache($0.name, $0.title, $0.details, $0.capabilities) }
        try Comparison(of: caches).run()
    }
}
