import CacheTiers
import Platform

/// Keys by number, and entries whose every byte follows from key and version.
struct StressPool: Sendable {
    let keys: [CacheKey]

    /// Room for some 200 entries.
    static let capacity = 120_000

    init(keyCount: Int) {
        keys = (0..<keyCount).map { TestKey("https://example.com/\($0)").key }
    }

    func make(_ number: Int, version: UInt8, bodyCount: Int) -> StoredEntry {
        let key = keys[number]
        return StoredEntry(
            hash: key.hash, keyCount: key.bytes.count, metadataCount: 1, bodyCount: bodyCount, storedAt: 0,
            policy: .allowed
        ) { bytes in
            bytes.copyBytes(from: key.bytes)
            let filler = UInt8(truncatingIfNeeded: number) &+ version
            UnsafeMutableRawBufferPointer(rebasing: bytes[key.bytes.count...]).initializeMemory(
                as: UInt8.self, repeating: filler)
            bytes[key.bytes.count] = version
        }!
    }

    func isWhole(_ entry: StoredEntry, _ number: Int) -> Bool {
        guard entry.withKey({ $0.elementsEqual(keys[number].bytes) }) else { return false }
        let filler = UInt8(truncatingIfNeeded: number) &+ entry.withMetadata { $0[0] }
        let pattern = UInt64(filler) &* 0x0101_0101_0101_0101
        return entry.withBody { body in
            stride(from: 0, to: body.count, by: 8).allSatisfy {
                body.loadUnaligned(fromByteOffset: $0, as: UInt64.self) == pattern
            }
        }
    }

    func lookup(_ tier: MemoryTier, _ number: Int) -> StoredEntry? {
        keys[number].bytes.withUnsafeBytes { tier.lookup($0, hash: keys[number].hash) }
    }

    /// A lookup, and after a miss a store.
    func ask(_ tier: MemoryTier, _ number: Int) {
        if lookup(tier, number) == nil { _ = tier.store(make(number, version: 0, bodyCount: 8)) }
    }

    /// Mostly a store, sometimes a removal, a truncation or a clearing.
    func change(_ tier: MemoryTier, _ operation: Int, _ random: inout SplitMix64) {
        let choice = random.next()
        let number = Int(choice >> 16 % 600)
        switch choice % 1_000 {
        case 0..<80: tier.remove(keys[number])
        case 80..<84:
            try? tier.setCapacity(Self.capacity / 2)
            try? tier.setCapacity(Self.capacity)
        case 84: tier.removeAll()
        case 85: tier.removeAll(since: 1)
        default:
            let bodyCount = Int(choice >> 40 & 127) * 8
            _ = tier.store(make(number, version: UInt8(truncatingIfNeeded: operation), bodyCount: bodyCount))
        }
    }
}

/// Object numbers by Zipf's law, drawn from a table of sums.
enum Zipf {
    static func stream(objects: Int, exponent: Double, count: Int, seed: UInt64) -> [Int] {
        var sums: [Double] = []
        var sum = 0.0
        for rank in 1...objects {
            sum += 1 / pow(Double(rank), exponent)
            sums.append(sum)
        }
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            let target = Double(random.next() >> 11) * 0x1p-53 * sum
            var low = 0
            var high = objects - 1
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] < target { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
