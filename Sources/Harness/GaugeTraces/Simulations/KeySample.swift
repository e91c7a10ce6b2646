import GaugeSupport

/// A sample of the keys of a trace: those whose hash lies in a range. All requests for a key are in it, or none. C. A.
/// Waldspurger, N. Park, A. Garthwaite, I. Ahmad, "Efficient MRC construction with SHARDS", FAST 2015.
package struct KeySample: Hashable, Sendable {
    /// The number of hashes.
    private static let hashes: UInt64 = 1 << 62

    /// Chooses the keys.
    package let seed: UInt64
    /// The part of the keys that is sampled from, from 0, and the number of such parts.
    package let shard: Int
    package let shards: Int
    /// The most keys; the rate falls when there are more. `nil` for a fixed rate.
    package let mostKeys: Int?
    private let lower: UInt64
    private var width: UInt64

    /// - Parameters:
    ///   - rate: the share of the keys that is sampled, of all shards together: above 0, at most 1.
    ///   - mostKeys: the most keys at a time, at least 64.
    ///   - shard: from 0 to `shards` − 1. Samples of different shards have no key in common.
    package init(seed: UInt64, rate: Double = 1, mostKeys: Int? = nil, shard: Int = 0, of shards: Int = 1) {
        (self.seed, self.shard, self.shards, self.mostKeys) = (seed, shard, shards, mostKeys)
        let part = Self.hashes / UInt64(max(1, shards))
        lower = part * UInt64(max(0, shard))
        width = max(1, UInt64(Double(part) * min(1, max(0, rate))))
    }

    /// The share of the keys that is sampled.
    package var rate: Double { Double(width) / Double(Self.hashes) }

    /// The hash of a key that is in the sample.
    @inline(__always)
    package func hash(of id: UInt64) -> UInt64? {
        let hash = SplitMix64.mix(SplitMix64.mix(id &+ 0x9E37_79B9_7F4A_7C15) ^ seed) >> 2
        return hash &- lower < width ? hash : nil
    }

    /// Whether a hash is still in the sample.
    func contains(_ hash: UInt64) -> Bool { hash &- lower < width }

    /// Lowers the rate, so that of these hashes only the lowest `count` are left.
    mutating func narrow(to count: Int, of hashes: [UInt64]) {
        let sorted = hashes.sorted()
        if count < sorted.count { width = max(1, min(width, sorted[count] - lower)) }
    }
}
