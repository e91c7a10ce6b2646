import Platform

/// A hash of 32 bits. A cache that tells URLs apart by it alone confuses some.
struct WeakHash: Sendable {
    let name: String
    let value: @Sendable (UnsafeRawBufferPointer) -> UInt32

    /// Hashes that caches use. A cache that keeps fewer of their bits confuses at least the same URLs.
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

    static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}

extension WeakHash {
    /// Two URLs with the same hash for each of ``all``, in its order, for checks without time to search.
    static let knownPairs: [ManyKeys.Pair] = [
        ("jv6g4udvzrguaa", "2od6nz7boatepa"),
        ("sa2fmbtrfz55fa", "muut7tzzueujka"),
        ("ojcj83qrrtauoa", "rsza8hy4rrpmga"),
        ("prnemvieeyokaa", "83knrzrbietkpa"),
        ("qi7qvqandcabka", "3s7qi6s2b4ueia"),
        ("ioytygffdtzhia", "f6wp6tamwwy3ia"),
        ("czenjg6x7qamoa", "5kx4ntsuoepqia"),
        ("go8madyu8grqda", "bndo5x6uam7npa"),
        ("vpvwbr27wod4ka", "nmtccofvpeetaa"),
        ("zv6xyg7w3kdama", "kpd6w3rowbynia"),
        ("b3by5piftqd5na", "achajq8whmp2aa"),
        ("punkzeu7odjsaa", "d3xizdm8cgbona"),
        ("426r73gr3d8dia", "k334564yad3mka"),
        ("53o5ahi4wwg2fa", "t6xnonxn726eoa"),
        ("kzzfc6kfdchdia", "2afawdcbkimfda"),
        ("xy6fezreurvgea", "zoyn5vqaa7v7ga"),
        ("owox7g7iqeksqa", "48n8ijkdsivcaa"),
    ].map { (request($0.0), request($0.1)) }

    private static func request(_ path: String) -> SubjectRequest { SubjectRequest("https://a.example/\(path)") }
}

/// The first 32 bits of message digests, which some caches name files by. For texts of up to 55 bytes, i.e. one block;
/// longer ones are cut.
enum MessageDigests {
    /// The words of the only block: the text, a one, zeros, and the length in bits.
    private static func block(_ text: UnsafeRawBufferPointer, isBigEndian: Bool) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: 16)
        let count = min(text.count, 55)
        for place in 0...count {
            let byte = place < count ? UInt32(text[place]) : 0x80
            words[place / 4] |= byte << UInt32(8 * (isBigEndian ? 3 - place % 4 : place % 4))
        }
        words[isBigEndian ? 15 : 14] = UInt32(count * 8)
        return words
    }

    /// RFC 1321.
    static func md5(_ text: UnsafeRawBufferPointer) -> UInt32 {
        let words = block(text, isBigEndian: false)
        let first: UInt32 = 0x6745_2301
        var (a, b, c, d): (UInt32, UInt32, UInt32, UInt32) = (first, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
        for step in 0..<64 {
            let (mix, place) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mix &+ sines[step] &+ words[place]
            (a, d, c) = (d, c, b)
            b = b &+ WeakHash.turned(sum, turns[step / 16 * 4 + step % 4])
        }
        return (first &+ a).byteSwapped
    }

    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    /// RFC 3174.
    static func sha1(_ text: UnsafeRawBufferPointer) -> UInt32 {
        var words = block(text, isBigEndian: true)
        for place in 16..<80 {
            words.append(
                WeakHash.turned(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1))
        }
        let first: UInt32 = 0x6745_2301
        var (a, b, c, d, e): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
            first, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
        )
        for step in 0..<80 {
            let (mix, constant): (UInt32, UInt32) =
                switch step / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let sum = WeakHash.turned(a, 5) &+ mix &+ e &+ constant &+ words[step]
            (e, d, c, b, a) = (d, c, WeakHash.turned(b, 30), a, sum)
        }
        return first &+ a
    }

    /// RFC 6234.
    static func sha256(_ text: UnsafeRawBufferPointer) -> UInt32 {
        var words = block(text, isBigEndian: true)
        func right(_ word: UInt32, _ bits: UInt32) -> UInt32 { WeakHash.turned(word, 32 - bits) }
        for place in 16..<64 {
            let (early, late) = (words[place - 15], words[place - 2])
            words.append(
                words[place - 16] &+ words[place - 7] &+ (right(early, 7) ^ right(early, 18) ^ early >> 3)
                    &+ (right(late, 17) ^ right(late, 19) ^ late >> 10))
        }
        var state = roots
        for step in 0..<64 {
            let (a, e) = (state[0], state[4])
            let choice = e & state[5] ^ ~e & state[6]
            let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
            let mixed = right(e, 6) ^ right(e, 11) ^ right(e, 25)
            let one = state[7] &+ mixed &+ choice &+ cubeRoots[step] &+ words[step]
            let two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) &+ majority
            for place in (1..<8).reversed() { state[place] = state[place - 1] }
            state[4] &+= one
            state[0] = one &+ two
        }
        return roots[0] &+ state[0]
    }

    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let roots = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    private static let cubeRoots = primes.map { fraction(cbrt(Double($0))) }

    /// The first 32 bits of the fraction.
    private static func fraction(_ number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }
}
