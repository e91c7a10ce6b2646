/// A keyed hash of 64 bits in a dozen lines: every 16 bytes are multiplied to 128 bits, whose halves are combined, as
/// in wyhash.
struct FoldedHash: Sendable {
    private let key: UInt64

    /// - Parameter key: any number unknown to whoever chooses the texts.
    init(key: UInt64) { self.key = key &* 0x9E37_79B9_7F4A_7C15 }

    @inline(__always)
    func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = key
        var place = 0
        while place + 16 <= bytes.count {
            let first = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let second = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
            hash = Self.fold(first ^ 0xA076_1D64_78BD_642F ^ hash, second ^ 0xE703_7ED1_A0B4_28DB)
            place += 16
        }
        var (first, second): (UInt64, UInt64) = (0, 0)
        if bytes.count >= 16 {
            // Always hashes the last 16 bytes, even if it has hashed some of them already.
            first = bytes.loadUnaligned(fromByteOffset: bytes.count - 16, as: UInt64.self)
            second = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for index in 0..<min(8, bytes.count) { first = first << 8 | UInt64(bytes[index]) }
            for index in min(8, bytes.count)..<bytes.count { second = second << 8 | UInt64(bytes[index]) }
        }
        let count = UInt64(bytes.count) &* 0xD6E8_FEB8_6659_FD93
        return Self.fold(first ^ hash ^ count, second ^ 0x8EBC_6AF0_9C88_C6E3)
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
