import CSupport
import Platform

// Writing at the head.
extension RecordLog {
    /// Where a record of `length` bytes would start, and how many units have to be begun for it.
    @inline(__always)
    func placement(_ length: Int) -> (start: Int, newUnits: Int) {
        if headUnit < 0 {
            return (geometry.dataStart, geometry.unit(of: geometry.dataStart + length - 1) + 1)
        }
        if head + length <= geometry.dataEnd {
            return (head, geometry.unit(of: head + length - 1) - headUnit)
        }
        // No record goes round the end of the ring: what is left of the last units stays unused.
        let last = geometry.unit(of: geometry.dataStart + length - 1)
        return (geometry.dataStart, geometry.unitCount - 1 - headUnit + last + 1)
    }

    /// Writes a record at the head. There has to be room (`makeRoom`).
    ///
    /// - Parameter mayWait: that the record may wait in memory to be written with others: nothing older comes back if it
    ///   is lost.
    /// - Returns: the record's offset.
    mutating func append(
        _ header: inout RecordHeader, _ payload: UnsafeRawBufferPointer, mayWait: Bool
    ) throws(StorageError) -> Int {
        let length = RecordHeader.byteCount + payload.count
        let (start, newUnits) = placement(length)
        let unit = geometry.unit(of: start)
        let link = unit == lastRecordUnit ? lastChecksum : 0
        if newUnits > 0 { try beginUnits(newUnits, forRecordAt: start, length) }
        header.seal(
            mark: units[unit].entry.nonce &+ UInt64(start - geometry.start(ofUnit: unit)),
            link: link)
        try write(header, payload, at: start, mayWait: mayWait)
        head = paddedToEight(start + length)
        lastRecordUnit = unit
        lastChecksum = header.checksum
        statistics.bytesWritten += UInt64(length)
        return start
    }

    /// Writes a record with what waits before it, or lets it wait, too.
    @inline(__always)
    private mutating func write(
        _ header: RecordHeader, _ payload: UnsafeRawBufferPointer, at start: Int, mayWait: Bool
    ) throws(StorageError) {
        let length = paddedToEight(RecordHeader.byteCount + payload.count)
        let mayWait = mayWait && length <= RecordStage.mostRecordBytes
        if mayWait || !stage.isEmpty {
            if !stage.takes(length, at: start) { try writeWaiting() }
            if mayWait || !stage.isEmpty {
                lendBytes(of: header) { stage.append(at: start, $0, payload) }
                return mayWait ? () : try writeWaiting()
            }
        }
        do throws(StorageError) {
            // One call, header first: a header whose payload did not make it fails by the payload's checksum, and
            // until then hides the older version, as it should.
            try lendBytes(of: header) { (bytes) throws(StorageError) in try storage.write(at: start, bytes, payload) }
        } catch {
            distrust(start)
            throw error
        }
    }

    /// Begins the next `count` units for a record at `start`. They have to be processed.
    ///
    /// A unit's entry goes to the table before anything goes into the unit: with it all that the unit held is void.
    private mutating func beginUnits(
        _ count: Int, forRecordAt start: Int, _ length: Int
    ) throws(StorageError) {
        let end = paddedToEight(start + length)
        for _ in 0..<count {
            let number = headUnit < 0 ? 0 : geometry.following(headUnit)
            let from = geometry.start(ofUnit: number)
            let to = from + geometry.unitBytes
            var firstRecord = UnitEntry.noRecord
            if start >= from && start < to {
                firstRecord = UInt32((start - from) / 8)
            } else if end > from && end < to && start < from {
                firstRecord = UInt32((end - from) / 8)
            }
            try begin(unit: number, firstRecord: firstRecord)
        }
    }

    private mutating func begin(unit number: Int, firstRecord: UInt32) throws(StorageError) {
        let end = geometry.start(ofUnit: number) + geometry.unitBytes
        if end > reservedBytes {
            try storage.reserve(end)
            reservedBytes = end
        }
        try writeWaiting()
        // Of two flushed records of a key the newer must not be overwritten, in a power cut, before it is certain that
        // the unit's old life is over; and what was carried out of the unit has to have arrived.
        let isFlushed = units[number].isFlushed
        if isFlushed { try storage.synchronize() }
        forgetRecords(ofUnit: number)
        units[number].empty()
        let entry = UnitEntry(
            firstRecord: firstRecord, generation: takeSequence(), nonce: nonces.next(), epoch: superblock.epoch
        )
        try write(entry, toSlot: number)
        if isFlushed { try storage.synchronize() }
        units[number].entry = entry
        units[number].isRecent = true
        headUnit = number
        lastRecordUnit = -1
        // If the record it is begun for does not come about, no other may start where the slot does not expect one.
        head = end
        freeAhead -= 1
    }

    /// Ends the life of the next few units in the file, if some of them hold what `flush` covered.
    ///
    /// Beginning them one by one would cost two synchronisations each; this way it is two or three for several. Only
    /// after a `flush`, and until nothing of what it covered is left.
    mutating func voidFlushedUnits() throws(StorageError) {
        guard hasFlushedUnits, headUnit >= 0,
            units[geometry.following(headUnit)].isFlushed || units[geometry.following(headUnit, by: 2)].isFlushed
        else { return }
        while freeAhead < max(geometry.unitCount / 8, 2), processTailUnit() {}
        // All before the last, too, since the last record of one may run into the next.
        var last = freeAhead
        while last > 0, !units[geometry.following(headUnit, by: last)].isFlushed { last -= 1 }
        try void((0..<last).map { geometry.following(headUnit, by: $0 + 1) })
        hasFlushedUnits = (0..<geometry.unitCount).contains { units[$0].isFlushed }
        if !hasFlushedUnits {
            superblock.wasFlushed = false
            try writeSuperblock()
        }
    }

    /// Ends the lives of units, which are given oldest first.
    ///
    /// If something was flushed, a power cut may not take what was carried out of them, nor let one outlive another that
    /// superseded it, nor bring one back when it is being written over; and a disk writes sectors in any order.
    mutating func void(_ numbers: [Int]) throws(StorageError) {
        try writeWaiting()
        var sector = -1
        for number in numbers where units[number].entry.generation != 0 {
            let own = UnitEntry.offset(ofSlot: number) / LogGeometry.sectorBytes
            if sector != own, superblock.wasFlushed { try storage.synchronize() }
            sector = own
            try void(unit: number)
        }
        if sector >= 0, superblock.wasFlushed { try storage.synchronize() }
    }

    /// Ends a unit's life, in memory and then in the file.
    ///
    /// When that fails the file may still hold what is forgotten here, until the slot is mended, before the next change.
    private mutating func void(unit number: Int) throws(StorageError) {
        forgetRecords(ofUnit: number)
        units[number].empty()
        try write(UnitEntry.blank, toSlot: number)
    }

    /// Takes what is left in a unit out of the index: it is about to be overwritten.
    mutating func forgetRecords(ofUnit number: Int) {
        let unit = units[number]
        if let records = unit.records {
            for position in 0..<unit.recordCount {
                let slot = index.find(records[position])
                guard slot >= 0, geometry.unit(of: index.slots[slot].offset) == number else { continue }
                liveBytes -= index.slots[slot].length
                index.remove(at: slot)
                statistics.evictions += 1
            }
        }
        tombstoneBytes -= unit.tombstoneBytes
        units[number].forgetRecords()
    }

    mutating func write(_ entry: UnitEntry, toSlot number: Int) throws(StorageError) {
        let storage = storage
        let stored = entry.generation == 0 ? UnitEntry.blank : entry.sealed(forSlot: number, of: superblock.identity)
        units[number].isSlotTorn = true
        do throws(StorageError) {
            try lendBytes(of: stored) { (bytes) throws(StorageError) in
                try storage.write(at: UnitEntry.offset(ofSlot: number), bytes)
            }
        } catch {
            hasTornSlots = true
            throw error
        }
        units[number].isSlotTorn = false
    }

    /// Makes the slots that could not be written say what they should.
    mutating func mendSlots() throws(StorageError) {
        for number in 0..<geometry.tableSlots where units[number].isSlotTorn {
            try write(units[number].entry, toSlot: number)
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
