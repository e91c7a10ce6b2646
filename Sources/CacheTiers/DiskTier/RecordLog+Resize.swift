import Platform

// Another capacity.
extension RecordLog {
    /// Gives the log as many units as `capacity` has room for; when the units would be too few or too many for good
    /// reclaiming, begins a new log with units of another size, empty.
    ///
    /// - Parameter capacity: at least `LogGeometry.leastCapacity`.
    /// - Returns: whether what was stored could be kept, as far as there is room.
    mutating func resize(toCapacity capacity: Int) throws(StorageError) -> Bool {
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
        return true
    }

    /// Empties the file and divides it differently. The seed stays, since others hash with it.
    mutating func startAnew(_ fresh: LogGeometry) throws(StorageError) {
        mustClear = true
        statistics.evictions += UInt64(index.count)
        forgetAll()
        superblock.epoch += 1
        superblock.geometry = fresh
        try writeSuperblock()
        if superblock.wasFlushed { try storage.synchronize() }
        for number in 0..<geometry.tableSlots { units[number].release() }
        units.deallocate()
        geometry = fresh
        units = Self.emptyUnits(fresh.tableSlots)
        forgetAll()
        reservedBytes = 0
        try storage.resize(to: geometry.dataStart)
        mustClear = false
    }

    /// Adds units after the last. They are empty, and as such do not disturb the order round the ring.
    private mutating func grow(to wanted: LogGeometry) throws(StorageError) {
        let before = superblock
        superblock.geometry = wanted
        do throws(StorageError) {
            try writeSuperblock()
        } catch {
            superblock = before
            throw error
        }
        let added = wanted.unitCount - geometry.unitCount
        // Where the free units reach round the end of the ring, or to it, the new ones are among them.
        if headUnit < 0 || headUnit + freeAhead >= geometry.unitCount - 1 { freeAhead += added }
        geometry = wanted
    }

    /// Gives up the oldest units and moves the others to where there is still room.
    private mutating func shrink(to wanted: LogGeometry) throws(StorageError) {
        if headUnit >= 0 {
            reclaim(toUnits: wanted.unitCount - 1)
            let kept = min(geometry.unitCount - freeAhead, wanted.unitCount - 1)
            try voidUnits(exceptNewest: kept)
            try moveUnits(newest: kept, into: wanted)
        }
        superblock.geometry = wanted
        try writeSuperblock()
        geometry = wanted
        if headUnit < 0 { forgetAll() }
        if reservedBytes > wanted.dataEnd {
            try storage.resize(to: wanted.dataEnd)
            reservedBytes = wanted.dataEnd
        }
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
        for step in 1...geometry.unitCount where step <= geometry.unitCount - count {
            let number = geometry.following(headUnit, by: step)
            guard units[number].entry.generation != 0 else { continue }
            let isFlushed = units[number].isFlushed
            try void(unit: number)
            if isFlushed { try storage.synchronize() }
        }
        freeAhead = geometry.unitCount - count
        tailRecord = 0
    }

    /// Moves the `count` newest units so that none stands beyond the wanted number, and none that follows another is
    /// parted from it: marks are relative to the unit, so whole units are copied.
    ///
    /// Units after the head's in the file (the older part, when the ring goes round the end) go to the new end; if the
    /// head itself is beyond it, all go to the beginning. Either way they move down, in the order of the log.
    private mutating func moveUnits(newest count: Int, into wanted: LogGeometry) throws(StorageError) {
        let older = max(0, count - headUnit - 1)
        if headUnit >= wanted.unitCount {
            let first = headUnit - count + 1
            for number in 0..<count { try move(unit: first + number, to: number) }
            head -= first * geometry.unitBytes
            headUnit = count - 1
        } else {
            let source = geometry.unitCount - older
            let target = wanted.unitCount - older
            for number in 0..<older { try move(unit: source + number, to: target + number) }
        }
        freeAhead = wanted.unitCount - count
    }

    /// Copies a unit, begins it there and voids it here, in this order: killed in between, there are two with one
    /// generation, and the first round the ring counts.
    private mutating func move(unit source: Int, to target: Int) throws(StorageError) {
        guard source != target, units[source].entry.generation != 0 else { return }
        let from = geometry.start(ofUnit: source)
        let to = geometry.start(ofUnit: target)
        let isFlushed = units[source].isFlushed
        var done = 0
        while done < geometry.unitBytes {
            let chunk = scratch.region(min(geometry.unitBytes - done, 1 << 18))
            let count = try storage.read(at: from + done, into: chunk)
            guard count > 0 else { break }
            try storage.write(at: to + done, UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            done += count
        }
        if isFlushed { try storage.synchronize() }
        try write(units[source].entry, toSlot: target)
        if isFlushed { try storage.synchronize() }
        try write(UnitEntry.blank, toSlot: source)
        if isFlushed { try storage.synchronize() }
        if let records = units[source].records {
            for position in 0..<units[source].recordCount {
                let slot = index.find(records[position])
                guard slot >= 0, geometry.unit(of: index.slots[slot].offset) == source else { continue }
                index.slots[slot].place -= UInt32((from - to) / 8)
            }
        }
        swap(&units[source], &units[target])
    }
}
