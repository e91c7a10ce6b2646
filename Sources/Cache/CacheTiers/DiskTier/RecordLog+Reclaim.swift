// Invariant of the pointers: a slot is the index's, and is used before the index changes again. A region of `scratch`
// is used before the next one is taken; nothing that appends a record takes one.

import CSupport
import Platform

// Giving up the oldest segment for the next one.
extension RecordLog {
    /// Processes segments until a record of `length` bytes fits at the head. With GDSF some free segments stay in
    /// reserve, so that a carried record always finds room.
    ///
    /// - Returns: `false` if the whole ring doesn't make enough room.
    @inline(__always)
    mutating func makeRoom(for length: Int) -> Bool {
        let spare = countsUses ? readySegments : 0
        while placement(length).newSegments + spare > freeAhead {
            guard processTailSegment() else { return placement(length).newSegments <= freeAhead }
        }
        return true
    }

    /// Does its share of reclaiming after an append, so that no store pays for a whole segment: some segments are
    /// always ready, and the one behind them is processed as far as the head's is filled.
    @inline(__always)
    mutating func keepPace() {
        guard freeAhead <= readySegments else { return }
        catchUp()
    }

    /// Bytes that may be carried beyond the average.
    var mostCarryCredit: Int { geometry.segmentBytes * 4 }

    /// Segments that are always ready. What GDSF carries may fill more than one while another is reclaimed.
    private var readySegments: Int {
        @inline(__always) get { countsUses ? 2 : 1 }
    }

    private mutating func catchUp() {
        while freeAhead <= readySegments, workLeft > 0 {
            let tail = geometry.following(headSegment, by: freeAhead + 1)
            guard tail != headSegment else { return }
            let count = segments[tail].recordCount
            guard count > 0 else {
                finishTailSegment()
                continue
            }
            if freeAhead == readySegments {
                let filled = head - geometry.start(ofSegment: headSegment)
                guard tailRecord < (count * filled + geometry.segmentBytes - 1) / geometry.segmentBytes else { return }
            }
            processTailRecord(tail)
        }
    }

    /// Bounds the carrying of a change that itself writes `length` bytes.
    @inline(__always)
    mutating func limitWork(length: Int) { workLeft = 4 * length + 256 << 10 }

    /// Processes the tail segment to its end.
    ///
    /// - Returns: `false` if no segment is left to process.
    mutating func processTailSegment() -> Bool {
        guard headSegment >= 0, freeAhead < geometry.segmentCount - 1 else { return false }
        // Carrying may begin segments, but only free ones: the tail stays where it is until it is finished.
        let tail = geometry.following(headSegment, by: freeAhead + 1)
        guard segments[tail].recordCount > 0 else {
            finishTailSegment()
            return true
        }
        repeat { processTailRecord(tail) } while tailRecord > 0
        return true
    }

    private mutating func finishTailSegment() {
        freeAhead += 1
        tailRecord = 0
        // Unused credit is kept for a record larger than one segment's share, but not hoarded.
        let percent = countsUses ? GreedyDualReclaim.carriedPercent : 40
        carryCredit = min(carryCredit + geometry.segmentBytes * percent / 100, mostCarryCredit)
    }

    /// Decides about the tail segment's next record, and finishes the segment after its last.
    private mutating func processTailRecord(_ tail: Int) {
        if countsUses, tailRecord == 0 { chooseThreshold(tail) }
        let prefix = segments[tail].records?[tailRecord] ?? 0
        tailRecord += 1
        let isLast = tailRecord == segments[tail].recordCount
        workLeft -= bytesOfExamining
        if let slot = index.find(prefix: prefix, in: geometry.places(ofSegment: tail)), isWorthCarrying(slot) {
            let found = slot.pointee
            if found.length <= min(carryCredit, workLeft), placement(found.length).newSegments <= freeAhead {
                carry(found)
            }
        }
        if isLast { finishTailSegment() }
    }

    /// Copies a record to the head under its old sequence number, and points the index at the copy.
    ///
    /// If that fails, the record stays where it is until it's overwritten. The copy may wait, since all that waits is
    /// written before the segment is begun again.
    private mutating func carry(_ found: IndexSlot) {
        guard !writeBuffer.holds(geometry.offset(of: found.place)) else { return }
        let (record, place, storage) = (scratch.region(found.length), readable.pointee.located(found), storage)
        let reading = readRecord(place, into: record) { (bytes) throws(StorageError) in
            try readBytes(of: place, from: storage, into: bytes)
        }
        var header: RecordHeader
        switch reading {
        case .whole(let read): header = read
        // The next lookup will find the damage and remove the record from the file.
        case .damaged: return
        case .failed(let error): return statistics.count(error)
        }
        guard !removals.removes(sequence: header.sequence, storedAt: header.storedAt) else { return }
        guard !continuesRecovered || separate(copyOf: found.length) else { return }
        let isFlushed = segments[geometry.segment(of: place.offset)].isFlushed
        let mayWait = buffersWrites && !isFlushed
        let payload = UnsafeRawBufferPointer(rebasing: record[RecordHeader.byteCount..<header.recordCount])
        guard let offset = try? append(&header, payload, mayWait: mayWait) else {
            statistics.failures += 1
            return
        }
        // What `flush` covered is protected in its new place, too.
        if isFlushed {
            for number in geometry.segment(of: offset)...geometry.segment(of: offset + header.recordCount - 1) {
                segments[number].isFlushed = true
            }
        }
        if writeBuffer.holds(offset) { writeBuffer.noteCopy(at: offset, of: found.place) }
        carryCredit -= found.length
        workLeft -= found.length
        segments[geometry.segment(of: offset)].append(found.fingerprint.prefix)
        liveBytes -= index.put(found.fingerprint, place: geometry.place(of: offset), length: header.recordCount)
        liveBytes += found.length
        erasedSequence = nil
        statistics.carriedRecords += 1
        statistics.carriedBytes += UInt64(found.length)
    }

    /// Writes a tombstone of no key before the first copy that would follow an earlier process's records.
    ///
    /// A copy equals its original but for its place. An earlier process may have written the same copy here and lost
    /// it: records behind it, or a saved index that ends with it, would count again.
    ///
    /// - Parameter length: bytes of the copy.
    /// - Returns: whether it was written and left room for the copy.
    private mutating func separate(copyOf length: Int) -> Bool {
        var hash = KeyHash(low: nonces.next(), high: nonces.next())
        while index.find(Fingerprint(hash.low)) != nil { hash = KeyHash(low: nonces.next(), high: hash.high) }
        do throws(StorageError) {
            guard placement(RecordHeader.byteCount).newSegments <= freeAhead else { return false }
            try appendTombstone(hash)
        } catch {
            statistics.count(error)
            return false
        }
        return placement(length).newSegments <= freeAhead
    }
}

/// Looking a record up in the index takes about as long as copying this many bytes.
private let bytesOfExamining = 256
