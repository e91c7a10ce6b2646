import CacheTiers
import Platform

/// Keys by number, and entries whose every byte follows from key and version.
struct StressPool: Sendable {
    private let keys: [[UInt8]]
    private let hashes: [KeyHash]

    /// Room for some 200 entries.
    static let capacity = 120_000

    /// - Parameter slots: how many hashes there are; `nil` for as many as keys.
    init(keyCount: Int, slots: Int? = nil) {
        let keys = (0..<keyCount).map { TestKey("https://example.com/\($0)").key }
        self.keys = keys.map(\.bytes)
        hashes = keys.enumerated().map { number, key in
            slots.map { KeyHash(low: UInt64(number % $0), high: 0) } ?? key.hash
        }
    }

    func make(_ number: Int, version: UInt8, bodyCount: Int) -> StoredEntry {
        let key = keys[number]
        return StoredEntry(
            hash: hashes[number], keyCount: key.count, metadataCount: 1, bodyCount: bodyCount, storedAt: 0,
            policy: .allowed
        ) { bytes in
            bytes.copyBytes(from: key)
            let filler = UInt8(truncatingIfNeeded: number) &+ version
            UnsafeMutableRawBufferPointer(rebasing: bytes[key.count...]).initializeMemory(
                as: UInt8.self, repeating: filler)
            bytes[key.count] = version
        }!
    }

    func isWhole(_ entry: StoredEntry, _ number: Int) -> Bool {
        guard entry.withKey({ $0.elementsEqual(keys[number]) }) else { return false }
        let filler = UInt8(truncatingIfNeeded: number) &+ entry.withMetadata { $0[0] }
        let pattern = UInt64(filler) &* 0x0101_0101_0101_0101
        return entry.withBody { body in
            stride(from: 0, to: body.count, by: 8).allSatisfy {
                body.loadUnaligned(fromByteOffset: $0, as: UInt64.self) == pattern
            }
        }
    }

    func lookup(_ tier: MemoryTier, _ number: Int) -> StoredEntry? {
        keys[number].withUnsafeBytes { tier.lookup($0, hash: hashes[number]) }
    }

    func remove(_ tier: MemoryTier, _ number: Int) {
        keys[number].withUnsafeBytes { _ = tier.remove($0, hash: hashes[number]) }
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
        case 0..<80: remove(tier, number)
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
