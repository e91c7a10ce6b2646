import Platform

/// The first 32 bits of message digests, which some caches name their files by. For texts of up to 55 bytes, which make
/// one block; longer ones are cut.
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

    /// The first 32 bits behind the point.
    private static func fraction(_ number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }
}
