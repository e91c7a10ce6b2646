import GaugeSupport

extension Payload {
    /// 64 bits that stand for the rest of a header: a header that was changed does not have the seal of what it says, but
    /// for one change in 2^64. What follows the header needs none, since all of it follows from the header.
    package static func seal(key: UInt64, version: UInt64, count: Int) -> UInt64 {
        SplitMix64.mix(SplitMix64.mix(SplitMix64.mix(key) &+ version) &+ UInt64(truncatingIfNeeded: count))
    }
}
