// Invariant of the pointers: the segment table is read into a region of `scratch` with `tableSlots` entries, and
// `segmentCount` is at most `tableSlots`.

import Platform

// Reading a file back. Everything in it may be damaged or hostile.
extension RecordLog {
    /// Opens the log in `storage`, or begins a new one, whose `startReason` says why.
    ///
    /// - Parameter truncates: whether the file is within `capacity` when this returns; if not, before the first change,
    ///   and never if there is none.
    static func open(
        _ storage: LookupSeam, capacity: Int, seed: KeySeed, nonceSeed: UInt64, policy: EvictionPolicy,
        truncates: Bool = true
    ) throws(StorageError) -> RecordLog {
        guard let wanted = LogGeometry(capacity: max(capacity, LogGeometry.leastCapacity)) else {
            throw StorageError(.status, code: EINVAL)
        }
        var log = try open(
            storage, capacity: capacity, geometry: wanted, seed: seed, nonceSeed: nonceSeed, policy: policy)
        if log.isDisabled {
            try log.disable()
            log.startReason = .noCapacity
        } else if !truncates, log.startReason == nil, !log.isFitted {
            log.isUnfitted = true
        } else if try !log.resize(toCapacity: capacity) {
            log.startReason = .otherCapacity
        }
        return log
    }

    private static func open(
        _ storage: LookupSeam, capacity: Int, geometry wanted: LogGeometry, seed: KeySeed, nonceSeed: UInt64,
        policy: EvictionPolicy
    ) throws(StorageError) -> RecordLog {
        let reason: StartReason
        do throws(StorageError) {
            switch try readSuperblock(storage) {
            case .found(let superblock, let geometry):
                var log = RecordLog(
                    storage: storage, capacity: capacity, superblock: superblock, geometry: geometry,
                    nonceSeed: nonceSeed, policy: policy)
                // A flush protects from the changes from here on, not from those before. The superblock is written
                // again first, since the system reports a failed synchronisation only once.
                if superblock.wasFlushed {
                    try log.writeSuperblock()
                    try storage.synchronize()
                }
                try log.recover()
                return log
            case .none(let why):
                reason = why
            }
        } catch {
            reason = .unreadable(error.code)
        }
        var nonces = NonceGenerator(seed: ~nonceSeed)
        let superblock = Superblock(geometry: wanted, seed: seed, identity: UInt32(truncatingIfNeeded: nonces.next()))
        var log = RecordLog(
            storage: storage, capacity: capacity, superblock: superblock, geometry: wanted, nonceSeed: nonceSeed,
            policy: policy)
        // The old contents may have been flushed, and no power cut may bring parts of them back into the new log. Until
        // that is certain the superblock says so, for the next opening if this process dies here.
        let isOverOldFile = reason != .newFile
        log.superblock.wasFlushed = isOverOldFile
        try log.writeSuperblock()
        if isOverOldFile {
            try storage.synchronize()
            log.superblock.wasFlushed = false
            try log.writeSuperblock()
            try log.space.resize(to: Superblock.byteCount)
        }
        log.startReason = reason
        return log
    }

    private enum SuperblockReading {
        case found(Superblock, LogGeometry)
        case none(StartReason)
    }

    private static func readSuperblock(_ storage: any DiskStorage) throws(StorageError) -> SuperblockReading {
        guard try storage.byteCount() > 0 else { return .none(.newFile) }
        guard let superblock = try storage.value(Superblock.self, at: 0) else { return .none(.notALog) }
        if let defect = superblock.defect { return .none(defect) }
        guard let geometry = superblock.geometry else { return .none(.damagedSuperblock) }
        return .found(superblock, geometry)
    }

    /// Rebuilds the state from the segment table and the record headers; bodies are not read.
    private mutating func recover() throws(StorageError) {
        let length = try storage.byteCount()
        try space.cut(to: geometry.dataEnd)
        space.assume(min(length, geometry.dataEnd))
        try readTable()
        try readRemovals()
        let order = try liveSegments()
        // A process that cleared the file may have ended before it had cut it.
        isCutting = order.isEmpty
        if let newest = order.last, let state = try? stateChecksum(), loadIndex(newestSegment: newest, state: state) {
            (headSegment, freeAhead) = (newest, 0)
        } else {
            try recoverRecords(order)
        }
        continuesRecovered = headSegment >= 0
        // What couldn't be read has at most as many larger numbers as there is room for records.
        nextSequence += UInt64(geometry.dataEnd / RecordHeader.byteCount + 1)
        // And a random step, so that no header that a power cut took is written again byte for byte: the records behind
        // that one would be linked again.
        nextSequence += nonces.next() >> 32
        if nextSequence > RecordHeader.sequenceLimit / 2 {
            // No honest file comes here. The next epoch may count from the beginning.
            try removeAll()
            nextSequence = 1
        }
        hasFlushedSegments = superblock.wasFlushed
        for number in 0..<geometry.segmentCount where segments[number].entry.generation != 0 {
            segments[number].isFlushed = superblock.wasFlushed
        }
    }

    /// Finds the records by hopping from header to header.
    private mutating func recoverRecords(_ order: [Int]) throws(StorageError) {
        var scan = RecoveredRecords()
        for (position, number) in order.enumerated() where !scanSegment(number, fileLength: space.byteCount, &scan) {
            // Older segments may hold versions that it superseded, which must not come back; nor may it come back
            // itself, readable again one day, when it is superseded.
            scan = RecoveredRecords()
            try void(Array(order[...position]))
            statistics.damagedSegments += UInt64(position + 1)
        }
        if let newest = order.last {
            headSegment = newest
            freeAhead = 0
        }
        guard !scan.fill(&self) else { return }
        statistics.damagedSegments += UInt64(order.count)
        try removeAll()
    }

    /// Reads the segment table. An entry that is damaged, or of an earlier epoch, is an empty segment.
    private mutating func readTable() throws(StorageError) {
        let table = scratch.region(geometry.tableSlots * SegmentEntry.byteCount)
        table.initializeMemory(as: UInt8.self, repeating: 0)
        let count = try storage.read(at: LogGeometry.superblockBytes, into: table)
        guard count >= min(table.count, space.byteCount - LogGeometry.superblockBytes) else {
            throw StorageError(.read, code: EIO)
        }
        var epoch = superblock.epoch
        for number in 0..<geometry.segmentCount {
            let entry = table.loadUnaligned(fromByteOffset: number * SegmentEntry.byteCount, as: SegmentEntry.self)
            guard entry.isValid(inSlot: number, of: superblock.identity) else {
                if !entry.isBlank { statistics.damagedSegments += 1 }
                continue
            }
            segments[number].entry = entry
            // A segment of a later epoch proves a clearing whose superblock a power cut took.
            epoch = max(epoch, entry.epoch)
        }
        for number in 0..<geometry.segmentCount {
            if segments[number].entry.epoch != epoch { segments[number].empty() }
            nextSequence = max(nextSequence, segments[number].entry.generation + 1)
        }
        guard epoch != superblock.epoch else { return }
        superblock.epoch = epoch
        try writeSuperblock()
    }

    /// The segments that count, oldest first.
    ///
    /// Round the ring from the one after the newest, generations only grow. A smaller one than any before it should
    /// have been begun again by then, and a power cut took that: its records may have been superseded.
    private mutating func liveSegments() throws(StorageError) -> [Int] {
        var newest = -1
        var generation: UInt64 = 0
        for number in 0..<geometry.segmentCount where segments[number].entry.generation > generation {
            newest = number
            generation = segments[number].entry.generation
        }
        guard newest >= 0 else { return [] }
        var order: [Int] = []
        var misplaced: [Int] = []
        generation = 0
        for step in 1...geometry.segmentCount {
            let number = (newest + step) % geometry.segmentCount
            guard segments[number].entry.generation > generation else {
                misplaced.append(number)
                continue
            }
            generation = segments[number].entry.generation
            order.append(number)
        }
        // In the file, too: once the segments before them have been begun again, they would seem to be in order.
        try void(misplaced)
        return order
    }

    /// Hops from header to header through a segment. The first that's wrong ends the segment, and so does the end of
    /// the file.
    ///
    /// - Returns: `false` if the segment couldn't be read.
    private mutating func scanSegment(_ number: Int, fileLength: Int, _ scan: inout RecoveredRecords) -> Bool {
        let entry = segments[number].entry
        let from = geometry.start(ofSegment: number)
        let to = from + geometry.segmentBytes
        let limit = endOfRun(from: number)
        head = to
        guard entry.firstRecord != SegmentEntry.noRecord else { return true }
        var offset = from + geometry.offset(of: entry.firstRecord)
        var header = RecordHeader()
        lastRecordSegment = -1
        lastChecksum = 0
        while offset < to, offset < fileLength {
            do throws(StorageError) {
                header = try readHeader(at: offset, fileLength: fileLength)
            } catch {
                statistics.count(error)
                return false
            }
            let mark = entry.nonce &+ UInt64(offset - from)
            guard header.isValid(mark: mark), header.link == lastChecksum else { break }
            let end = geometry.padded(offset + header.recordCount)
            guard end <= limit, reachesIntoItsOwn(from: number, to: end) else {
                // If the segments that it reaches into were begun for the next record, and that one lost, it would
                // count.
                do throws(StorageError) {
                    try erase(at: offset)
                } catch {
                    statistics.count(error)
                    return false
                }
                break
            }
            let isRemoved = removals.removes(sequence: header.sequence, storedAt: header.storedAt)
            scan.append(header, place: geometry.place(of: offset), isRemoved: isRemoved)
            nextSequence = max(nextSequence, header.sequence + 1)
            lastRecord = offset
            offset = end
            lastRecordSegment = number
            lastChecksum = header.checksum
        }
        head = min(offset, to)
        return true
    }

    /// A header as it will be when the file is longer: bytes missing at the end will read as zeros, and may have been
    /// zeros.
    func readHeader(at offset: Int, fileLength: Int) throws(StorageError) -> RecordHeader {
        var header = RecordHeader()
        let count = try lendMutableBytes(of: &header) { (bytes) throws(StorageError) in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return try storage.read(at: offset, into: bytes)
        }
        guard count == min(RecordHeader.byteCount, fileLength - offset) else { throw StorageError(.read, code: EIO) }
        return header
    }

    /// Whether the segments that a record of segment `number` reaches into were begun for it: their slots say that the
    /// next record starts where it ends. If not, the next one is, or will be, written over its end.
    private func reachesIntoItsOwn(from number: Int, to end: Int) -> Bool {
        let last = geometry.segment(of: end - 1)
        guard last > number else { return true }
        for inner in number + 1...last {
            let distance = end - geometry.start(ofSegment: inner)
            let expected = distance < geometry.segmentBytes ? geometry.place(of: distance) : SegmentEntry.noRecord
            guard segments[inner].entry.firstRecord == expected else { return false }
        }
        return true
    }

    /// Where a record that starts in segment `number` ends at the latest: segments that were begun for the rest of it
    /// follow with growing generations.
    private func endOfRun(from number: Int) -> Int {
        var last = number
        while last + 1 < geometry.segmentCount, segments[last + 1].entry.generation > segments[last].entry.generation {
            last += 1
        }
        return geometry.start(ofSegment: last) + geometry.segmentBytes
    }
}
