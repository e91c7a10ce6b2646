import Platform

/// A hash of 32 bits. A cache that tells URLs apart by it alone confuses some of them.
struct WeakHash: Sendable {
    let name: String
    let value: @Sendable (UnsafeRawBufferPointer) -> UInt32

    /// Hashes that caches are made with. Hashes of which a cache keeps fewer bits agree wherever these do.
    static let all = [
        WeakHash(name: "FNV-1a 64, low half") { UInt32(truncatingIfNeeded: fnv1a($0)) },
        WeakHash(name: "FNV-1a 64, high half") { UInt32(truncatingIfNeeded: fnv1a($0) >> 32) },
        WeakHash(name: "FNV-1a 64, folded") { text in
            let hash = fnv1a(text)
            return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
        },
        WeakHash(name: "FNV-1a 32") { fold($0, 0x811C_9DC5) { ($0 ^ $1) &* 0x0100_0193 } },
        WeakHash(name: "FNV-1 32") { fold($0, 0x811C_9DC5) { $0 &* 0x0100_0193 ^ $1 } },
        WeakHash(name: "hash times 31") { fold($0, 0) { $0 &* 31 &+ $1 } },
        WeakHash(name: "djb2") { fold($0, 5_381) { $0 &* 33 &+ $1 } },
        WeakHash(name: "djb2 with exclusive or") { fold($0, 5_381) { $0 &* 33 ^ $1 } },
        WeakHash(name: "sdbm") { fold($0, 0) { $0 &* 65_599 &+ $1 } },
        WeakHash(name: "one at a time", value: oneAtATime),
        WeakHash(name: "CRC-32") { crc($0, 0xEDB8_8320) },
        WeakHash(name: "CRC-32C") { crc($0, 0x82F6_3B78) },
        WeakHash(name: "Adler-32", value: adler),
        WeakHash(name: "MurmurHash3", value: murmur),
        WeakHash(name: "MD5, first 32 bits", value: MessageDigests.md5),
        WeakHash(name: "SHA-1, first 32 bits", value: MessageDigests.sha1),
        WeakHash(name: "SHA-256, first 32 bits", value: MessageDigests.sha256),
    ]

    @inline(__always)
    private static func fold(_ text: UnsafeRawBufferPointer, _ first: UInt32, _ next: (UInt32, UInt32) -> UInt32)
        -> UInt32
    {
        var hash = first
        for byte in text { hash = next(hash, UInt32(byte)) }
        return hash
    }

    /// Jenkins, "Algorithm Alley: Hash Functions", Dr. Dobb's Journal 22(9), 1997.
    private static func oneAtATime(_ text: UnsafeRawBufferPointer) -> UInt32 {
        var hash = fold(text, 0) { hash, byte in
            let sum = (hash &+ byte) &* 1_025
            return sum ^ sum >> 6
        }
        hash &+= hash << 3
        hash ^= hash >> 11
        return hash &+ hash << 15
    }

    private static func crc(_ text: UnsafeRawBufferPointer, _ polynomial: UInt32) -> UInt32 {
        ~fold(text, ~0) { crc, byte in
            var crc = crc ^ byte
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? polynomial : 0) }
            return crc
        }
    }

    /// RFC 1950, section 8.2.
    private static func adler(_ text: UnsafeRawBufferPointer) -> UInt32 {
        var (sum, sums): (UInt32, UInt32) = (1, 0)
        for byte in text {
            sum = (sum + UInt32(byte)) % 65_521
            sums = (sums + sum) % 65_521
        }
        return sums << 16 | sum
    }

    /// MurmurHash3_x86_32 by Appleby, seed 0.
    private static func murmur(_ text: UnsafeRawBufferPointer) -> UInt32 {
        func mixed(_ word: UInt32) -> UInt32 { turned(word &* 0xCC9E_2D51, 15) &* 0x1B87_3593 }
        var hash: UInt32 = 0
        let whole = text.count & ~3
        for offset in stride(from: 0, to: whole, by: 4) {
            hash ^= mixed(UInt32(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = turned(hash, 13) &* 5 &+ 0xE654_6B64
        }
        var rest: UInt32 = 0
        for offset in (whole..<text.count).reversed() { rest = rest << 8 | UInt32(text[offset]) }
        hash ^= mixed(rest) ^ UInt32(truncatingIfNeeded: text.count)
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }

    /// A word rotated to the left.
    static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
