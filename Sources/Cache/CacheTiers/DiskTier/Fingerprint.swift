/// A key as the index knows it: 44 bits that follow from its keyed hash.
///
/// Two keys with the same fingerprint share a slot of the index, so that storing one forgets the other; the comparison of
/// the whole key on every hit keeps them apart. At 10 million entries 3 keys are expected to be forgotten so, at the 268
/// million of 1 TiB 2,000.
struct Fingerprint: Hashable, Comparable, Sendable {
    let bits: UInt64

    static let bitCount = 44

    /// Multiplying spreads hashes that differ in few bits over the high bits, by which the index is ordered.
    @inline(__always)
    init(_ hashLow: UInt64) { bits = (hashLow &* 0x9E37_79B9_7F4A_7C15) >> 20 }

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// A hash that has this fingerprint: the product with the multiplier's inverse modulo 2^64.
    var anyHash: UInt64 { (bits << 20) &* 0xF1DE_83E1_9937_733D }

    /// The high 32 bits, which the lists of segments keep.
    @inline(__always)
    var prefix: UInt32 { UInt32(truncatingIfNeeded: bits >> 12) }

    @inline(__always)
    static func < (left: Fingerprint, right: Fingerprint) -> Bool { left.bits < right.bits }
}
