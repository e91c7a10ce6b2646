import CacheTiers
import Foundation
import GaugeMeasurement

/// The peers of the memory benchmarks. They use the same objects, and the same keys in the same order, as ready
/// strings.
enum MemoryPeers {
    // MARK: dictionary-lru

    private static func name(_ case: String, _ subject: String) -> BenchmarkName {
        BenchmarkName("memory", `case`, subject)
    }

    private static func filled(_ entries: MemoryEntries) throws -> DictionaryLRU<StoredEntry> {
        let keys = entries.keys.strings
        let cache = DictionaryLRU<StoredEntry>(capacity: entries.capacity)
        for number in 0..<entries.count {
            cache.store(try entries.make(number).orThrow(), key: keys[number], cost: MemoryEntries.cost)
        }
        return cache
    }

    static func dictionaryHit(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("hit/\(label)", "dictionary-lru"), isPeer: true) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let cache = try filled(entries)
            let keys = Round(entries.uniformWalk(seed: context.seed).strings)
            return PreparedBenchmark(.batched { look(up: keys, in: cache, $0) }, outcome: .memoryHit)
        }
    }

    static let dictionaryMiss = Benchmark(name("miss", "dictionary-lru"), isPeer: true) { context in
        let entries = MemoryEntries(count: 1_000, spare: 0, seed: context.seed)
        let cache = try filled(entries)
        let keys = Round(entries.missingWalk(seed: context.seed).strings)
        return PreparedBenchmark(.batched { look(up: keys, in: cache, $0) }, outcome: .miss)
    }

    private static func look(up keys: Round<String>, in cache: DictionaryLRU<StoredEntry>, _ operations: Int) {
        var folded = 0
        for _ in 0..<operations {
            if let entry = cache.value(keys.next()) { folded &+= entry.bodyCount }
        }
        blackHole(folded)
    }

    static func dictionaryStoreEvict(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("store-evict/\(label)", "dictionary-lru"), isPeer: true) { context in
            let entries = MemoryEntries(count: count, spare: 1_024, seed: context.seed)
            let ready = try entries.makeAll(seed: context.seed)
            let keys = ready.map { entry in entry.withKey { String(decoding: $0, as: UTF8.self) } }
            let cache = DictionaryLRU<StoredEntry>(capacity: entries.capacity)
            for (key, entry) in zip(keys, ready) { cache.store(entry, key: key, cost: MemoryEntries.cost) }
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        cache.store(ready[next], key: keys[next], cost: MemoryEntries.cost)
                        next = next + 1 == ready.count ? 0 : next + 1
                    }
                }, outcome: .storeEvict)
        }
    }

    // MARK: nscache

    private final class Box {
        let entry: StoredEntry
        init(_ entry: StoredEntry) { self.entry = entry }
    }

    static func nscacheHit(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("hit/\(label)", "nscache"), isPeer: true) { context in
            let entries = MemoryEntries(count: count, spare: 0, seed: context.seed)
            let keys = entries.keys.strings.map { NSString(string: $0) }
            let cache = NSCache<NSString, Box>()
            cache.totalCostLimit = entries.capacity
            for number in 0..<count {
                cache.setObject(Box(try entries.make(number).orThrow()), forKey: keys[number], cost: MemoryEntries.cost)
            }
            let asked = Round(entries.uniformWalk(seed: context.seed).strings.map { NSString(string: $0) })
            return PreparedBenchmark(
                .batched { operations in
                    var folded = 0
                    for _ in 0..<operations {
                        if let box = cache.object(forKey: asked.next()) { folded &+= box.entry.bodyCount }
                    }
                    blackHole(folded)
                }, outcome: .memoryHit)
        }
    }

    static func nscacheStoreEvict(_ count: Int, _ label: String) -> Benchmark {
        Benchmark(name("store-evict/\(label)", "nscache"), isPeer: true) { context in
            let entries = MemoryEntries(count: count, spare: 1_024, seed: context.seed)
            let ready = try entries.makeAll(seed: context.seed).map { Box($0) }
            let keys = ready.map { box in box.entry.withKey { NSString(string: String(decoding: $0, as: UTF8.self)) } }
            let cache = NSCache<NSString, Box>()
            cache.totalCostLimit = entries.capacity
            for (key, box) in zip(keys, ready) { cache.setObject(box, forKey: key, cost: MemoryEntries.cost) }
            var next = 0
            return PreparedBenchmark(
                .batched { operations in
                    for _ in 0..<operations {
                        cache.setObject(ready[next], forKey: keys[next], cost: MemoryEntries.cost)
                        next = next + 1 == ready.count ? 0 : next + 1
                    }
                }, outcome: .storeEvict)
        }
    }
}

/// Returns an array's elements in order, over and over.
private final class Round<Element> {
    private let elements: [Element]
    private var place = 0

    init(_ elements: [Element]) { self.elements = elements }

    func next() -> Element {
        let element = elements[place]
        place = place + 1 == elements.count ? 0 : place + 1
        return element
    }
}
