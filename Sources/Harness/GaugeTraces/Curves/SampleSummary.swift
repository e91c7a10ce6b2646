/// The keys that a curve was estimated from.
package struct SampleSummary: Hashable, Sendable {
    /// The share of all keys; at the end, if it fell.
    package let rate: Double
    /// Chose the keys.
    package let seed: UInt64
    /// The shards that were sampled from, in ascending order.
    package let shards: [Int]
    /// The number of shards that the keys are divided into.
    package let shardCount: Int

    package init(rate: Double, seed: UInt64, shards: [Int], of shardCount: Int) {
        (self.rate, self.seed, self.shards, self.shardCount) = (rate, seed, shards.sorted(), shardCount)
    }

    init(_ sample: KeySample) {
        self.init(rate: sample.rate, seed: sample.seed, shards: [sample.shard], of: sample.shards)
    }
}
