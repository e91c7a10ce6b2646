// Invariant of the pointers: a region of `scratch` is used before the next one is taken; a slot is the index's, and is
// used before the index changes again.

import Platform

// Overwriting what is dead, so that neither keys nor bodies of removed entries stay in the file. Headers stay, since
// they chain the records together; they have lengths, dates and keyed hashes.
extension RecordLog {
    /// Overwrites with zeros all bytes of the data area that belong to no entry that can be found: removed, replaced
    /// and evicted versions, originals of carried copies, and remnants of earlier lives of segments.
    ///
    /// - Complexity: reads the header of every record, and writes at most as many bytes as the file has.
    mutating func eraseDead() throws(StorageError) {
        try mend()
        try writeWaiting()
        continueSweep(budget: .max)
        // If a copy hasn't reached the disk, a power cut may leave only the original.
        if superblock.wasFlushed { try synchronize() }
        var kept: [Range<Int>] = []
        var liveCount = 0
        for number in 0..<geometry.segmentCount where segments[number].entry.generation != 0 {
            liveCount += try appendKept(ofSegment: number, to: &kept)
        }
        // Something hides a record, which would be erased.
        guard liveCount == index.count else { throw StorageError(.read, code: EIO) }
        kept.sort { $0.lowerBound < $1.lowerBound }
        var end = geometry.dataStart
        for range in kept {
            try zero(end..<max(end, range.lowerBound))
            end = max(end, range.upperBound)
        }
        try zero(end..<max(end, min(space.byteCount, geometry.dataEnd)))
        erasedSequence = nextSequence
        // Its copy was in a free segment.
        savedIndex = nil
    }

    /// Overwrites the whole data area of an empty log. It has to be empty before: in a log that's half overwritten, a
    /// version could be left without the tombstone that hides it.
    mutating func eraseAll() throws(StorageError) {
        try zero(geometry.dataStart..<max(geometry.dataStart, min(space.byteCount, geometry.dataEnd)))
    }

    /// Removes what is stored under `hash`, and leaves nothing of it in the file.
    ///
    /// - Returns: whether there was anything.
    /// - Complexity: as `eraseDead`; O(1) directly after another removal that erased.
    mutating func removeErasing(_ hash: KeyHash) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try writeWaiting()
        } catch {
            // The entry goes all the same; `remove` mends the log.
            statistics.count(error)
        }
        let isClean = erasedSequence == nextSequence
        let record = index.find(Fingerprint(hash.low)).map { readable.pointee.located($0.pointee) }
        let before = nextSequence
        let wasThere = try remove(hash)
        // Only the tombstone was written, and nothing was carried or given up, so nothing else has died.
        if isClean, erasedSequence != nil, nextSequence <= before + 1, try zeroPayload(of: record) {
            erasedSequence = nextSequence
        } else {
            try eraseDead()
        }
        return wasThere
    }

    /// Adds the ranges of a segment's headers, and of those records that can be found.
    ///
    /// - Returns: how many can be found.
    private func appendKept(ofSegment number: Int, to kept: inout [Range<Int>]) throws(StorageError) -> Int {
        var liveCount = 0
        try forEachRecord(ofSegment: number) { offset, header in
            let slot = index.find(Fingerprint(header.hashLow))
            let isLive = slot.map { geometry.offset(of: $0.pointee.place) == offset } ?? false
            liveCount += isLive ? 1 : 0
            kept.append(offset..<offset + (isLive ? header.recordCount : RecordHeader.byteCount))
        }
        return liveCount
    }

    /// Hops from header to header through a segment.
    private func forEachRecord(
        ofSegment number: Int, _ body: (_ offset: Int, _ header: RecordHeader) -> Void
    ) throws(StorageError) {
        let entry = segments[number].entry
        guard entry.firstRecord != SegmentEntry.noRecord else { return }
        let from = geometry.start(ofSegment: number)
        var offset = from + geometry.offset(of: entry.firstRecord)
        var link: UInt32 = 0
        while offset < from + geometry.segmentBytes, offset + RecordHeader.byteCount <= space.byteCount {
            let header = try header(at: offset)
            guard header.isValid(mark: entry.nonce &+ UInt64(offset - from)), header.link == link else { return }
            body(offset, header)
            link = header.checksum
            offset = geometry.padded(offset + header.recordCount)
        }
    }

    private func header(at offset: Int) throws(StorageError) -> RecordHeader {
        guard let header = try storage.value(RecordHeader.self, at: offset) else {
            throw StorageError(.read, code: EIO)
        }
        return header
    }

    /// - Returns: `false` if the record's header doesn't say how long it is.
    mutating func zeroPayload(of record: LocatedRecord?) throws(StorageError) -> Bool {
        guard let record else { return true }
        let header = try header(at: record.offset)
        guard header.isValid(mark: record.mark), RecordLength.rounded(header.recordCount) == record.length else {
            return false
        }
        try zero(record.offset + RecordHeader.byteCount..<record.offset + header.recordCount)
        return true
    }

    /// Overwrites the payloads that a carried copy left behind: where the copy can't be read, they count in its place.
    ///
    /// - Returns: `false` if the record's header can't be read.
    mutating func zeroOriginals(of record: LocatedRecord) throws(StorageError) -> Bool {
        let copy = try header(at: record.offset)
        guard copy.isValid(mark: record.mark) else { return false }
        let own = geometry.segment(of: record.offset)
        // A record with a number above that of its segment's begin was written there first.
        guard copy.sequence < segments[own].entry.generation else { return true }
        var originals: [Range<Int>] = []
        for number in 0..<geometry.segmentCount where number != own && segments[number].entry.generation != 0 {
            try forEachRecord(ofSegment: number) { offset, header in
                guard header.sequence == copy.sequence else { return }
                originals.append(offset + RecordHeader.byteCount..<offset + header.recordCount)
            }
        }
        for range in originals { try zero(range) }
        return true
    }

    private mutating func zero(_ range: Range<Int>) throws(StorageError) {
        guard !range.isEmpty else { return }
        let zeros = scratch.region(min(range.count, 64 << 10))
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let part = UnsafeRawBufferPointer(zeros).prefix(range.upperBound - offset)
            try storage.write(at: offset, UnsafeRawBufferPointer(rebasing: part))
            offset += part.count
        }
    }
}
