// The bytes of bodies: unsafe pointers, since a replay writes and compares tens of gigabytes of them. Every access lies
// within the region that is passed in: whole words up to `count / 8`, then the bytes that are left.

extension Payload {
    /// Fills a region with what follows from key and version.
    ///
    /// Word i is word i of a fixed pattern, which repeats, XOR a number that begins with the hash of key and version and
    /// grows by a constant. No two words are alike but by chance, so that no cache or file system can compress them away;
    /// and writing and comparing are loops of additions and XORs, which compilers make vectors of.
    static func fill(_ region: UnsafeMutableRawBufferPointer, key: UInt64, version: UInt64) {
        guard let start = region.baseAddress else { return }
        let filler = Filler(key: key, version: version)
        filler.forEachBlock(of: region.count / 8) { pattern, first, number, count in
            let words = start + first * 8
            for index in 0..<count {
                let word = pattern[index] ^ (number &+ UInt64(truncatingIfNeeded: index) &* Filler.step)
                words.storeBytes(of: word.littleEndian, toByteOffset: index &* 8, as: UInt64.self)
            }
        }
        var last = filler.word(region.count / 8)
        for index in (region.count & ~7)..<region.count {
            region[index] = UInt8(truncatingIfNeeded: last)
            last >>= 8
        }
    }

    /// Whether a region is what ``fill(_:key:version:)`` writes, every bit of it.
    static func isFiller(_ region: UnsafeRawBufferPointer, key: UInt64, version: UInt64) -> Bool {
        guard let start = region.baseAddress else { return true }
        let filler = Filler(key: key, version: version)
        var difference: UInt64 = 0
        filler.forEachBlock(of: region.count / 8) { pattern, first, number, count in
            let words = start + first * 8
            for index in 0..<count {
                let word = pattern[index] ^ (number &+ UInt64(truncatingIfNeeded: index) &* Filler.step)
                difference |=
                    word ^ UInt64(littleEndian: words.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
            }
        }
        var last = filler.word(region.count / 8)
        for index in (region.count & ~7)..<region.count {
            difference |= UInt64(region[index] ^ UInt8(truncatingIfNeeded: last))
            last >>= 8
        }
        return difference == 0
    }
}

/// The words of one body's filler.
private struct Filler {
    /// 8 KiB, to stay in the nearest cache.
    private static let pattern: [UInt64] = {
        var random = SplitMix64(seed: 0x4347_5031)
        return (0..<1024).map { _ in random.next() }
    }()

    /// What the number of a word is larger by than that of the word before.
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let first: UInt64

    init(key: UInt64, version: UInt64) { first = SplitMix64.mix(SplitMix64.mix(key) &+ version) }

    private func number(_ index: Int) -> UInt64 { first &+ UInt64(truncatingIfNeeded: index) &* Self.step }

    /// One word.
    func word(_ index: Int) -> UInt64 { Self.pattern[index % Self.pattern.count] ^ number(index) }

    /// Lends the pattern from its beginning for each of the blocks that so many words fall into, with the block's first
    /// word, its number, and how many words the block has.
    @inline(__always)
    func forEachBlock(of count: Int, _ body: (UnsafePointer<UInt64>, Int, UInt64, Int) -> Void) {
        Self.pattern.withUnsafeBufferPointer { pattern in
            guard let words = pattern.baseAddress else { return }
            var done = 0
            while done < count {
                let length = min(pattern.count, count - done)
                body(words, done, number(done), length)
                done += length
            }
        }
    }
}
