/// A 128-bit hash of a cache key, keyed by a seed that is random per cache.
public struct KeyHash: Hashable, Sendable {
    /// The low half: chooses bucket and fingerprint.
    public let low: UInt64
    /// The high half.
    public let high: UInt64

    /// Joins two halves.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }
}
