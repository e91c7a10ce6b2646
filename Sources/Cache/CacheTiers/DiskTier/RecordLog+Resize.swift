// Invariant of the pointers: a region of `scratch` is used before the next one is taken; a slot is the index's, and is
// used before the index changes again.

import Platform

// Another capacity.
extension RecordLog {
    /// Changes the capacity; see `DiskTier.setCapacity`.
    mutating func setCapacity(_ wanted: Int) throws(StorageError) {
        let wasDisabled = isDisabled
        let wasUnfitted = isUnfitted
        isUnfitted = false
        do throws(StorageError) {
            if wanted < LogGeometry.leastCapacity {
                if !wasDisabled { try disable() }
            } else if wasDisabled, let fresh = LogGeometry(capacity: wanted) {
                try enable(fresh, capacity: wanted)
            } else {
                _ = try resize(toCapacity: wanted)
            }
            capacity = wanted
        } catch {
            isUnfitted = wasUnfitted
            statistics.count(error)
            throw error
        }
    }

    /// Begins a log in a file that was disabled.
    private mutating func enable(_ fresh: LogGeometry, capacity wanted: Int) throws(StorageError) {
        do throws(StorageError) {
            try startAnew(fresh)
        } catch {
            // Take back the written bytes; if they stay, only the new capacity has room for them.
            if (try? space.resize(to: 0)) == nil {
                suspend(dividedAs: fresh)
                capacity = wanted
            }
            throw error
        }
    }

    /// Gives the log as many segments as `capacity` has room for. If that's too few or too many for good reclaiming,
    /// begins a new log with segments of another size, which takes over the newest entries.
    ///
    /// - Parameter capacity: at least `LogGeometry.leastCapacity`.
    /// - Returns: whether the contents could be kept, as far as there's room.
    mutating func resize(toCapacity capacity: Int) throws(StorageError) -> Bool {
        try mend()
        try writeWaiting()
        guard let wanted = geometry.resized(toCapacity: capacity) else {
            guard let fresh = LogGeometry(capacity: capacity) else { return false }
            return try divideAnew(fresh, capacity: capacity)
        }
        if wanted.segmentCount > geometry.segmentCount {
            try grow(to: wanted)
        } else if wanted.segmentCount < geometry.segmentCount {
            try shrink(to: wanted)
        }
        if sweep != nil { beginSweep() }
        // Not only after shrinking: an earlier attempt may have come this far.
        try space.cut(to: geometry.dataEnd)
        return true
    }

    /// Whether the file has the segments that the capacity has room for.
    var isFitted: Bool { geometry.resized(toCapacity: capacity)?.segmentCount == geometry.segmentCount }

    /// What a new division takes over is in memory meanwhile, at most this many bytes.
    private static var mostBytesTakenOver: Int { 32 << 20 }

    /// Begins a new log in another division, and stores the newest entries in it again, oldest first. A process that's
    /// killed meanwhile leaves fewer.
    ///
    /// - Returns: whether entries were taken over.
    private mutating func divideAnew(_ fresh: LogGeometry, capacity: Int) throws(StorageError) -> Bool {
        let entries = newestEntries(
            within: min(fresh.dataBytes, Self.mostBytesTakenOver), longest: Self.mostRecordBytes(capacity: capacity))
        let before = statistics
        try startAnew(fresh)
        self.capacity = capacity
        for entry in entries.reversed() {
            // Whatever can't be written is evicted.
            do { _ = try store(entry, checksum: entry.payloadChecksum, mayWait: false) } catch { break }
        }
        (statistics.stores, statistics.refusals) = (before.stores, before.refusals)
        statistics.evictions -= UInt64(index.count)
        return index.count > 0
    }

    /// The newest entries whose records have at most `longest` bytes, newest first.
    private mutating func newestEntries(within mostBytes: Int, longest: Int) -> [StoredEntry] {
        var slots: [IndexSlot] = []
        index.forEach { slots.append($0.pointee) }
        func age(_ slot: IndexSlot) -> (UInt64, UInt32) {
            (segments[geometry.segment(of: geometry.offset(of: slot.place))].entry.generation, slot.place)
        }
        slots.sort { age($1) < age($0) }
        var (entries, left): ([StoredEntry], Int) = ([], mostBytes)
        let longest = RecordLength.rounded(longest)
        for slot in slots where slot.length <= min(longest, left) {
            left -= slot.length
            let (record, storage) = (readable.pointee.located(slot), storage)
            let reading = StoredEntry.read(record) { (bytes) throws(StorageError) in
                try readBytes(of: record, from: storage, into: bytes)
            }
            guard case .entry(let entry, let sequence) = reading,
                !removals.removes(sequence: sequence, storedAt: entry.storedAt)
            else { continue }
            entries.append(entry)
        }
        return entries
    }

    /// Empties the file and divides it differently. The seed stays, since others hash with it.
    mutating func startAnew(_ fresh: LogGeometry) throws(StorageError) {
        let before = geometry
        statistics.evictions += UInt64(index.count)
        divide(as: fresh)
        mustClear = true
        do throws(StorageError) {
            // A power cut may bring back slots of an earlier division like this one, with a later epoch.
            let identity = UInt32(truncatingIfNeeded: nonces.next())
            superblock.beginEpoch(orAnewAs: identity)
            superblock.identity = identity
            superblock.hasRemovals = false
            try writeSuperblock()
            if superblock.wasFlushed { try synchronize() }
            // The slots go, too: they're another identity's, and would pass for damaged ones.
            try space.resize(to: LogGeometry.superblockBytes)
            try space.resize(to: geometry.dataStart)
        } catch {
            // Still to be cleared, but in the old division, to which the capacity still applies.
            divide(as: before)
            throw error
        }
        mustClear = false
    }

    /// Answers nothing until the file, which is empty, has been cleared in another division.
    mutating func suspend(dividedAs fresh: LogGeometry) {
        divide(as: fresh)
        suspend()
    }

    private mutating func divide(as other: LogGeometry) {
        geometry = other
        superblock.geometry = other
        forgetAll()
    }

    /// Leaves only the file's name.
    mutating func disable() throws(StorageError) {
        try removeAll()
        try space.resize(to: 0)
    }

    /// Adds segments after the last. They're empty, and as such don't disturb the order round the ring.
    private mutating func grow(to wanted: LogGeometry) throws(StorageError) {
        let added = wanted.segmentCount - geometry.segmentCount
        // A power cut may have taken a superblock that had these segments before, and left the slots.
        for number in geometry.segmentCount..<wanted.segmentCount { try write(SegmentEntry.blank, toSlot: number) }
        if superblock.wasFlushed { try synchronize() }
        try write(wanted)
        // If the free segments reach to the end of the ring, or round it, the new ones are among them.
        if headSegment < 0 || headSegment + freeAhead >= geometry.segmentCount - added - 1 { freeAhead += added }
    }

    /// Gives up the oldest segments and moves the others to where there's still room.
    private mutating func shrink(to wanted: LogGeometry) throws(StorageError) {
        if headSegment >= 0 {
            reclaim(toSegments: wanted.segmentCount - 1)
            // What carrying couldn't write is in a segment that may be moved now.
            try writeWaiting()
            try mend()
        }
        if headSegment >= 0 {
            let kept = geometry.segmentCount - freeAhead
            try voidSegments(exceptNewest: kept)
            if mustMove(newest: kept, into: wanted) { return try moveSegments(newest: kept, into: wanted) }
            freeAhead = wanted.segmentCount - kept
        }
        try write(wanted)
        if headSegment < 0 { forgetAll() }
    }

    /// Changes the number of segments, in the file and then here.
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

    /// Processes the oldest segments, as a store would, until at most `count` aren't free.
    private mutating func reclaim(toSegments count: Int) {
        workLeft = .max
        while geometry.segmentCount - freeAhead > count {
            guard processTailSegment() else { return }
        }
    }

    /// Voids all segments but the `count` newest, oldest first: in the order in which they'd be overwritten, so that
    /// the rest never hides anything that is void already.
    private mutating func voidSegments(exceptNewest count: Int) throws(StorageError) {
        try void((0..<geometry.segmentCount - count).map { geometry.following(headSegment, by: $0 + 1) })
        freeAhead = geometry.segmentCount - count
        tailRecord = 0
    }

    private func mustMove(newest count: Int, into wanted: LogGeometry) -> Bool {
        headSegment >= wanted.segmentCount || count > headSegment + 1
    }

    /// Moves the `count` newest segments so that none is beyond the wanted number, and none is parted from the one that
    /// it follows. Marks are relative to the segment, so whole segments are copied.
    ///
    /// Segments after the head's in the file (the older part, if the ring goes round the end) go to the new end; if the
    /// head itself is beyond it, all go to the beginning. Either way they move down, in the order of the log. Halfway
    /// they are in no order, so the superblock says that they are being moved; a log that's opened in that state is
    /// empty.
    private mutating func moveSegments(newest count: Int, into wanted: LogGeometry) throws(StorageError) {
        let wasFlushed = superblock.wasFlushed
        superblock.isMoving = true
        do throws(StorageError) {
            try writeSuperblock()
            if wasFlushed { try synchronize() }
            if headSegment >= wanted.segmentCount {
                let first = headSegment - count + 1
                for number in 0..<count { try move(segment: first + number, to: number) }
                head -= first * geometry.segmentBytes
                headSegment = count - 1
                if lastRecordSegment >= 0 { lastRecordSegment -= first }
                lastRecord -= first * geometry.segmentBytes
            } else {
                let older = count - headSegment - 1
                let source = geometry.segmentCount - older
                let target = wanted.segmentCount - older
                for number in 0..<older { try move(segment: source + number, to: target + number) }
            }
            if wasFlushed { try synchronize() }
        } catch {
            superblock.isMoving = false
            suspend()
            throw error
        }
        freeAhead = wanted.segmentCount - count
        try write(wanted)
        if wasFlushed { try synchronize() }
    }

    /// Copies a segment and its slot.
    private mutating func move(segment source: Int, to target: Int) throws(StorageError) {
        guard source != target, segments[source].entry.generation != 0 else { return }
        let from = geometry.start(ofSegment: source)
        let to = geometry.start(ofSegment: target)
        overwriting.begin()
        var done = 0
        while done < geometry.segmentBytes {
            let chunk = scratch.region(min(geometry.segmentBytes - done, 1 << 18))
            let count = try storage.read(at: from + done, into: chunk)
            // If the file ends before the segment does, what stands at the new place must not pass for the rest of it.
            UnsafeMutableRawBufferPointer(rebasing: chunk[count...]).initializeMemory(as: UInt8.self, repeating: 0)
            try storage.write(at: to + done, UnsafeRawBufferPointer(chunk))
            done += chunk.count
        }
        try write(segments[source].entry, toSlot: target)
        try write(SegmentEntry.blank, toSlot: source)
        if let records = segments[source].records {
            let places = geometry.places(ofSegment: source)
            for position in 0..<segments[source].recordCount {
                guard let slot = index.find(prefix: records[position], in: places) else { continue }
                slot.pointee.place -= geometry.place(of: from - to)
            }
        }
        segments.swapAt(source, target)
        erasedSequence = nil
    }
}
