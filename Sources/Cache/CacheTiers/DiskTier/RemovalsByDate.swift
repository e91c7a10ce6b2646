import CSupport
import Platform

/// A removal by date, as it is in the file: for records with smaller numbers, of entries that were stored after its
/// date, it counts like a tombstone of each. FORMAT.md, "Removals by date".
struct DateTombstone: Hashable, Sendable {
    private var checksum: UInt32 = 0
    private var unused: UInt32 = 0
    /// The removal's number, from the counter that also numbers records.
    var sequence: UInt64
    /// Entries stored later are removed.
    var date: Int64
    /// The superblock's epoch of then.
    var epoch: UInt64

    static let byteCount = 32
    /// Slots of the file. One stays free, so that each tombstone stands until its successor does.
    static let slotCount = 8
    static let allBytes = slotCount * byteCount
    static let blank = DateTombstone(sequence: 0, date: 0, epoch: 0)

    init(sequence: UInt64, date: Int64, epoch: UInt64) {
        self.sequence = sequence
        self.date = date
        self.epoch = epoch
    }

    /// Where slot `number` is in the file: in the superblock's sector.
    static func offset(ofSlot number: Int) -> Int { 256 + number * byteCount }

    /// Whether it removes an entry.
    @inline(__always)
    func removes(sequence: UInt64, storedAt: Int64) -> Bool { sequence < self.sequence && storedAt > date }

    /// Whether the tombstone is whole and was written for this slot of this file in this epoch.
    func isValid(inSlot number: Int, of superblock: Superblock) -> Bool {
        sequence != 0 && sequence < RecordHeader.sequenceLimit && epoch == superblock.epoch
            && checksum == computedChecksum(number, superblock.identity)
    }

    /// The tombstone with the checksum for its slot.
    func sealed(forSlot number: Int, of identity: UInt32) -> DateTombstone {
        var copy = self
        copy.checksum = computedChecksum(number, identity)
        return copy
    }

    private func computedChecksum(_ number: Int, _ identity: UInt32) -> UInt32 {
        let start = ~identity ^ UInt32(truncatingIfNeeded: number)
        return lendBytes(of: self) { cs_crc32c(start, $0.baseAddress.map { $0 + 4 }, 28) }
    }
}

/// The removals by date that a log still has to know, by their slots.
struct DateTombstones: Sendable {
    private(set) var slots: [DateTombstone?] = Array(repeating: nil, count: DateTombstone.slotCount)
    private(set) var isEmpty = true

    subscript(slot: Int) -> DateTombstone? {
        get { slots[slot] }
        set {
            slots[slot] = newValue
            isEmpty = slots.allSatisfy { $0 == nil }
        }
    }

    /// Whether one of them removes an entry.
    func removes(sequence: UInt64, storedAt: Int64) -> Bool {
        !isEmpty && slots.contains { $0?.removes(sequence: sequence, storedAt: storedAt) ?? false }
    }

    /// A free slot.
    var freeSlot: Int? { slots.firstIndex { $0 == nil } }

    /// The slots of tombstones that satisfy a condition.
    func slots(where isWanted: (DateTombstone) -> Bool) -> [Int] {
        slots.indices.filter { slots[$0].map(isWanted) ?? false }
    }

    /// The two tombstones whose dates are nearest, the earlier date first.
    var nearestPair: (Int, Int)? {
        let used = slots { _ in true }.sorted { (slots[$0]?.date ?? 0) < (slots[$1]?.date ?? 0) }
        let pairs = zip(used, used.dropFirst())
        return pairs.min { distance($0) < distance($1) }
    }

    private func distance(_ pair: (Int, Int)) -> UInt64 {
        UInt64(bitPattern: (slots[pair.1]?.date ?? 0) &- (slots[pair.0]?.date ?? 0))
    }
}

// Invariant of the pointers: a region of `scratch` is used before the next one is taken; a slot is the index's, and is
// used before the index changes again.

// Removing the entries that were stored after a date: one small write, however many they are. From then on they aren't
// found, since each record has its number and date; the index forgets them afterwards, a part at a time.
extension RecordLog {
    /// How far the search for entries removed by date has come.
    struct Sweep {
        /// The segments to search, with the generations that they had.
        var segments: [(number: Int, generation: UInt64)]
        /// Where the next record of the last segment in the list starts, and the link that it must have; `nil` at the
        /// segment's beginning.
        var next: (offset: Int, link: UInt32)?
    }

    /// Removes the entries whose `storedAt` is after `date`. They aren't found from now on; while there is a `sweep`
    /// they may still count.
    mutating func removeAll(since date: Int64) throws(StorageError) {
        try mend()
        do throws(StorageError) {
            try writeWaiting()
        } catch {
            statistics.count(error)
            // The lost entries may be in the file all the same, and have to be removed.
            try mend()
        }
        guard index.count > 0 else { return }
        do throws(StorageError) {
            try add(DateTombstone(sequence: takeSequence(), date: date, epoch: superblock.epoch))
        } catch {
            statistics.count(error)
            return try forceClearing()
        }
        beginSweep()
    }

    /// Writes a tombstone, and blanks those that it includes.
    private mutating func add(_ tombstone: DateTombstone) throws(StorageError) {
        if !superblock.hasRemovals {
            superblock.hasRemovals = true
            try writeSuperblock()
        }
        if removals.slots(where: { _ in true }).count > DateTombstone.slotCount - 2 { try mergeNearest() }
        try writeFree(tombstone)
        try erase(removals.slots { $0 != tombstone && $0.date >= tombstone.date })
    }

    /// Merges the two tombstones whose dates are nearest: the later number and the earlier date, which includes both.
    private mutating func mergeNearest() throws(StorageError) {
        guard let (earlier, later) = removals.nearestPair, let first = removals[earlier], let second = removals[later]
        else { return }
        try writeFree(
            DateTombstone(sequence: max(first.sequence, second.sequence), date: first.date, epoch: superblock.epoch))
        try erase([earlier, later])
    }

    private mutating func writeFree(_ tombstone: DateTombstone) throws(StorageError) {
        guard let slot = removals.freeSlot else { throw StorageError(.write, code: ENOSPC) }
        try write(tombstone.sealed(forSlot: slot, of: superblock.identity), toSlot: slot)
        removals[slot] = tombstone
    }

    private mutating func erase(_ slots: [Int]) throws(StorageError) {
        for slot in slots {
            try write(DateTombstone.blank, toSlot: slot)
            removals[slot] = nil
        }
    }

    private func write(_ tombstone: DateTombstone, toSlot slot: Int) throws(StorageError) {
        let storage = storage
        try lendBytes(of: tombstone) { (bytes) throws(StorageError) in
            try storage.write(at: DateTombstone.offset(ofSlot: slot), bytes)
        }
    }

    /// Reads the tombstones of a file that is being opened. A damaged one was being written or blanked.
    mutating func readRemovals() throws(StorageError) {
        let tombstones = scratch.region(DateTombstone.allBytes)
        tombstones.initializeMemory(as: UInt8.self, repeating: 0)
        let count = try storage.read(at: DateTombstone.offset(ofSlot: 0), into: tombstones)
        // A log in which nothing was stored ends before them.
        guard count >= min(tombstones.count, space.byteCount - DateTombstone.offset(ofSlot: 0)) else {
            throw StorageError(.read, code: EIO)
        }
        for slot in 0..<DateTombstone.slotCount {
            let offset = slot * DateTombstone.byteCount
            let tombstone = tombstones.loadUnaligned(fromByteOffset: offset, as: DateTombstone.self)
            guard tombstone.isValid(inSlot: slot, of: superblock) else { continue }
            removals[slot] = tombstone
            nextSequence = max(nextSequence, tombstone.sequence + 1)
        }
    }

    /// Blanks the tombstones whose removed records have all been overwritten: those older than the oldest segment. If
    /// that fails they stay until the next segment is begun.
    mutating func retireRemovals() {
        do throws(StorageError) {
            try retireTombstones()
        } catch {
            statistics.count(error)
        }
    }

    private mutating func retireTombstones() throws(StorageError) {
        var oldest = UInt64.max
        for number in 0..<geometry.segmentCount where segments[number].entry.generation != 0 {
            oldest = min(oldest, segments[number].entry.generation)
        }
        let retired = removals.slots { $0.sequence < oldest }
        guard !retired.isEmpty else { return }
        // A power cut may not bring back the segments without the tombstones.
        if superblock.wasFlushed { try synchronize() }
        try erase(retired)
        guard removals.isEmpty else { return }
        superblock.hasRemovals = false
        try writeSuperblock()
    }

    // MARK: Sweeping

    /// Begins to search all segments for entries that were removed by date.
    mutating func beginSweep() {
        guard !removals.isEmpty else { return sweep = nil }
        var order: [(number: Int, generation: UInt64)] = []
        for number in 0..<geometry.segmentCount where segments[number].recordCount > 0 {
            order.append((number, segments[number].entry.generation))
        }
        sweep = Sweep(segments: order)
    }

    /// Goes on with the search.
    ///
    /// - Parameter budget: bytes to read at most, each record counted as 256 more.
    mutating func continueSweep(budget: Int) {
        var budget = budget
        while budget > 0, let segment = sweep?.segments.last {
            let next = sweep?.next
            guard segments[segment.number].entry.generation == segment.generation,
                let end = sweepChunk(segment.number, from: next, &budget)
            else {
                sweep?.segments.removeLast()
                sweep?.next = nil
                continue
            }
            sweep?.next = end
        }
        if sweep?.segments.isEmpty ?? false { sweep = nil }
    }

    /// Searches the records whose headers stand in one stretch of a segment.
    ///
    /// - Returns: where to go on; `nil` at the segment's end.
    private mutating func sweepChunk(
        _ number: Int, from next: (offset: Int, link: UInt32)?, _ budget: inout Int
    ) -> (offset: Int, link: UInt32)? {
        let entry = segments[number].entry
        guard entry.firstRecord != SegmentEntry.noRecord else { return nil }
        let from = geometry.start(ofSegment: number)
        var (offset, link) = next ?? (from + geometry.offset(of: entry.firstRecord), 0)
        let start = offset
        let end = min(from + geometry.segmentBytes, space.byteCount)
        guard offset < end else { return nil }
        let chunk = scratch.region(min(256 << 10, end - offset + RecordHeader.byteCount))
        let storage = storage
        guard let count = try? storage.read(at: start, into: chunk) else { return nil }
        budget -= count
        while offset < end {
            guard offset - start + RecordHeader.byteCount <= count else {
                return offset > start ? (offset, link) : nil
            }
            let header = chunk.loadUnaligned(fromByteOffset: offset - start, as: RecordHeader.self)
            guard header.isValid(mark: entry.nonce &+ UInt64(offset - from)), header.link == link else { return nil }
            if header.kind == .entry, removals.removes(sequence: header.sequence, storedAt: header.storedAt),
                let slot = index.find(Fingerprint(header.hashLow)), slot.pointee.place == geometry.place(of: offset)
            {
                forget(slot)
                statistics.removals += 1
            }
            budget -= 256
            link = header.checksum
            offset = geometry.padded(offset + header.recordCount)
        }
        return nil
    }

    /// Whether an entry in the index was removed by date. Reads the record's header, unless the index has forgotten all
    /// such entries.
    mutating func isRemovedByDate(_ slot: UnsafeMutablePointer<IndexSlot>) -> Bool {
        guard sweep != nil else { return false }
        let record = readable.pointee.located(slot.pointee)
        guard !writeBuffer.holds(record.offset) else { return false }
        guard let header = try? storage.value(RecordHeader.self, at: record.offset) else { return false }
        return header.isValid(mark: record.mark)
            && removals.removes(sequence: header.sequence, storedAt: header.storedAt)
    }

    /// Forgets an entry that a lookup found removed by date.
    mutating func dropRemoved(_ record: LocatedRecord, _ hash: KeyHash) {
        guard readable.pointee.confirms(record, hash), let slot = index.find(Fingerprint(hash.low)) else { return }
        forget(slot)
        statistics.removals += 1
    }
}
