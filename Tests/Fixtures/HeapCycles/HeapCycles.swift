import CSupport
import CacheTiers
import DiskSimulation

/// Uses a tier from its making to its end many times, and prints by how many bytes the heap grew: a process of its own,
/// since other tests of the same process would use the heap meanwhile.
///
///     HeapCycles memory|disk lru|gdsf COUNT
@main
struct HeapCycles {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 3, let count = words.last.flatMap({ Int($0) }),
            let policy = ["lru": .leastRecentlyUsed, "gdsf": .greedyDualSizeFrequency][words[2]] as EvictionPolicy?
        else {
            print("usage: HeapCycles memory|disk lru|gdsf COUNT")
            return
        }
        let cycle = { try words[1] == "memory" ? memory(policy) : disk(policy) }
        // What is made once is there after a few cycles. Entries may be released later, so the least of several counts.
        for _ in 0..<20 { try cycle() }
        let before = try least(cycle)
        for _ in 0..<count { try cycle() }
        print(try least(cycle) - before)
    }

    private static func least(_ cycle: () throws -> Void) throws -> Int {
        var least = Int.max
        for _ in 0..<20 {
            try cycle()
            least = min(least, Int(cs_heap_bytes_in_use()))
        }
        return least
    }

    private static func entry(_ number: Int) -> StoredEntry? {
        let key = Array("https://example.org/\(number)".utf8)
        let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 40 + number % 100)
        let hash = KeyHash(low: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, high: UInt64(number))
        return StoredEntry(
            key: ContiguousArray(key).span.bytes, hash: hash, metadata: RawSpan(),
            body: ContiguousArray(body).span.bytes, storedAt: 1_000)
    }

    /// A memory tier that grows, evicts, shrinks, is emptied and filled again.
    private static func memory(_ policy: EvictionPolicy) throws {
        let tier = try MemoryTier(capacity: 60_000, stripes: 2, policy: policy)
        for number in 0..<300 { if let entry = entry(number) { _ = tier.store(entry) } }
        for number in 0..<300 where number % 3 == 0 {
            guard let entry = entry(number) else { continue }
            entry.withKey { _ = (tier.lookup($0, hash: entry.hash), tier.remove($0, hash: entry.hash)) }
        }
        try tier.setCapacity(20_000)
        tier.removeAll(since: 2_000)
        tier.removeAll()
        for number in 0..<50 { if let entry = entry(number) { _ = tier.store(entry) } }
    }

    /// A disk tier that is filled beyond its capacity, closed with its index saved, opened by it and by hopping from
    /// record to record, made smaller and erased.
    private static func disk(_ policy: EvictionPolicy) throws {
        let storage = MemoryStorage()
        func open(_ leastSavedCount: Int) throws -> DiskTier {
            try DiskTier(
                storage, capacity: 64 << 10, seed: KeySeed(1, 2), nonceSeed: 3, leastSavedCount: leastSavedCount,
                policy: policy)
        }
        let first = try open(10)
        for number in 0..<400 { if let entry = entry(number) { _ = try first.store(entry) } }
        for number in 300..<320 { if let entry = entry(number) { _ = try first.remove(entry.hash) } }
        first.close()
        let second = try open(.max)
        for number in 300..<400 {
            if let entry = entry(number) { _ = entry.withKey { second.lookup($0, hash: entry.hash) } }
        }
        second.close()
        storage.cutPower { $0 }
        let third = try open(10)
        try third.removeAll(since: 2_000)
        try third.setCapacity(32 << 10)
        try third.erase()
        third.close()
    }
}
