// Invariant of the pointers: `content` is written once, before it is shared, and never freed.

import CacheTiers
import GaugeSupport

/// Keys of 60 bytes and entries that cost 4 KiB, for the memory benchmarks. The first `count` fill a tier; the `spare`
/// ones follow.
final class MemoryEntries: Sendable {
    /// The number of entries in a full tier.
    let count: Int
    let hasher: KeyHasher
    let keys: KeyPool

    static let cost = 4096
    static let metadataCount = 200
    static let bodyCount = cost - StoredEntry.overhead - 60 - metadataCount

    init(count: Int, spare: Int, seed: UInt64) {
        self.count = count
        hasher = KeyHasher(seed: KeySeed(seed, 0))
        keys = KeyPool(count: count + spare, length: 60, text: Self.url)
    }

    var capacity: Int { count * Self.cost }

    private static func url(_ number: Int) -> String {
        "https://img\(number % 7).example.com/photos/\(number)/thumbnail-"
    }

    /// The keys of `numbers`, in that order.
    func walk(_ numbers: NumberWalk) -> KeyWalk { KeyWalk(numbers, length: 60, text: Self.url) }

    /// `count` uniformly random numbers, and their keys.
    func uniformWalk(seed: UInt64) -> KeyWalk { walk(NumberWalk(uniformBelow: count, seed: seed)) }

    /// Keys beyond the first `count` entries.
    func missingWalk(seed: UInt64) -> KeyWalk {
        var random = Xoshiro256(seed: seed, "missing")
        return walk(NumberWalk { count + Int(random.next(below: 1 << 30)) })
    }

    func make(_ number: Int) -> StoredEntry? {
        StoredEntry(
            hash: hasher.hash(keys[number]), keyCount: 60, metadataCount: Self.metadataCount,
            bodyCount: Self.bodyCount, storedAt: 0, policy: .allowed
        ) { bytes in
            bytes.copyMemory(from: keys[number])
            UnsafeMutableRawBufferPointer(rebasing: bytes[60...]).copyMemory(from: Self.content)
        }
    }

    /// All entries, made in advance, in an order other than that of their addresses.
    func makeAll(seed: UInt64) throws -> [StoredEntry] {
        var random = Xoshiro256(seed: seed, "memory order")
        return try (0..<keys.count).shuffled(using: &random).map { try make($0).orThrow() }
    }

    /// A tier with `count` entries.
    ///
    /// - Parameter first: the number of its first entry.
    func filledTier(from first: Int = 0) throws -> MemoryTier {
        let tier = try MemoryTier(capacity: capacity)
        for number in first..<first + count { _ = tier.store(try make(number).orThrow()) }
        return tier
    }

    /// Metadata and body of every entry.
    nonisolated(unsafe) static let content: UnsafeRawBufferPointer = {
        // Written only here.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: metadataCount + bodyCount, alignment: 64)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        return UnsafeRawBufferPointer(bytes)
    }()
}

struct MissingEntry: Error {}

extension Optional {
    /// The value; throws if it is `nil`.
    func orThrow() throws -> Wrapped {
        guard let self else { throw MissingEntry() }
        return self
    }
}
