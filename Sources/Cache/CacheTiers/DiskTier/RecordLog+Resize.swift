import Platform

// Another capacity.
extension RecordLog {
    /// Gives the log as many units as `capacity` has room for; when the units would be too few or too many for good
    /// reclaiming, begins a new log with units of another size, empty.
    ///
    /// - Parameter capacity: at least `LogGeometry.leastCapacity`.
    /// - Returns: whether what was stored could be kept, as far as there is room.
    mutating func resize(toCapacity capacity: Int) throws(StorageError) -> Bool {
        try mend()
        try writeWaiting()
        guard let wanted = geometry.resized(toCapacity: capacity) else {
            guard let fresh = LogGeometry(capacity: capacity) else { return false }
            try startAnew(fresh)
            return false
        }
        if wanted.unitCount > geometry.unitCount {
            try grow(to: wanted)
        } else if wanted.unitCount < geometry.unitCount {
            try shrink(to: wanted)
        }
        // Not only after shrinking: an earlier attempt may have come as far as here.
        if try storage.byteCount() > geometry.dataEnd { try storage.resize(to: geometry.dataEnd) }
        reservedBytes = min(reservedBytes, geometry.dataEnd)
        return true
    }

    /// Empties the file and divides it differently. The seed stays, since others hash with it.
    mutating func startAnew(_ fresh: LogGeometry) throws(StorageError) {
        let before = geometry
        statistics.evictions += UInt64(index.count)
        divide(as: fresh)
        mustClear = true
        do throws(StorageError) {
            // A power cut may bring slots back that an earlier division like this one left, of a later epoch.
            let identity = UInt32(truncatingIfNeeded: nonces.next())
            superblock.beginEpoch(orAnewAs: identity)
            superblock.identity = identity
            try writeSuperblock()
            if superblock.wasFlushed { try storage.synchronize() }
            // The slots go too: they are another identity's, and would pass for damaged ones.
            try storage.resize(to: LogGeometry.superblockBytes)
            try storage.resize(to: geometry.dataStart)
        } catch {
            // Still to be cleared, but in the old division, which the capacity is still about.
            divide(as: before)
            throw error
        }
        reservedBytes = geometry.dataStart
        mustClear = false
    }

    /// Answers nothing until the file, which holds nothing, has been cleared in another division.
    mutating func suspend(dividedAs fresh: LogGeometry) {
        divide(as: fresh)
        suspend()
    }

    private mutating func divide(as other: LogGeometry) {
        geometry = other
        superblock.geometry = other
        forgetAll()
    }

    /// Leaves nothing of the file but its name.
    mutating func disable() throws(StorageError) {
        try removeAll()
        try storage.resize(to: 0)
        reservedBytes = 0
    }

    /// Adds units after the last. They are empty, and as such do not disturb the order round the ring.
    private mutating func grow(to wanted: LogGeometry) throws(StorageError) {
        let added = wanted.unitCount - geometry.unitCount
        // A power cut may have taken a superblock that said this before, and left the slots.
        for number in geometry.unitCount..<wanted.unitCount { try write(UnitEntry.blank, toSlot: number) }
        if superblock.wasFlushed { try storage.synchronize() }
        try write(wanted)
        // Where the free units reach round the end of the ring, or to it, the new ones are among them.
        if headUnit < 0 || headUnit + freeAhead >= geometry.unitCount - added - 1 { freeAhead += added }
    }

    /// Gives up the oldest units and moves the others to where there is still room.
    private mutating func shrink(to wanted: LogGeometry) throws(StorageError) {
        if headUnit >= 0 {
            reclaim(toUnits: wanted.unitCount - 1)
            // What carrying could not write has a place in a unit that may be moved now.
            try writeWaiting()
            try mend()
        }
        if headUnit >= 0 {
            let kept = geometry.unitCount - freeAhead
            try voidUnits(exceptNewest: kept)
            if mustMove(newest: kept, into: wanted) { return try moveUnits(newest: kept, into: wanted) }
            freeAhead = wanted.unitCount - kept
        }
        try write(wanted)
        if headUnit < 0 { forgetAll() }
    }

    /// Makes another number of units hold, in the file and then here.
    private mutating func write(_ wanted: LogGeometry) throws(StorageError) {
        let before = superblock
        superblock.geometry = wanted
        superblock.isMoving = false
        do throws(StorageError) {
            try writeSuperblock()
        } catch {
            superblock = before
            superblock.isMoving = false
            suspend()
            throw error
        }
        geometry = wanted
    }

    /// Processes the oldest units, as a store would, until at most `count` are not free.
    private mutating func reclaim(toUnits count: Int) {
        while geometry.unitCount - freeAhead > count {
            guard processTailUnit() else { return }
        }
    }

    /// Makes all units void but the `count` newest, oldest first: the order in which they would be overwritten, so that
    /// what is left at any moment hides nothing that is void already.
    private mutating func voidUnits(exceptNewest count: Int) throws(StorageError) {
        try void((0..<geometry.unitCount - count).map { geometry.following(headUnit, by: $0 + 1) })
        freeAhead = geometry.unitCount - count
        tailRecord = 0
    }

    private func mustMove(newest count: Int, into wanted: LogGeometry) -> Bool {
        headUnit >= wanted.unitCount || count > headUnit + 1
    }

    /// Moves the `count` newest units so that none stands beyond the wanted number, and none that follows another is
    /// parted from it: marks are relative to the unit, so whole units are copied.
    ///
    /// Units after the head's in the file (the older part, when the ring goes round the end) go to the new end; if the
    /// head itself is beyond it, all go to the beginning. Either way they move down, in the order of the log. Half moved
    /// they would be in no order, so the superblock says that they are being moved until they are; opened in that
    /// state, the log is empty.
    private mutating func moveUnits(newest count: Int, into wanted: LogGeometry) throws(StorageError) {
        let wasFlushed = superblock.wasFlushed
        superblock.isMoving = true
        do throws(StorageError) {
            try writeSuperblock()
            if wasFlushed { try storage.synchronize() }
            if headUnit >= wanted.unitCount {
                let first = headUnit - count + 1
                for number in 0..<count { try move(unit: first + number, to: number) }
                head -= first * geometry.unitBytes
                headUnit = count - 1
                if lastRecordUnit >= 0 { lastRecordUnit -= first }
            } else {
                let older = count - headUnit - 1
                let source = geometry.unitCount - older
                let target = wanted.unitCount - older
                for number in 0..<older { try move(unit: source + number, to: target + number) }
            }
            if wasFlushed { try storage.synchronize() }
        } catch {
            superblock.isMoving = false
            suspend()
            throw error
        }
        freeAhead = wanted.unitCount - count
        try write(wanted)
        if wasFlushed { try storage.synchronize() }
    }

    /// Copies a unit, and makes the other slot say what this one said.
    private mutating func move(unit source: Int, to target: Int) throws(StorageError) {
        guard source != target, units[source].entry.generation != 0 else { return }
        let from = geometry.start(ofUnit: source)
        let to = geometry.start(ofUnit: target)
        var done = 0
        while done < geometry.unitBytes {
            let chunk = scratch.region(min(geometry.unitBytes - done, 1 << 18))
            let count = try storage.read(at: from + done, into: chunk)
            // Where the file ends before the unit does: what stands at the new place must not pass for the rest of it.
            UnsafeMutableRawBufferPointer(rebasing: chunk[count...]).initializeMemory(as: UInt8.self, repeating: 0)
            try storage.write(at: to + done, UnsafeRawBufferPointer(chunk))
            done += chunk.count
        }
        try write(units[source].entry, toSlot: target)
        try write(UnitEntry.blank, toSlot: source)
        if let records = units[source].records {
            for position in 0..<units[source].recordCount {
                let slot = index.find(records[position])
                guard slot >= 0, geometry.unit(of: index.slots[slot].offset) == source else { continue }
                index.slots[slot].place -= UInt32((from - to) / 8)
            }
        }
        units.swapAt(source, target)
    }
}
