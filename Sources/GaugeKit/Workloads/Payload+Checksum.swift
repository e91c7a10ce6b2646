extension Payload {
    /// 64 bits that stand for every byte of a body but the eight of the checksum itself.
    ///
    /// Four lanes, so that the processor has four multiplications under way at once. Each step is a bijection of the
    /// lane for a given word and of the word for a given lane (the round of Collet's XXH64), and the lanes are joined
    /// by bijections: two bodies of one length that differ in a single word never share a checksum.
    ///
    /// - Parameter body: at least ``headerCount`` bytes.
    static func checksum(of body: UnsafeRawBufferPointer) -> UInt64 {
        guard let start = body.baseAddress, body.count >= headerCount else { return 0 }
        // The header's first three words stand where the lanes begin.
        var a = round(1, word(start, 0))
        var b = round(2, word(start, 8))
        var c = round(3, word(start, 16))
        var d = round(4, UInt64(body.count))
        var offset = headerCount
        while offset + 32 <= body.count {
            a = round(a, word(start, offset))
            b = round(b, word(start, offset + 8))
            c = round(c, word(start, offset + 16))
            d = round(d, word(start, offset + 24))
            offset += 32
        }
        while offset + 8 <= body.count {
            a = round(a, word(start, offset))
            offset += 8
        }
        var last: UInt64 = 0
        while offset < body.count {
            last = last << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
            offset += 1
        }
        return SplitMix64.mix(round(round(round(round(a, last), b), c), d))
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotateLeft(lane &+ word &* 0xC2B2_AE3D_27D4_EB4F, 31) &* 0x9E37_79B1_85EB_CA87
    }

    @inline(__always)
    private static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
