/// The classes of bytes of RFC 3986.
enum URLBytes {
    /// Whether a path, query or fragment may contain the byte, outside percent-encoding (sections 3.3 to 3.5).
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "?")...UInt8(ascii: "Z"),
            UInt8(ascii: "&")...UInt8(ascii: ";"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether all of 16 bytes are plain.
    @inline(__always)
    static func arePlain(_ bytes: SIMD16<UInt8>) -> Bool {
        let letters = isBetween(bytes, UInt8(ascii: "a"), UInt8(ascii: "z"))
        let capitals = isBetween(bytes, UInt8(ascii: "?"), UInt8(ascii: "Z"))
        let digits = isBetween(bytes, UInt8(ascii: "&"), UInt8(ascii: ";"))
        let dashes =
            isEqual(bytes, UInt8(ascii: "=")) .| isEqual(bytes, UInt8(ascii: "_")) .| isEqual(bytes, UInt8(ascii: "~"))
        let marks = isEqual(bytes, UInt8(ascii: "!")) .| isEqual(bytes, UInt8(ascii: "$"))
        // As two words: `all` is a call, and a loop over the 16 lanes in it.
        let words = unsafeBitCast(letters .| capitals .| digits .| dashes .| marks, to: SIMD2<UInt64>.self)
        return words.x & words.y == .max
    }

    // Both sides as vectors: compared with a scalar, each lane is compared alone.
    @inline(__always)
    private static func isEqual(_ bytes: SIMD16<UInt8>, _ byte: UInt8) -> SIMDMask<SIMD16<Int8>> {
        bytes .== SIMD16(repeating: byte)
    }

    @inline(__always)
    private static func isBetween(_ bytes: SIMD16<UInt8>, _ first: UInt8, _ last: UInt8) -> SIMDMask<SIMD16<Int8>> {
        (bytes &- SIMD16(repeating: first)) .<= SIMD16(repeating: last - first)
    }

    /// Whether a registered name may contain the byte; capitals and percent-encoding apart (section 3.2.2).
    @inline(__always)
    static func isLowercaseName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// How many bytes from the first on are small letters, digits, dots or dashes, as nearly all bytes of hosts are.
    @inline(__always)
    static func usualHostBytes(_ bytes: SIMD16<UInt8>) -> Int {
        let letters = isBetween(bytes, UInt8(ascii: "a"), UInt8(ascii: "z"))
        let digits = isBetween(bytes, UInt8(ascii: "0"), UInt8(ascii: "9"))
        let marks = isEqual(bytes, UInt8(ascii: ".")) .| isEqual(bytes, UInt8(ascii: "-"))
        let words = unsafeBitCast(letters .| digits .| marks, to: SIMD2<UInt64>.self)
        let first = (~UInt64(littleEndian: words.x)).trailingZeroBitCount / 8
        return first < 8 ? first : 8 + (~UInt64(littleEndian: words.y)).trailingZeroBitCount / 8
    }

    static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}
