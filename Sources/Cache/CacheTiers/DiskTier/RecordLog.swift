// Invariant of the pointers: a region of `ScratchBuffer` is used before the next one is taken, and by its owner's
// thread alone. `readable` points to one value from `init` to `deinit`.

import Platform

/// The cyclic log behind the disk tier: records are appended segment after segment around a ring, and the oldest
/// segment is given up for the next. FORMAT.md describes the file; this is the state in memory, for one thread at a
/// time.
///
/// ```
///   segments    [ 0 ][ 1 ][ 2 ][ 3 ][ 4 ][ 5 ][ 6 ] …          file order
///                    ▲head        ▲tail
///            newest ─┘└── free ──┘└─ oldest …
/// ```
/// `head` is where the next record goes. The `freeAhead` segments after the head's are *processed*: what was worth
/// keeping has been carried to the head, and the rest may be overwritten at any time, but can be read until then. The
/// tail segment is processed next, a little with every store (`RecordLog+Reclaim`).
///
/// LRU is approximated by second chance, as in CLOCK: a record that was looked up since it was written is carried once.
/// At most 40 % of a segment is carried, so a store stays O(1) amortised whatever was looked up. `GreedyDualReclaim`
/// approximates GDSF.
package struct RecordLog: ~Copyable {
    let storage: LookupSeam
    /// What lookups read, too.
    let readable: UnsafeMutablePointer<ReadableLog>
    var superblock: Superblock
    let overwriting = Overwriting()

    /// Where the next record goes; at most the end of `headSegment`.
    var head = 0
    /// The segment begun last; -1 before the first.
    var headSegment = -1
    /// The segment where the record before the head starts, and the checksum of its header: the next one's link.
    var lastRecordSegment = -1
    var lastChecksum: UInt32 = 0
    /// Where that record starts.
    var lastRecord = 0
    /// Whether the next record would follow an earlier process's records in its segment.
    var continuesRecovered = false
    /// The copy of the index that was read from the file or written since, if any.
    var savedIndex: SavedIndex?
    /// Segments after the head's that are processed.
    var freeAhead = 0
    /// How many of the tail segment's records are processed.
    var tailRecord = 0
    /// Bytes that may still be carried.
    var carryCredit = 0
    /// Bytes that this change may still carry; each record that it examines counts as `bytesOfExamining`.
    var workLeft = Int.max
    /// Numbers records and segments, so that any two can be ordered.
    var nextSequence: UInt64 = 1
    var nonces: NonceGenerator
    let space: ReservedSpace
    /// Bytes of the newest records of all keys, headers included.
    var liveBytes = 0
    /// Bytes of tombstones.
    var tombstoneBytes = 0
    /// The search for entries removed by date, until the index has forgotten them all.
    var sweep: Sweep?
    /// Whether the file is still longer than it has to be after everything was removed.
    var isCutting = false
    /// Whether the file still has the length and the segments of an earlier process's capacity.
    var isUnfitted = false
    /// Whether some segment holds what `flush` covered.
    var hasFlushedSegments = false
    /// Why a synchronisation failed: the system may have dropped any write since the last success.
    var lostWrites: StorageError?
    /// The next sequence number when everything dead had been erased; nil if it never was.
    var erasedSequence: UInt64?
    /// Whether carried copies may wait, too, while the original is still in place.
    var buffersWrites = false
    /// When something was stored last, by `WriteSchedule`'s clock.
    private var lastStore: UInt64 = 0
    /// Offsets of records whose write failed: they have to be erased before the log changes again.
    var distrusted: [Int] = []
    /// Why the log began empty; `nil` if the file could be used.
    var startReason: StartReason?
    /// Writing the superblock failed, after any number of bytes.
    var isSuperblockTorn = false
    /// Writing a slot of the segment table failed; its segment says which.
    var hasTornSlots = false
    /// Records on their way from one segment to another.
    var scratch = ScratchBuffer()
    var statistics = DiskStatistics()

    init(
        storage: LookupSeam, capacity: Int, superblock: Superblock, geometry: LogGeometry, nonceSeed: UInt64,
        policy: EvictionPolicy
    ) {
        self.storage = storage
        space = ReservedSpace(of: storage.storage)
        readable = .allocate(capacity: 1)
        readable.initialize(to: ReadableLog(capacity: capacity, geometry: geometry, policy: policy))
        self.superblock = superblock
        nonces = NonceGenerator(seed: nonceSeed)
        forgetAll()
    }

    deinit {
        readable.deinitialize(count: 1)
        readable.deallocate()
    }

    /// Sets the state of an empty log.
    mutating func forgetAll() {
        writeBuffer.empty()
        distrusted = []
        index.removeAll()
        segments.reset(to: geometry.segmentCount)
        head = geometry.dataStart
        headSegment = -1
        lastRecordSegment = -1
        continuesRecovered = false
        freeAhead = geometry.segmentCount
        tailRecord = 0
        carryCredit = countsUses ? mostCarryCredit : 0
        values = GreedyDualReclaim()
        liveBytes = 0
        tombstoneBytes = 0
        removals = DateTombstones()
        sweep = nil
        hasFlushedSegments = false
        hasTornSlots = false
    }

    /// How far to reserve space now, ahead of the stores that will need it.
    var reservationGoal: Int {
        @inline(__always) get {
            guard headSegment >= 0, !isDisabled, !mustClear else { return 0 }
            let ahead = min(max(capacity / 512, ReservedSpace.mostBytesInStore), 32 << 20)
            return min(head + ahead, geometry.dataEnd)
        }
    }

    /// Whether half of the space reserved ahead of the head is used up.
    var isRunningOutOfSpace: Bool {
        @inline(__always) get {
            let reserved = space.byteCount
            return reserved < geometry.dataEnd && head + (reservationGoal - head) / 2 > reserved
        }
    }

    /// Whether the file waits, just as it was found, for the first change, or for another capacity.
    var isAsFound: Bool { isUnfitted && !mustClear }

    /// Bytes of readable records and tombstones, headers included.
    var usedBytes: Int { liveBytes + tombstoneBytes }

    /// Bytes of memory that finding records takes.
    var indexBytes: Int { index.byteCount + segments.byteCount }

    /// Whether a store at `now` follows another closely; takes note of it.
    mutating func isBurst(at now: UInt64) -> Bool {
        defer { lastStore = now }
        return now &- lastStore < WriteSchedule.burst
    }

    /// A number larger than all before.
    mutating func takeSequence() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
    }
}

/// Nonces for segments: hard to guess from outside, since the system gives the seed; cheap, since it gives it once.
///
/// SplitMix64 (Steele, Lea and Flood 2014).
struct NonceGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= splitMixStep
        return splitMixed(state)
    }
}

/// Memory that is reused from one record to the next, and never shared.
struct ScratchBuffer: ~Copyable {
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { bytes.deallocate() }

    /// A region of `count` bytes, with whatever was in it before. Good until the next call.
    mutating func region(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if bytes.count < count {
            bytes.deallocate()
            bytes = .allocate(byteCount: max(count, 4096), alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    }
}
