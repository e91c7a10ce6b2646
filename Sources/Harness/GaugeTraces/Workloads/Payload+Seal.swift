import GaugeSupport

extension Payload {
    /// A 64-bit hash of the other header fields: a changed header matches its seal with a probability of 2^-64. The
    /// bytes after the header need no seal, since all of them follow from the header.
    package static func seal(key: UInt64, version: UInt64, count: Int) -> UInt64 {
        SplitMix64.mix(SplitMix64.mix(SplitMix64.mix(key) &+ version) &+ UInt64(truncatingIfNeeded: count))
    }
}
