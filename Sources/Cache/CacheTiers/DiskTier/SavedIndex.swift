import CSupport
import Platform

/// Where the copy of the index is in the file, and which state of the log it belongs to. FORMAT.md, "Saved index".
struct SavedIndex: Sendable {
    private var checksum: UInt32 = 0
    /// The checksum of superblock and segment table; inverted while the copy still has entries that were removed by
    /// date.
    var state: UInt32
    /// Where the copy is, and how many keys it has.
    var offset: UInt64
    var keyCount: UInt64
    /// Where the next record goes.
    var head: UInt64
    var nextSequence: UInt64
    /// Where the last record of the newest segment starts, 0 for an empty one, and the checksum of its header.
    var lastRecord: UInt64
    var lastChecksum: UInt32
    /// The checksum of the copy.
    var payloadChecksum: UInt32
    /// The start of the system in which it was written, never 0.
    var boot: UInt64

    static let byteCount = 64
    /// Behind the superblock, in its sector.
    static let offset = 128

    init(
        state: UInt32, offset: UInt64, keyCount: UInt64, head: UInt64, nextSequence: UInt64, lastRecord: UInt64,
        lastChecksum: UInt32, payloadChecksum: UInt32, boot: UInt64
    ) {
        self.state = state
        self.offset = offset
        self.keyCount = keyCount
        self.head = head
        self.nextSequence = nextSequence
        self.lastRecord = lastRecord
        self.lastChecksum = lastChecksum
        self.payloadChecksum = payloadChecksum
        self.boot = boot
        checksum = computedChecksum
    }

    /// Whether the bytes are a description.
    var isWhole: Bool { checksum == computedChecksum && keyCount > 0 && boot != 0 }

    /// Whether both belong to the same state of the log.
    func agrees(with other: SavedIndex) -> Bool {
        state == other.state && head == other.head && lastRecord == other.lastRecord
            && lastChecksum == other.lastChecksum
    }

    private var computedChecksum: UInt32 {
        lendBytes(of: self) { cs_crc32c(0, $0.baseAddress.map { $0 + 4 }, Self.byteCount - 4) }
    }
}

// A copy of the index in the file, so that opening needn't hop through all records. It's only an accelerator, believed
// if superblock, segment table and head are those that it was saved with, and if the system hasn't been started since:
// a power cut may put an older record of the same segment into the place of a newer one, which only the links tell.
// Everything else is checked as if it came from an enemy.
extension RecordLog {
    /// Writes the index into the free segments behind the head, if there's room. The entries that are still readable
    /// there, and would be overwritten next, are given up.
    ///
    /// - Parameter leastCount: the fewest keys for which it's worthwhile.
    mutating func saveIndex(from leastCount: Int) throws(StorageError) {
        guard readable.pointee.mayAnswer, headSegment >= 0, index.count >= leastCount, storage.boot != 0, !isAsFound
        else { return }
        try mend()
        try writeWaiting()
        var description = try describeState()
        if let savedIndex, description.agrees(with: savedIndex) { return }
        let first = geometry.following(headSegment)
        let needed = (savedBytes + geometry.segmentBytes - 1) / geometry.segmentBytes
        // After opening no segment counts as free, not even an empty one.
        while freeAhead < needed, isTailEmpty, processTailSegment() {}
        guard needed <= freeAhead, first + needed <= geometry.segmentCount else { return }
        try void((first..<first + needed).map { $0 })
        guard index.count > 0 else { return }
        let start = geometry.start(ofSegment: first)
        overwriting.begin()
        try space.ensure(start + savedBytes, and: 0, limit: geometry.dataEnd)
        let checksum = try writeCopy(at: start)
        description = try describeState()
        let saved = SavedIndex(
            state: description.state, offset: UInt64(start), keyCount: UInt64(index.count), head: description.head,
            nextSequence: nextSequence, lastRecord: description.lastRecord, lastChecksum: description.lastChecksum,
            payloadChecksum: checksum, boot: storage.boot)
        let storage = storage
        try lendBytes(of: saved) { (bytes) throws(StorageError) in try storage.write(at: SavedIndex.offset, bytes) }
        savedIndex = saved
    }

    private var isTailEmpty: Bool {
        segments[geometry.following(headSegment, by: freeAhead + 1)].entry.generation == 0
    }

    /// Bytes of the copy: each segment's bytes of tombstones, and the slots.
    private var savedBytes: Int { geometry.segmentCount * 8 + index.count * MemoryLayout<IndexSlot>.stride }

    private func describeState() throws(StorageError) -> SavedIndex {
        let hasRecord = lastRecordSegment == headSegment
        let state = try stateChecksum()
        return SavedIndex(
            state: sweep == nil ? state : ~state, offset: 0, keyCount: 0, head: UInt64(head), nextSequence: 0,
            lastRecord: hasRecord ? UInt64(lastRecord) : 0, lastChecksum: hasRecord ? lastChecksum : 0,
            payloadChecksum: 0, boot: 0)
    }

    /// The checksum of the superblock, of the removals by date, and of the segment table, as they are in the file.
    func stateChecksum() throws(StorageError) -> UInt32 {
        let storage = storage
        return try withUnsafeTemporaryAllocation(
            byteCount: geometry.tableSlots * SegmentEntry.byteCount, alignment: 8
        ) { (table) throws(StorageError) in
            var state = superblock.state
            if superblock.hasRemovals {
                let tombstones = UnsafeMutableRawBufferPointer(rebasing: table.prefix(DateTombstone.allBytes))
                let count = try storage.read(at: DateTombstone.offset(ofSlot: 0), into: tombstones)
                state = cs_crc32c(state, tombstones.baseAddress, count)
            }
            let count = try storage.read(at: LogGeometry.superblockBytes, into: table)
            return cs_crc32c(state, table.baseAddress, count)
        }
    }

    /// - Returns: the copy's checksum.
    private mutating func writeCopy(at start: Int) throws(StorageError) -> UInt32 {
        var copy = CopyWriter(storage, at: start)
        for number in 0..<geometry.segmentCount { copy.append(UInt64(segments[number].tombstoneBytes)) }
        index.forEach {
            var slot = $0.pointee
            slot.isTouched = false
            copy.append(slot)
        }
        return try copy.finish()
    }

    /// Fills the empty index of a log that is being opened from the saved copy.
    ///
    /// - Parameter state: `stateChecksum` of the file as it was found.
    /// - Returns: `false`, with everything as before, if there's no copy to believe.
    mutating func loadIndex(newestSegment newest: Int, state: UInt32) -> Bool {
        guard let saved = try? storage.value(SavedIndex.self, at: SavedIndex.offset), saved.isWhole,
            saved.boot == storage.boot, saved.state == state || saved.state == ~state, matchesHead(saved, newest)
        else { return false }
        guard (try? readCopy(saved)) == true else {
            index.removeAll()
            for number in 0..<geometry.segmentCount { segments[number].forgetRecords() }
            (liveBytes, tombstoneBytes) = (0, 0)
            return false
        }
        head = Int(saved.head)
        lastRecordSegment = saved.lastRecord == 0 ? -1 : newest
        lastRecord = Int(saved.lastRecord)
        lastChecksum = saved.lastChecksum
        nextSequence = max(nextSequence, saved.nextSequence)
        savedIndex = saved
        if saved.state != state { beginSweep() }
        return true
    }

    /// Whether the log ends where it did: with the same record, and nothing behind it.
    private func matchesHead(_ saved: SavedIndex, _ newest: Int) -> Bool {
        let start = geometry.start(ofSegment: newest)
        let head = Int(clamping: saved.head)
        let last = Int(clamping: saved.lastRecord)
        guard saved.nextSequence < RecordHeader.sequenceLimit, head >= start, head <= start + geometry.segmentBytes,
            geometry.padded(head) == head
        else { return false }
        let entry = segments[newest].entry
        // Where another record would be: before the head, if a write there failed.
        var next = start + geometry.offset(of: entry.firstRecord)
        if last != 0 {
            guard last >= start, last < head, let header = try? storage.value(RecordHeader.self, at: last),
                header.isValid(mark: entry.nonce &+ UInt64(last - start)), header.checksum == saved.lastChecksum
            else { return false }
            next = geometry.padded(last + header.recordCount)
        } else if entry.firstRecord == SegmentEntry.noRecord {
            return true
        }
        guard next <= head else { return false }
        guard next < start + geometry.segmentBytes, next < space.byteCount else { return true }
        guard let header = try? readHeader(at: next, fileLength: space.byteCount) else { return false }
        return !header.isValid(mark: entry.nonce &+ UInt64(next - start))
            || header.link != (last == 0 ? 0 : saved.lastChecksum)
    }

    /// - Returns: whether the copy is whole and makes sense.
    private mutating func readCopy(_ saved: SavedIndex) throws(StorageError) -> Bool {
        let stride = MemoryLayout<IndexSlot>.stride
        guard let start = Int(exactly: saved.offset), let count = Int(exactly: saved.keyCount),
            start >= geometry.dataStart, start < space.byteCount, count <= (space.byteCount - start) / stride
        else { return false }
        var copy = CopyReader(storage, at: start, byteCount: geometry.segmentCount * 8 + count * stride)
        for number in 0..<geometry.segmentCount {
            guard let bytes = try copy.next(UInt64.self), bytes <= UInt64(geometry.segmentBytes) else { return false }
            segments[number].tombstoneBytes = Int(bytes)
            tombstoneBytes += Int(bytes)
        }
        // A sparse file is as long as it likes.
        index.reserve(min(count, try storage.allocatedByteCount() / stride))
        var last: Fingerprint?
        var probing = ProbeBudget(recordCount: count)
        for _ in 0..<count {
            guard let slot = try copy.next(IndexSlot.self), isPlausible(slot) else { return false }
            if let last, last >= slot.fingerprint { return false }
            last = slot.fingerprint
            guard probing.takes(index.probeCount(of: slot.fingerprint, isMoving: true)) else { return false }
            segments[geometry.segment(of: geometry.offset(of: slot.place))].append(slot.fingerprint.prefix)
            _ = index.put(slot.fingerprint, place: slot.place, length: slot.length)
            liveBytes += slot.length
        }
        return copy.checksum == saved.payloadChecksum
    }

    /// Whether a record may be where the slot says; the record is checked when it's read.
    @inline(__always)
    private func isPlausible(_ slot: IndexSlot) -> Bool {
        let offset = geometry.offset(of: slot.place)
        return offset >= geometry.dataStart && slot.length >= RecordHeader.byteCount && !slot.isTouched
            && slot.length <= space.byteCount - offset + RecordHeader.byteCount
            && slot.length <= RecordHeader.mostRecordBytes
            && offset < geometry.dataEnd && segments[geometry.segment(of: offset)].entry.generation != 0
    }
}

/// Writes a run of values to the file, a buffer at a time.
///
/// Invariant of the pointer: `buffer` has `capacity` bytes, of which the first `count` are initialised; freed in
/// `deinit`.
private struct CopyWriter: ~Copyable {
    private let storage: any DiskStorage
    private var offset: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: CopyWriter.capacity, alignment: 16)
    private var count = 0
    private var checksum: UInt32 = 0
    private var failure: StorageError?

    private static let capacity = 768 << 10

    init(_ storage: any DiskStorage, at offset: Int) {
        self.storage = storage
        self.offset = offset
    }

    deinit { buffer.deallocate() }

    mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        if count + MemoryLayout<Value>.size > buffer.count { write() }
        buffer.storeBytes(of: value, toByteOffset: count, as: Value.self)
        count += MemoryLayout<Value>.size
    }

    private mutating func write() {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        checksum = cs_crc32c(checksum, bytes.baseAddress, count)
        do throws(StorageError) {
            if failure == nil { try storage.write(at: offset, bytes) }
        } catch {
            failure = error
        }
        offset += count
        count = 0
    }

    /// - Returns: the checksum of all that was appended.
    mutating func finish() throws(StorageError) -> UInt32 {
        write()
        if let failure { throw failure }
        return checksum
    }
}

/// Reads a run of values from the file, a buffer at a time.
///
/// Invariant of the pointer: `buffer` has `capacity` bytes, of which those before `end` are initialised; freed in
/// `deinit`.
private struct CopyReader: ~Copyable {
    private let storage: any DiskStorage
    private var offset: Int
    private var left: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: CopyReader.capacity, alignment: 16)
    private var place = 0
    private var end = 0
    /// The checksum of all that was read from the file.
    private(set) var checksum: UInt32 = 0

    private static let capacity = 768 << 10

    init(_ storage: any DiskStorage, at offset: Int, byteCount: Int) {
        self.storage = storage
        self.offset = offset
        left = byteCount
    }

    deinit { buffer.deallocate() }

    /// The next value; `nil` if the file ends before it.
    @inline(__always)
    mutating func next<Value: BitwiseCopyable>(_ type: Value.Type) throws(StorageError) -> Value? {
        if end - place < MemoryLayout<Value>.size { try refill() }
        guard end - place >= MemoryLayout<Value>.size else { return nil }
        defer { place += MemoryLayout<Value>.size }
        return buffer.loadUnaligned(fromByteOffset: place, as: Value.self)
    }

    private mutating func refill() throws(StorageError) {
        let rest = end - place
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<end]))
        let wanted = min(buffer.count - rest, left)
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[rest..<rest + wanted])
        let count = try storage.read(at: offset, into: target)
        checksum = cs_crc32c(checksum, target.baseAddress, count)
        offset += count
        left -= count
        place = 0
        end = rest + count
    }
}
