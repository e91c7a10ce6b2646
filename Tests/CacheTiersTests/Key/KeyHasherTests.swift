import CacheTiers
import Platform
import Testing

@Suite("Key hash") struct KeyHasherTests {
    static let hasher = KeyHasher(seed: KeySeed(1, 2))

    static func hash(_ bytes: [UInt8], _ hasher: KeyHasher = hasher) -> KeyHash {
        bytes.withUnsafeBytes { hasher.hash($0) }
    }

    @Test("every byte of a key counts, at every length up to 80 and round the ends of blocks up to 1,100")
    func everyByteCounts() {
        for count in Array(0...80) + [
            127, 128, 255, 256, 257, 300, 511, 512, 513, 528, 600, 1_023, 1_024, 1_025, 1_100,
        ] {
            var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let hash = Self.hash(bytes)
            for index in 0..<count {
                bytes[index] ^= 1
                #expect(Self.hash(bytes) != hash, "byte \(index) of \(count)")
                bytes[index] ^= 1
            }
        }
    }

    @Test("keys of equal bytes and different lengths differ") func lengthCounts() {
        for filler in [UInt8(0), 1, 255] {
            let hashes = (0...600).map { Self.hash(Array(repeating: filler, count: $0)) }
            #expect(Set(hashes).count == hashes.count)
        }
    }

    /// The disk tier finds what an earlier version of the program stored by the hash that is in the file.
    @Test(
        "stays the same for a seed from version to version",
        arguments: [
            (0, 0x67F6_94A1_937C_A803, 0x2A91_A59C_E08D_14EE), (5, 0xD0B1_971B_232A_B5CA, 0xE304_F8F0_4BCB_4771),
            (15, 0x560D_F9AA_0DA3_F8B0, 0x4D37_8162_446D_B2DE), (16, 0xF8CB_0C4E_C942_AA1B, 0x5BFC_F320_286B_3F9A),
            (40, 0x3954_888E_2629_306B, 0x9CCB_C837_9DCB_73C9),
            (300, 0x1227_1166_B5B3_5819, 0x0676_9315_D649_3672),
            (512, 0xAC2A_AB8F_C070_B3BB, 0xF485_6BA7_9BED_92B8), (513, 0x71F2_B7A2_7C08_D427, 0xE465_7FF2_1779_641A),
            (1_100, 0x20EE_5E22_4368_51EB, 0x666B_2DA2_D924_A4DA),
        ] as [(Int, UInt64, UInt64)])
    func lasts(count: Int, low: UInt64, high: UInt64) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(Self.hash(bytes) == KeyHash(low: low, high: high))
    }

    @Test("one seed gives one hash, two seeds two") func seeds() {
        let bytes = Array("https://example.com/".utf8)
        #expect(Self.hash(bytes) == Self.hash(bytes, KeyHasher(seed: KeySeed(1, 2))))
        #expect(Self.hash(bytes) != Self.hash(bytes, KeyHasher(seed: KeySeed(1, 3))))
        #expect(Self.hash(bytes) != Self.hash(bytes, KeyHasher(seed: KeySeed(2, 2))))
        #expect(Self.hash(bytes, KeyHasher()) != Self.hash(bytes, KeyHasher()))
    }

    @Test("does not depend on where the bytes lie") func alignment() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        for count in [5, 16, 40, 300] {
            let hashes = (0..<8).map { shift in
                let shifted = Array(repeating: UInt8(9), count: shift) + bytes[..<count]
                return shifted.withUnsafeBytes { Self.hasher.hash(UnsafeRawBufferPointer(rebasing: $0[shift...])) }
            }
            #expect(Set(hashes).count == 1)
        }
    }

    /// One bit of input changed should change each of the 128 bits of output half of the time.
    @Test("a changed bit changes every bit of the hash about half of the time", arguments: [8, 20, 60, 300, 600])
    func avalanche(count: Int) {
        var random = SplitMix64(state: 42)
        let rounds = 400
        var flips = [Int](repeating: 0, count: 128)
        for _ in 0..<rounds {
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let before = Self.hash(bytes)
            bytes[Int(random.next() % UInt64(count))] ^= 1 << UInt8(random.next() & 7)
            let after = Self.hash(bytes)
            for bit in 0..<64 {
                flips[bit] += Int((before.low ^ after.low) >> UInt64(bit) & 1)
                flips[64 + bit] += Int((before.high ^ after.high) >> UInt64(bit) & 1)
            }
        }
        // Six standard deviations either side.
        let spread = Int(6 * (Double(rounds) / 4).squareRoot())
        for (bit, flipped) in flips.enumerated() {
            #expect(abs(flipped - rounds / 2) <= spread, "bit \(bit): \(flipped) of \(rounds)")
        }
    }

    /// Numbered URLs are what a cache sees most: their slots should collide no more often than at random.
    @Test("numbered URLs spread over the slots as random numbers would") func spread() {
        let slots = 1 << 14
        var taken = [Bool](repeating: false, count: slots)
        for number in 0..<slots {
            let hash = Self.hash(Array("https://img.example.com/photos/\(number).jpg".utf8))
            taken[Int(truncatingIfNeeded: hash.low) & (slots - 1)] = true
        }
        // Of n slots, n random keys leave n/e empty; six standard deviations either side.
        let empty = taken.count { !$0 }
        #expect(abs(empty - 6027) < 6 * 49, "\(empty) empty")
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= splitMixStep
        return splitMixed(state)
    }
}
