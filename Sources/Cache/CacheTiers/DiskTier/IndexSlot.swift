/// One entry of the index, in 12 bytes: a fingerprint, the place of its newest record, and the record's length.
struct IndexSlot: Sendable {
    /// The record's place (`LogGeometry.place`); 0, where the superblock stands, is an empty slot.
    var place: UInt32
    /// The fingerprint's high 32 bits.
    private var high: UInt32
    /// From the highest bit on: the fingerprint's low 12 bits, the touch bit (the record was looked up since it was
    /// written), and the length's code.
    private var rest: UInt32

    private static var touchBit: UInt32 { 1 << 19 }

    static let empty = IndexSlot(place: 0, high: 0, rest: 0)

    private init(place: UInt32, high: UInt32, rest: UInt32) {
        self.place = place
        self.high = high
        self.rest = rest
    }

    @inline(__always)
    init(_ fingerprint: Fingerprint, place: UInt32, length: Int) {
        self.place = place
        high = fingerprint.prefix
        rest = UInt32(truncatingIfNeeded: fingerprint.bits) << 20 | RecordLength(rounding: length).code
    }

    @inline(__always) var isEmpty: Bool { place == 0 }

    @inline(__always) var fingerprint: Fingerprint { Fingerprint(bits: UInt64(high) << 12 | UInt64(rest >> 20)) }

    /// Bytes of the record, header included, rounded as `RecordLength` says.
    @inline(__always) var length: Int { RecordLength(code: rest & (Self.touchBit - 1)).byteCount }

    /// Whether the record was looked up since it was written.
    @inline(__always) var isTouched: Bool {
        get { rest & Self.touchBit != 0 }
        set { rest = newValue ? rest | Self.touchBit : rest & ~Self.touchBit }
    }
}

/// A record's length in 19 bits: rounded up to eight bytes, and above 256 KiB to one part in 16,384.
///
/// A floating-point number of 15 bits of mantissa and 4 of exponent, in units of eight bytes.
struct RecordLength: Hashable, Sendable {
    let code: UInt32

    private static let mantissaBits: UInt32 = 15

    @inline(__always)
    init(code: UInt32) { self.code = code }

    /// - Parameter byteCount: at most `RecordHeader.mostRecordBytes`.
    @inline(__always)
    init(rounding byteCount: Int) {
        let eights = UInt32(truncatingIfNeeded: (byteCount + 7) >> 3)
        self = eights < 1 << Self.mantissaBits ? RecordLength(code: eights) : RecordLength(eights: eights)
    }

    @inline(never)
    private init(eights: UInt32) {
        var exponent = 32 - Self.mantissaBits - UInt32(eights.leadingZeroBitCount)
        var mantissa = (eights + (1 << exponent - 1)) >> exponent
        if mantissa == 1 << Self.mantissaBits {
            mantissa >>= 1
            exponent += 1
        }
        code = exponent << Self.mantissaBits | mantissa
    }

    /// The rounded length.
    @inline(__always)
    var byteCount: Int {
        let mantissa = Int(code & (1 << Self.mantissaBits - 1))
        return (mantissa << Int(code >> Self.mantissaBits)) << 3
    }

    /// `byteCount` as the index keeps it.
    @inline(__always)
    static func rounded(_ byteCount: Int) -> Int { RecordLength(rounding: byteCount).byteCount }
}

/// A key as the index knows it: 44 bits of its keyed hash.
///
/// Two keys with the same fingerprint share a slot, so storing one forgets the other; every hit compares the whole key.
/// Of 10 million entries 3 are expected to be forgotten so, of the 268 million of 1 TiB 2,000.
struct Fingerprint: Hashable, Comparable, Sendable {
    let bits: UInt64

    static let bitCount = 44

    /// Multiplying spreads hashes that differ in few bits over the high bits, by which the index is sorted.
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
