// Invariant of the pointers: `records` is `nil`, or has room for `recordCapacity` words of which the first
// `recordCount` are set.

import CSupport

/// The state in memory of one segment of the log.
///
/// Lives in the `SegmentList` of `RecordLog`, which frees `records` in its `deinit`; nothing else keeps a copy.
struct Segment {
    /// The segment's entry in the table; generation 0 when the segment is empty.
    var entry = SegmentEntry(firstRecord: SegmentEntry.noRecord, generation: 0, nonce: 0, epoch: 0)
    /// The prefixes of the fingerprints of entries that start in the segment, oldest first, dead ones included. With
    /// them reclaiming needn't read headers.
    private(set) var records: UnsafeMutablePointer<UInt32>?
    private(set) var recordCount = 0
    private var recordCapacity = 0
    /// Bytes of the tombstones that start in the segment.
    var tombstoneBytes = 0
    /// Whether `flush` covered something in the segment.
    var isFlushed = false
    /// Whether this process began the segment, so that the system probably has its pages in memory.
    var isRecent = false
    /// Writing the segment's slot failed, so the file may say anything; `entry` is the intended one.
    var isSlotTorn = false

    /// Notes a record.
    mutating func append(_ prefix: UInt32) {
        if recordCount == recordCapacity { grow() }
        records?[recordCount] = prefix
        recordCount += 1
    }

    /// From this many bytes on the list has its own pages.
    private static var leastInPages: Int { 16 << 10 }

    private mutating func grow() {
        let larger = recordCapacity + max(8, recordCapacity / 8)
        let stride = MemoryLayout<UInt32>.stride
        guard let resized = cs_block_resize(records, recordCapacity * stride, larger * stride, Self.leastInPages) else {
            preconditionFailure("no memory for \(larger) records of the disk tier's index; lower the disk capacity")
        }
        records = resized.bindMemory(to: UInt32.self, capacity: larger)
        recordCapacity = larger
    }

    /// Forgets the records and tombstones, but keeps the memory for the segment's next life.
    mutating func forgetRecords() {
        recordCount = 0
        tombstoneBytes = 0
    }

    /// Forgets everything but the memory.
    mutating func empty() {
        forgetRecords()
        entry.generation = 0
        isFlushed = false
        isRecent = false
    }

    /// Forgets everything and frees the memory.
    mutating func release() {
        empty()
        isSlotTorn = false
        cs_block_free(records, recordCapacity * MemoryLayout<UInt32>.stride, Self.leastInPages)
        records = nil
        recordCapacity = 0
    }

    /// Bytes of memory in use.
    var byteCount: Int { MemoryLayout<Segment>.stride + recordCapacity * MemoryLayout<UInt32>.stride }
}

/// The segments of a log, by number: as many as the ring has, which may be an eighth of the slots of the table.
/// Segments beyond are empty, and come into being when they're changed.
///
/// Invariant of the pointer: `segments` has `count` segments. Only `grow` and `reset` replace it, and only `deinit`
/// frees it; `reset` and `deinit` release what the segments hold.
struct SegmentList: ~Copyable {
    private var segments: UnsafeMutablePointer<Segment>
    /// Segments that take memory.
    private(set) var count: Int

    init(count: Int) {
        self.count = count
        segments = Self.emptySegments(count)
    }

    deinit {
        for number in 0..<count { segments[number].release() }
        segments.deallocate()
    }

    private static func emptySegments(_ count: Int) -> UnsafeMutablePointer<Segment> {
        let segments = UnsafeMutablePointer<Segment>.allocate(capacity: count)
        segments.initialize(repeating: Segment(), count: count)
        return segments
    }

    /// The segment `number`, from 0.
    subscript(number: Int) -> Segment {
        @inline(__always) get { number < count ? segments[number] : Segment() }
        @inline(__always) _modify {
            if number >= count { grow(to: number + 1) }
            yield &segments[number]
        }
    }

    /// Exchanges two segments.
    mutating func swapAt(_ first: Int, _ second: Int) {
        if max(first, second) >= count { grow(to: max(first, second) + 1) }
        swap(&segments[first], &segments[second])
    }

    private mutating func grow(to wanted: Int) {
        let larger = Self.emptySegments(wanted)
        larger.update(from: segments, count: count)
        segments.deallocate()
        segments = larger
        count = wanted
    }

    /// Empties all segments and frees the memory of more than `wanted`.
    mutating func reset(to wanted: Int) {
        for number in 0..<count { segments[number].release() }
        guard wanted != count else { return }
        segments.deallocate()
        segments = Self.emptySegments(wanted)
        count = wanted
    }

    /// Bytes of memory in use.
    var byteCount: Int {
        var sum = 0
        for number in 0..<count { sum += segments[number].byteCount }
        return sum
    }
}

/// The segment table's slot of one segment. FORMAT.md, "Segment table".
struct SegmentEntry: Sendable {
    private var checksum: UInt32 = 0
    /// Where the first record that starts in the segment starts, in grains from the segment's start.
    var firstRecord: UInt32
    /// When the segment was last begun, from the counter that also numbers records.
    var generation: UInt64
    /// Random, and part of every record's mark: records of the segment's earlier life don't match it.
    var nonce: UInt64
    /// The superblock's epoch of then.
    var epoch: UInt64

    static let byteCount = 32
    /// No record starts in the segment: it's all inside a longer one, or was skipped.
    static let noRecord = UInt32.max

    init(firstRecord: UInt32, generation: UInt64, nonce: UInt64, epoch: UInt64) {
        self.firstRecord = firstRecord
        self.generation = generation
        self.nonce = nonce
        self.epoch = epoch
    }

    /// A slot that was never used, or was voided.
    static let blank = SegmentEntry(firstRecord: 0, generation: 0, nonce: 0, epoch: 0)

    /// Whether the slot is blank, as opposed to damaged.
    var isBlank: Bool { checksum == 0 && firstRecord == 0 && generation == 0 && nonce == 0 && epoch == 0 }

    /// Where slot `number` is in the file.
    static func offset(ofSlot number: Int) -> Int { LogGeometry.superblockBytes + number * byteCount }

    /// Whether the entry is whole and was written for this slot of this file.
    func isValid(inSlot number: Int, of identity: UInt32) -> Bool {
        generation != 0 && generation < RecordHeader.sequenceLimit && epoch < Superblock.epochLimit
            && checksum == computedChecksum(number, identity)
    }

    /// The entry with the checksum for its slot.
    func sealed(forSlot number: Int, of identity: UInt32) -> SegmentEntry {
        var copy = self
        copy.checksum = computedChecksum(number, identity)
        return copy
    }

    private func computedChecksum(_ number: Int, _ identity: UInt32) -> UInt32 {
        let start = identity ^ UInt32(truncatingIfNeeded: number)
        return lendBytes(of: self) { cs_crc32c(start, $0.baseAddress.map { $0 + 4 }, 28) }
    }
}
