// Eight bytes handled as one little-endian word, a byte a lane. Each load goes through `littleEndian`, so every
// constant below means the same bytes on every platform.
//
// Invariant of the loads: the caller has shown that the bytes `offset ..< offset + size` lie inside the buffer. Nothing
// here checks it, and nothing here reads one byte more.

@inline(__always)
func loadEight(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}

/// Eight bytes from `offset`, the first in the lowest lane.
@inlinable @inline(__always)
func loadEight(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
}

@inline(__always)
func loadByte(_ base: UnsafeRawPointer, _ offset: Int) -> UInt8 {
    base.load(fromByteOffset: offset, as: UInt8.self)
}

@inlinable @inline(__always)
func lanes(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

/// The top bit of each lane that holds more than 9, given a word of ASCII digits XORed with `lanes("0")`.
///
/// A lane of 0x8A or more carries into its neighbour, so only the lowest marked lane is surely wrong. To test that all
/// are digits, or to find the first that is not, the result is exact.
@inlinable @inline(__always)
func lanesAboveNine(_ digits: UInt64) -> UInt64 { ((digits &+ lanes(0x76)) | digits) & lanes(0x80) }

/// The top bit of each lane that is zero; exact in every lane.
@inline(__always)
func zeroLanes(_ word: UInt64) -> UInt64 {
    ~(((word & lanes(0x7F)) &+ lanes(0x7F)) | word) & lanes(0x80)
}

/// The number that eight decimal digits write. The first is in the lowest lane, and each lane is 0 to 9.
@inlinable @inline(__always)
func decimal(_ digits: UInt64) -> UInt64 {
    let pairs = ((digits &* 10) &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = ((pairs &* 100) &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return ((fours &* 10_000) &+ (fours >> 32)) & 0xFFFF_FFFF
}

/// The lowest lane that is zero; 8 if there is none.
@inline(__always)
func firstZeroLane(_ word: UInt64) -> Int {
    ((word &- lanes(0x01)) & ~word & lanes(0x80)).trailingZeroBitCount >> 3
}

/// The lowest lane below `bound` (at most 128); 8 if there is none.
@inline(__always)
func firstLane(_ word: UInt64, below bound: UInt8) -> Int {
    ((word &- lanes(bound)) & ~word & lanes(0x80)).trailingZeroBitCount >> 3
}

/// All ones in the lowest `count` lanes, 0 to 8.
@inline(__always)
func lowLanes(_ count: Int) -> UInt64 {
    count == 0 ? 0 : ~0 >> (64 &- UInt64(truncatingIfNeeded: count) &* 8)
}

/// Reads a buffer by words. Everything behind its end reads as zero.
///
/// Invariant: `base` has at least eight readable bytes and at least `count` of them. `limit` is the last offset where
/// eight are readable; nothing is loaded from beyond it.
struct WordReader {
    let base: UnsafeRawPointer
    let count: Int
    private let limit: Int

    @inline(__always)
    init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
        limit = max(count, 8) &- 8
    }

    @inline(__always)
    func word(at place: Int) -> UInt64 {
        let start = min(place, limit)
        return loadEight(base, start) >> (UInt64(truncatingIfNeeded: place &- start) &* 8)
    }

    /// The eight bytes from `place`, where there is at least one.
    @inline(__always)
    func wordInside(at place: Int) -> UInt64 {
        let start = min(place, limit)
        return loadEight(base, start) &>> (UInt64(truncatingIfNeeded: place &- start) &* 8)
    }

    /// Like `wordInside(at:)`, but faster in the middle of a long text: it has a branch, nearly always taken the same
    /// way, instead of arithmetic.
    @inline(__always)
    func wordWellInside(at place: Int) -> UInt64 {
        place <= limit ? loadEight(base, place) : wordInside(at: place)
    }

    /// The byte at `place` (0 or more), or `substitute` behind the end.
    @inline(__always)
    func byte(at place: Int, or substitute: UInt8 = 0) -> UInt8 {
        place < count ? loadByte(base, place) : substitute
    }

    /// Calls `body` with a reader of `bytes`. Fewer than eight bytes are copied first.
    @inline(__always)
    static func with<Result, Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, _ body: (WordReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let base = bytes.baseAddress, bytes.count >= 8 {
            return try body(WordReader(base: base, count: bytes.count))
        }
        var copy: UInt64 = 0
        for (place, byte) in bytes.enumerated() { copy |= UInt64(byte) &<< (UInt64(truncatingIfNeeded: place) &* 8) }
        copy = copy.littleEndian
        return try withUnsafePointer(to: copy) { (copy) throws(Failure) in
            try body(WordReader(base: UnsafeRawPointer(copy), count: bytes.count))
        }
    }
}
