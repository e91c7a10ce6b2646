// Invariant of the pointers: a slot is the index's, and is used before the index changes again. A region of `scratch`
// is used before the next one is taken.

import CSupport
import Platform

// Writing at the head.
extension RecordLog {
    /// Where a record of `length` bytes would start, and how many segments have to be begun for it.
    @inline(__always)
    func placement(_ length: Int) -> (start: Int, newSegments: Int) {
        if headSegment < 0 {
            return (geometry.dataStart, geometry.segment(of: geometry.dataStart + length - 1) + 1)
        }
        if head + length <= geometry.dataEnd {
            return (head, geometry.segment(of: head + length - 1) - headSegment)
        }
        // No record goes round the end of the ring: the rest of the last segments stays unused.
        let last = geometry.segment(of: geometry.dataStart + length - 1)
        return (geometry.dataStart, geometry.segmentCount - 1 - headSegment + last + 1)
    }

    /// Writes a record at the head. There has to be room (`makeRoom`).
    ///
    /// - Parameter mayWait: whether the record may wait in memory to be written with others: nothing older comes back
    ///   if it is lost.
    /// - Returns: the record's offset.
    mutating func append(
        _ header: inout RecordHeader, _ payload: UnsafeRawBufferPointer, mayWait: Bool
    ) throws(StorageError) -> Int {
        let length = RecordHeader.byteCount + payload.count
        let (start, newSegments) = placement(length)
        let segment = geometry.segment(of: start)
        let link = segment == lastRecordSegment ? lastChecksum : 0
        try ensureSpace(geometry.padded(start + length))
        if newSegments > 0 { try beginSegments(newSegments, forRecordAt: start, length) }
        header.seal(
            mark: segments[segment].entry.nonce &+ UInt64(start - geometry.start(ofSegment: segment)),
            link: link)
        try write(header, payload, at: start, mayWait: mayWait)
        head = geometry.padded(start + length)
        lastRecordSegment = segment
        lastChecksum = header.checksum
        lastRecord = start
        continuesRecovered = false
        statistics.bytesWritten += UInt64(length)
        return start
    }

    /// Makes sure that the first `end` bytes of the file are allocated.
    @inline(__always)
    private func ensureSpace(_ end: Int) throws(StorageError) {
        guard space.byteCount < end else { return }
        let (space, geometry) = (space, geometry)
        try storage.letLookupsIn { () throws(StorageError) in
            try space.ensure(end, and: geometry.segmentBytes, limit: geometry.dataEnd)
        }
    }

    /// Writes a record behind the waiting ones, or lets it wait, too.
    @inline(__always)
    private mutating func write(
        _ header: RecordHeader, _ payload: UnsafeRawBufferPointer, at start: Int, mayWait: Bool
    ) throws(StorageError) {
        let length = geometry.padded(start + RecordHeader.byteCount + payload.count) - start
        let mayWait = mayWait && length <= WriteBuffer.mostRecordBytes
        if mayWait || !writeBuffer.isEmpty {
            if !writeBuffer.takes(length, at: start) { try writeWaiting() }
            if mayWait || !writeBuffer.isEmpty {
                lendBytes(of: header) { writeBuffer.append(at: start, length, $0, payload) }
                return mayWait ? () : try writeWaiting()
            }
        }
        do throws(StorageError) {
            // One call, header first: a header without its payload fails by the payload's checksum, and until then
            // hides the older version, as it should.
            try lendBytes(of: header) { (bytes) throws(StorageError) in try storage.write(at: start, bytes, payload) }
        } catch {
            distrust(start)
            throw error
        }
    }

    /// Begins the next `count` segments for a record at `start`. They have to be processed.
    ///
    /// A segment's entry goes to the table before anything goes into the segment, which voids all that the segment
    /// held.
    private mutating func beginSegments(_ count: Int, forRecordAt start: Int, _ length: Int) throws(StorageError) {
        let end = geometry.padded(start + length)
        for _ in 0..<count {
            let number = headSegment < 0 ? 0 : geometry.following(headSegment)
            let from = geometry.start(ofSegment: number)
            let to = from + geometry.segmentBytes
            var firstRecord = SegmentEntry.noRecord
            if start >= from && start < to {
                firstRecord = geometry.place(of: start - from)
            } else if end > from && end < to && start < from {
                firstRecord = geometry.place(of: end - from)
            }
            try begin(segment: number, firstRecord: firstRecord)
        }
    }

    private mutating func begin(segment number: Int, firstRecord: UInt32) throws(StorageError) {
        try writeWaiting()
        // Synchronise before and after. Before: copies that were carried out of this segment must be on the disk before
        // it's overwritten. After: if the power fails, its old records mustn't come back, since newer versions of them
        // may be overwritten next.
        let isFlushed = segments[number].isFlushed
        if isFlushed { try synchronize() }
        overwriting.begin()
        forgetRecords(ofSegment: number)
        segments[number].empty()
        let entry = SegmentEntry(
            firstRecord: firstRecord, generation: takeSequence(), nonce: nonces.next(), epoch: superblock.epoch
        )
        try write(entry, toSlot: number)
        if isFlushed { try synchronize() }
        segments[number].entry = entry
        segments[number].isRecent = true
        headSegment = number
        lastRecordSegment = -1
        // If the record that it's begun for isn't written, no other may start where the slot doesn't expect one.
        head = geometry.start(ofSegment: number) + geometry.segmentBytes
        freeAhead -= 1
        if !removals.isEmpty { retireRemovals() }
    }

    /// Voids the next few segments in the file, if some of them hold what `flush` covered.
    ///
    /// Beginning them one by one would cost two synchronisations each; this way it's two or three for several. Only
    /// after a `flush`, and until nothing that it covered is left.
    mutating func voidFlushedSegments() throws(StorageError) {
        guard hasFlushedSegments, headSegment >= 0,
            segments[geometry.following(headSegment)].isFlushed
                || segments[geometry.following(headSegment, by: 2)].isFlushed
        else { return }
        workLeft = .max
        while freeAhead < max(geometry.segmentCount / 8, 2), processTailSegment() {}
        // All before the last, too, since the last record of one may run into the next.
        var last = freeAhead
        while last > 0, !segments[geometry.following(headSegment, by: last)].isFlushed { last -= 1 }
        try void((0..<last).map { geometry.following(headSegment, by: $0 + 1) })
        hasFlushedSegments = (0..<geometry.segmentCount).contains { segments[$0].isFlushed }
        if !hasFlushedSegments {
            superblock.wasFlushed = false
            try writeSuperblock()
        }
    }

    /// Voids segments, which are given oldest first.
    ///
    /// If something was flushed, a power cut may not take what was carried out of them, nor let one outlive another
    /// that superseded it, nor bring one back that is being overwritten; and a disk writes sectors in any order.
    mutating func void(_ numbers: [Int]) throws(StorageError) {
        try writeWaiting()
        var sector = -1
        for number in numbers where segments[number].entry.generation != 0 {
            let own = SegmentEntry.offset(ofSlot: number) / LogGeometry.sectorBytes
            if sector != own, superblock.wasFlushed { try synchronize() }
            sector = own
            try void(segment: number)
        }
        if sector >= 0, superblock.wasFlushed { try synchronize() }
    }

    /// Voids a segment, in memory and then in the file.
    ///
    /// If that fails, the file may still hold what is forgotten here, until the slot is mended before the next change.
    private mutating func void(segment number: Int) throws(StorageError) {
        forgetRecords(ofSegment: number)
        segments[number].empty()
        try write(SegmentEntry.blank, toSlot: number)
    }

    /// Removes what is left in a segment from the index: it's about to be overwritten.
    mutating func forgetRecords(ofSegment number: Int) {
        let segment = segments[number]
        if let records = segment.records {
            let places = geometry.places(ofSegment: number)
            for position in 0..<segment.recordCount {
                guard let slot = index.find(prefix: records[position], in: places) else { continue }
                forget(slot)
                erasedSequence = nil
                statistics.evictions += 1
            }
        }
        tombstoneBytes -= segment.tombstoneBytes
        segments[number].forgetRecords()
    }

    /// Removes a record from the index.
    mutating func forget(_ slot: UnsafeMutablePointer<IndexSlot>) {
        liveBytes -= slot.pointee.length
        index.remove(slot)
    }

    mutating func write(_ entry: SegmentEntry, toSlot number: Int) throws(StorageError) {
        let storage = storage
        let stored = entry.generation == 0 ? SegmentEntry.blank : entry.sealed(forSlot: number, of: superblock.identity)
        segments[number].isSlotTorn = true
        do throws(StorageError) {
            try lendBytes(of: stored) { (bytes) throws(StorageError) in
                try storage.write(at: SegmentEntry.offset(ofSlot: number), bytes)
            }
        } catch {
            hasTornSlots = true
            throw error
        }
        segments[number].isSlotTorn = false
    }

    /// Writes the slots again that couldn't be written.
    mutating func mendSlots() throws(StorageError) {
        for number in 0..<geometry.tableSlots where segments[number].isSlotTorn {
            try write(segments[number].entry, toSlot: number)
        }
        hasTornSlots = false
    }

    mutating func writeSuperblock() throws(StorageError) {
        let storage = storage
        isSuperblockTorn = true
        try superblock.withSealedBytes { (bytes) throws(StorageError) in try storage.write(at: 0, bytes) }
        isSuperblockTorn = false
    }
}
