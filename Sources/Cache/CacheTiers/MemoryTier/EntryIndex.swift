import CSupport
import Platform
import Synchronization

/// A hash table of entries for readers without a lock, and one writer.
///
/// A bucket is one cache line: seven places for entries, and a word with a byte for each. An entry whose bucket is full
/// goes into the next one that has room, and every bucket that it passes counts it, so that a search ends where nothing
/// passed. An entry stays in its place until it is removed, so no reader misses it; and there are no tombstones, so the
/// index doesn't get slower with use. The layout is F14's (Bronson and Shi, "Open-sourcing F14 for faster, more
/// memory-efficient hash tables", 2019).
///
/// Invariants, on which the unsafe pointers rest:
/// - at `address`, aligned to a pair of cache lines, there are `1 << bits` buckets of `bucketSize` bytes, all
///   initialised, with at most four entries each on average;
/// - a place in the summary holds the address of an entry that the tier retains until every reader has been seen
///   outside since it was taken out (`MemoryTier.waitForReaders`).
struct EntryIndex {
    /// Address and size in one word, so that readers find both in one load.
    let word: UInt

    /// The index whose `word` this is.
    @inline(__always)
    init(word: UInt) { self.word = word }

    /// An empty index with room for `capacity` entries, a power of two and at least 4.
    init(capacity: Int) {
        let count = capacity / Self.entriesPerBucket
        let address = UnsafeMutableRawPointer.allocate(
            byteCount: max(count * Self.bucketSize, cacheLinePair), alignment: cacheLinePair)
        let words = count * Self.bucketSize / MemoryLayout<UInt64>.stride
        let first = address.bindMemory(to: Atomic<UInt64>.self, capacity: words)
        for number in 0..<words { (first + number).initialize(to: Atomic(0)) }
        word = UInt(bitPattern: address) | UInt(count.trailingZeroBitCount)
    }

    /// Frees the memory; doesn't release the entries.
    func deallocate() { address.deallocate() }

    private static let entriesPerBucket = 4
    private static let bucketSize = 64
    /// The bits of `word` that the alignment leaves free.
    private static let bitsMask = UInt(cacheLinePair - 1)

    /// How many bits of a hash choose the bucket.
    @inline(__always)
    private var bits: UInt { word & Self.bitsMask }

    @inline(__always)
    private var address: UnsafeMutableRawPointer {
        // Never null: made from the address of an allocation.
        UnsafeMutableRawPointer(bitPattern: word & ~Self.bitsMask).unsafelyUnwrapped
    }

    /// How many entries there is room for.
    var capacity: Int { Self.entriesPerBucket &<< Int(bitPattern: bits) }

    @inline(__always)
    func bucket(_ position: Position) -> IndexBucket {
        IndexBucket(at: address + position.number &* Self.bucketSize)
    }

    /// Where a search is.
    struct Position {
        private(set) var number: Int
        /// How many buckets have been passed.
        private(set) var distance = 0
        private let mask: Int

        @inline(__always)
        init(home tag: UInt32, in index: EntryIndex) {
            mask = 1 &<< Int(bitPattern: index.bits) &- 1
            number = Int(tag) & mask
        }

        /// Goes to the next bucket; `false` after the last.
        @inline(__always)
        mutating func advance() -> Bool {
            guard distance < mask else { return false }
            number = (number &+ 1) & mask
            distance &+= 1
            return true
        }
    }

    // MARK: Reading, by any thread

    /// The bits of a hash that the index uses.
    @inline(__always)
    static func tag(_ hash: KeyHash) -> UInt32 { UInt32(truncatingIfNeeded: hash.low) }

    /// The entry with this key, or `nil`.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Unmanaged<EntryStorage>? {
        let tag = Self.tag(hash)
        var position = Position(home: tag, in: self)
        while true {
            let bucket = bucket(position)
            let summary = bucket.summary
            var candidates = summary.places(of: tag)
            while let place = candidates.next() {
                if let entry = bucket[place], entry._withUnsafeGuaranteedRef({ $0.hasKey(key) }) { return entry }
            }
            guard summary.isPassed, position.advance() else { return nil }
        }
    }

    /// Begins to load the bucket of a tag.
    @inline(__always)
    func prefetch(_ tag: UInt32) {
        cs_prefetch(address + Position(home: tag, in: self).number &* Self.bucketSize)
    }

    // MARK: Changing, by the writer

    /// Inserts an entry whose key isn't there yet.
    func insert(_ entry: Unmanaged<EntryStorage>, tag: UInt32) {
        var position = Position(home: tag, in: self)
        while true {
            let bucket = bucket(position)
            if let place = bucket.summary.freePlace {
                bucket[place] = entry
                bucket.summary.occupy(place, by: tag)
                return
            }
            bucket.summary.pass()
            _ = position.advance()
        }
    }

    /// Replaces `old` by `new`, an entry of the same key; readers find one or the other.
    func replace(_ old: Unmanaged<EntryStorage>, by new: Unmanaged<EntryStorage>, tag: UInt32) {
        guard let (position, place) = place(of: old, tag: tag) else { return }
        bucket(position)[place] = new
    }

    /// Takes an entry out.
    ///
    /// - Returns: how many buckets it visited.
    func remove(_ entry: Unmanaged<EntryStorage>, tag: UInt32) -> Int {
        guard let (found, place) = place(of: entry, tag: tag) else { return 0 }
        bucket(found).summary.free(place)
        var passed = Position(home: tag, in: self)
        while passed.distance < found.distance {
            bucket(passed).summary.unpass()
            _ = passed.advance()
        }
        return found.distance + 1
    }

    /// Where an entry is; never `nil` for one that was inserted.
    @inline(__always)
    private func place(of entry: Unmanaged<EntryStorage>, tag: UInt32) -> (Position, IndexBucket.Place)? {
        var position = Position(home: tag, in: self)
        repeat {
            let bucket = bucket(position)
            var candidates = bucket.summary.places(of: tag)
            while let place = candidates.next() {
                if bucket[place]?.toOpaque() == entry.toOpaque() { return (position, place) }
            }
        } while position.advance()
        return nil
    }
}

// Invariant of the pointers: `words` points to eight words of an `EntryIndex` that outlives this value. A place holds
// an entry that the table retains, or zero.

/// One cache line of an `EntryIndex`: a summary, then seven places for entries.
///
/// A writer fills a place before it writes the summary, and frees a place by the summary alone. So a reader that finds
/// a place in the summary reads that entry or a later one.
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

/// The first word of a bucket. Its lower seven bytes are the fingerprints of the entries in places 1 to 7, zero for a
/// free place. The highest counts the entries that found the bucket full and are in a later one.
struct BucketSummary {
    private(set) var word: UInt64

    @inline(__always)
    init(word: UInt64) { self.word = word }

    private static let lowBits: UInt64 = 0x0001_0101_0101_0101
    private static let highBits: UInt64 = 0x0080_8080_8080_8080

    /// Seven bits of a tag, not those that choose the bucket, and one that is always set.
    @inline(__always)
    private static func fingerprint(_ tag: UInt32) -> UInt64 { UInt64(tag >> 25 | 0x80) }

    // MARK: Places

    /// The places where an entry of this tag may be: those with its fingerprint, and rarely one more.
    ///
    /// All seven bytes at once: a byte of the difference that is zero borrows when 1 is taken from it (Warren,
    /// "Hacker's Delight", 6-1).
    @inline(__always)
    func places(of tag: UInt32) -> BucketPlaces {
        let difference = word ^ Self.fingerprint(tag) &* Self.lowBits
        return BucketPlaces(bits: (difference &- Self.lowBits) & ~difference & Self.highBits)
    }

    /// A free place, `nil` in a full bucket.
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
    /// The count stays here once it is reached, since nobody can tell when it would be zero again.
    private static let mostPasses: UInt64 = 0xFF << 56

    /// Whether there may be entries in later buckets that found this one full.
    @inline(__always)
    var isPassed: Bool { word >= Self.onePass }

    /// Counts an entry that is put into a later bucket.
    mutating func pass() { if word < Self.mostPasses { word += Self.onePass } }

    /// Takes back a `pass` of an entry that goes.
    mutating func unpass() { if word < Self.mostPasses { word -= Self.onePass } }
}

/// A set of places.
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
