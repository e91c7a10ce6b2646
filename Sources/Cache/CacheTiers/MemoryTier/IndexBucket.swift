// Invariant of the pointers: `words` points to eight words of an `EntryIndex`, which outlives the bucket's value. A
// place holds an entry that the table has retained, or zero.

import Platform
import Synchronization

/// One cache line of an `EntryIndex`: a word that sums up the bucket, then seven places for entries.
///
/// A writer fills a place before it writes the summary, and frees a place by the summary alone. So a reader that finds a
/// place by the summary meets the entry or a later one.
struct IndexBucket {
    private let words: UnsafeMutablePointer<Atomic<UInt64>>

    /// The bucket that begins at `address`.
    @inline(__always)
    init(at address: UnsafeMutableRawPointer) { words = address.assumingMemoryBound(to: Atomic<UInt64>.self) }

    /// A place for an entry: 1 to 7.
    typealias Place = Int

    /// The tags of the entries in the bucket, and of those that overflowed into a later one.
    @inline(__always)
    var summary: BucketSummary {
        get { BucketSummary(word: words[0].load(ordering: .acquiring)) }
        nonmutating set { words[0].store(newValue.word, ordering: .releasing) }
    }

    // MARK: Places

    /// The entry in a place.
    @inline(__always)
    subscript(place: Place) -> Unmanaged<EntryStorage>? {
        get { UnsafeRawPointer(bitPattern: UInt(words[place].load(ordering: .acquiring))).map { .fromOpaque($0) } }
        nonmutating set {
            words[place].store(UInt64(newValue.map { UInt(bitPattern: $0.toOpaque()) } ?? 0), ordering: .releasing)
        }
    }
}

/// The first word of a bucket. Of its eight bytes the lower seven are the fingerprints of the entries in the places 1 to
/// 7, zero for a free place. The highest counts the entries that found the bucket full and are in a later one.
struct BucketSummary {
    private(set) var word: UInt64

    @inline(__always)
    init(word: UInt64) { self.word = word }

    private static let lowBits: UInt64 = 0x0001_0101_0101_0101
    private static let highBits: UInt64 = 0x0080_8080_8080_8080

    /// Seven bits of a tag, others than those that choose the bucket, and one that is never zero.
    @inline(__always)
    private static func fingerprint(_ tag: UInt32) -> UInt64 { UInt64(tag >> 25 | 0x80) }

    // MARK: Places

    /// The places in which an entry of this tag may be: those of the same fingerprint, and rarely one more.
    ///
    /// All seven bytes at once: a byte of the difference that is zero borrows when 1 is taken from it (Warren, "Hacker's
    /// Delight", 6-1).
    @inline(__always)
    func places(of tag: UInt32) -> BucketPlaces {
        let difference = word ^ Self.fingerprint(tag) &* Self.lowBits
        return BucketPlaces(bits: (difference &- Self.lowBits) & ~difference & Self.highBits)
    }

    /// A place that is free, `nil` in a full bucket.
    var freePlace: IndexBucket.Place? {
        var free = BucketPlaces(bits: ~word & Self.highBits)
        return free.next()
    }

    /// Notes an entry in a free place.
    mutating func occupy(_ place: IndexBucket.Place, by tag: UInt32) {
        word |= Self.fingerprint(tag) << Self.shift(place)
    }

    /// Marks the place as free.
    mutating func free(_ place: IndexBucket.Place) { word &= ~(0xFF << Self.shift(place)) }

    private static func shift(_ place: IndexBucket.Place) -> UInt64 { UInt64(place - 1) * 8 }

    // MARK: Entries in later buckets

    private static let onePass: UInt64 = 1 << 56
    /// Where the count ends and stays: it cannot be said any more when it would be zero.
    private static let mostPasses: UInt64 = 0xFF << 56

    /// Whether there may be entries in later buckets that found this one full.
    @inline(__always)
    var isPassed: Bool { word >= Self.onePass }

    /// Counts an entry that is put into a later bucket.
    mutating func pass() { if word < Self.mostPasses { word += Self.onePass } }

    /// Takes back a `pass` of an entry that goes.
    mutating func unpass() { if word < Self.mostPasses { word -= Self.onePass } }
}

/// Some of the places of a bucket.
struct BucketPlaces {
    /// Bit 7 of each byte, from the lowest on.
    fileprivate var bits: UInt64

    /// Takes out the first.
    @inline(__always)
    mutating func next() -> IndexBucket.Place? {
        guard bits != 0 else { return nil }
        defer { bits &= bits &- 1 }
        return bits.trailingZeroBitCount / 8 + 1
    }
}
