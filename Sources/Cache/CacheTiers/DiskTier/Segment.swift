// Invariant of the pointers: `records` is `nil`, or has room for `recordCapacity` words of which the first
// `recordCount` are set.

import CSupport

/// The state in memory of one segment of the log.
///
/// Lives in the `SegmentList` of `RecordLog`, which frees `records` in its `deinit`; nothing else keeps a copy of a segment.
struct Segment {
    /// The segment's entry in the table; generation 0 when the segment is empty.
    var entry = SegmentEntry(firstRecord: SegmentEntry.noRecord, generation: 0, nonce: 0, epoch: 0)
    /// The prefixes of the fingerprints of entries whose records start in the segment, oldest first, dead ones among them.
    /// They spare reclaiming the reading of headers.
    private(set) var records: UnsafeMutablePointer<UInt32>?
    private(set) var recordCount = 0
    private var recordCapacity = 0
    /// Bytes of the tombstones that start in the segment.
    var tombstoneBytes = 0
    /// Whether `flush` covered something in the segment.
    var isFlushed = false
    /// Whether this process began the segment, so that the system is likely to keep its pages in memory.
    var isRecent = false
    /// Writing the segment's slot failed, so it may say anything; `entry` is the intended one.
    var isSlotTorn = false

    /// Notes a record.
    mutating func append(_ prefix: UInt32) {
        if recordCount == recordCapacity { grow() }
        records?[recordCount] = prefix
        recordCount += 1
    }

    /// Bytes from which on the list has its own pages.
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

    /// Forgets everything and gives the memory back.
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
