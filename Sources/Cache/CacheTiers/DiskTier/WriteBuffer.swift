import CSupport
import Platform

/// The newest records of the log while they wait in memory, so that one call writes several.
///
/// One run of bytes at the head of the log, with zeros from a record's end to the next one's start. `RecordLog` decides
/// which records may be lost, and which writes must follow all waiting ones.
///
/// Invariant of the pointer: `bytes` has `WriteBuffer.capacity` bytes, of which the first `count` are initialised,
/// whole records one after the other; freed by `deinit`.
struct WriteBuffer: ~Copyable {
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: WriteBuffer.capacity, alignment: 64)
    /// Where in the file the run begins.
    private(set) var start = 0
    /// Bytes that wait.
    private(set) var count = 0
    /// Of each waiting copy, in order, its offset and its original's place.
    private var copies: [(offset: Int, original: UInt32)] = []

    /// Bytes of the run: one call for 64 KiB costs 3.7 µs, sixteen for 4 KiB each 18. Twice as many bytes would save
    /// less than a tenth more.
    private static let capacity = 64 << 10
    /// Longest waiting record, bytes with header; a longer one gains less by waiting than copying it once more costs.
    static let mostRecordBytes = (8 << 10) + 512

    deinit { bytes.deallocate() }

    /// Whether nothing waits.
    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// Whether the byte at `offset` of the file waits.
    @inline(__always)
    func holds(_ offset: Int) -> Bool { offset >= start && offset < start + count }

    /// Whether a record of `length` bytes at `offset` of the file can be added to what waits.
    @inline(__always)
    func takes(_ length: Int, at offset: Int) -> Bool {
        isEmpty ? length <= Self.mostRecordBytes : offset == start + count && count + length <= Self.capacity
    }

    /// Adds a record. `takes` has to have said so.
    ///
    /// - Parameter length: bytes of the record with its padding.
    @inline(__always)
    mutating func append(
        at offset: Int, _ length: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) {
        if isEmpty { start = offset }
        let target = bytes + count
        let end = first.count + second.count
        memset(target + end, 0, length - end)
        if let source = first.baseAddress { target.copyMemory(from: source, byteCount: first.count) }
        if let source = second.baseAddress { (target + first.count).copyMemory(from: source, byteCount: second.count) }
        count += length
    }

    /// Notes that the record at `offset` is a copy, and where its original is (`LogGeometry.place`).
    mutating func noteCopy(at offset: Int, of original: UInt32) { copies.append((offset, original)) }

    /// The place of the original of the record at `offset`; `nil` if it's no copy.
    func original(of offset: Int) -> UInt32? { copies.first { $0.offset == offset }?.original }

    /// The waiting bytes, until the next change.
    var run: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

    /// Copies the waiting bytes from `offset` of the file on.
    ///
    /// - Returns: the number of bytes copied; fewer than asked for only where the waiting bytes end.
    func copy(_ offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
        let available = UnsafeRawBufferPointer(rebasing: run[(offset - start)...].prefix(target.count))
        target.copyMemory(from: available)
        return available.count
    }

    /// The header of the waiting record at `offset`.
    func header(at offset: Int) -> RecordHeader {
        var header = RecordHeader()
        lendMutableBytes(of: &header) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes + (offset - start), count: RecordHeader.byteCount))
        }
        return header
    }

    /// Empties the buffer.
    @inline(__always)
    mutating func empty() {
        count = 0
        if !copies.isEmpty { copies.removeAll(keepingCapacity: true) }
    }
}

/// When records may wait in memory to be written with those after them, and how long.
///
/// An application that stores rarely gains nothing by waiting, and would lose the waiting record in a kill. So a record
/// waits only if another was stored shortly before, and only for a moment.
package struct WriteSchedule: Sendable {
    /// A monotonic clock, nanoseconds; steps of some milliseconds will do.
    let now: @Sendable () -> UInt64
    /// Runs a closure on another thread after some nanoseconds; `false` if there's no thread for it.
    let later: @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool

    /// Stores no further apart than this are a burst.
    static let burst: UInt64 = 10_000_000
    /// Waiting records are written after this time at the latest.
    static let writeDelay: UInt64 = 20_000_000

    /// Between two parts of a search that takes the lock: others get it meanwhile.
    static let sweepPause: UInt64 = 1_000_000

    package init(
        now: @escaping @Sendable () -> UInt64,
        later: @escaping @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool
    ) {
        self.now = now
        self.later = later
    }

    /// The system's clock and threads.
    package static let system = WriteSchedule(now: coarseMonotonicNanoseconds, later: DelayedWork.run)
}

// Invariant of the pointers: a slot is the index's, and is used before the index changes again.

// Records that wait in memory, and writes that fail.
//
// The index tells the truth about the file: it points at what a successful write put there, or at what waits. When a
// write fails, that is restored at once, here; remnants of the write are erased before the next change of the log. A
// kill in between may bring them back, which is no harm: until something changes, they are the newest.
extension RecordLog {
    /// Writes what waits. Call it before whatever may not overtake the waiting records: beginning and voiding segments
    /// (which ends the originals of waiting copies), synchronising, and reading where the records will be.
    ///
    /// - Throws: if it couldn't be written, which loses it.
    mutating func writeWaiting() throws(StorageError) {
        guard !writeBuffer.isEmpty else { return }
        do throws(StorageError) {
            try storage.write(at: writeBuffer.start, writeBuffer.run)
            writeBuffer.empty()
        } catch {
            lose()
            throw error
        }
    }

    /// Removes from the index what waited and couldn't be written. Of a copy the original counts again; it isn't
    /// overwritten as long as the copy waits.
    private mutating func lose() {
        var segment = -1
        var offset = writeBuffer.start
        while offset < writeBuffer.start + writeBuffer.count {
            let header = writeBuffer.header(at: offset)
            if geometry.segment(of: offset) != segment {
                segment = geometry.segment(of: offset)
                distrust(offset)
            }
            if let slot = index.find(Fingerprint(header.hashLow)), slot.pointee.place == geometry.place(of: offset) {
                if let original = writeBuffer.original(of: offset) {
                    slot.pointee.place = original
                } else {
                    forget(slot)
                }
            }
            offset = geometry.padded(offset + header.recordCount)
        }
        // The last record is lost, too, and no saved index may end with it.
        lastRecordSegment = -1
        writeBuffer.empty()
    }

    /// Notes that the record at `offset`, and the rest of its segment, may or may not be in the file. Finding out isn't
    /// worth a read.
    mutating func distrust(_ offset: Int) {
        distrusted.append(offset)
        head = geometry.start(ofSegment: headSegment) + geometry.segmentBytes
    }

    /// Ends segments before what may or may not be in them: recovery stops at a header of zeros.
    mutating func eraseDistrusted() throws(StorageError) {
        while let offset = distrusted.last {
            try erase(at: offset)
            distrusted.removeLast()
        }
    }

    /// Overwrites a record's header with zeros.
    func erase(at offset: Int) throws(StorageError) {
        let zeros: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
        try lendBytes(of: zeros) { (bytes) throws(StorageError) in try storage.write(at: offset, bytes) }
    }
}
