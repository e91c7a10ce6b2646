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
        func range(_ first: Character, _ last: Character) -> SIMDMask<SIMD16<Int8>> {
            let start = first.asciiValue ?? 0
            let end = last.asciiValue ?? 0
            return bytes &- SIMD16(repeating: start) .<= SIMD16(repeating: end &- start)
        }
        let common = range("a", "z") .| range("?", "Z") .| range("&", ";")
        let rare = (bytes .== 0x21) .| (bytes .== 0x24) .| (bytes .== 0x3D) .| (bytes .== 0x5F) .| (bytes .== 0x7E)
        return all(common .| rare)
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

    static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}
