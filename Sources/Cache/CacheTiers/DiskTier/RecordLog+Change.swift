// Invariant of the pointers: a slot is the index's, and is used before the index changes. The region of `scratch` is
// used before the next one is taken.

import CSupport
import Platform

// Stores and removals: everything that changes the log's contents. A process killed at any moment in one of them
// leaves, for every key, the newest version whose store returned, or none.
extension RecordLog {
    /// Writes an entry and points the index at it. Refuses it, and removes what it supersedes, if its policy or its
    /// size forbids it.
    ///
    /// - Parameters:
    ///   - checksum: the entry's `payloadChecksum`, computed before the lock was taken.
    ///   - mayWait: whether it may wait in memory to be written with others, if the file holds nothing older.
    /// - Returns: why it is refused; `nil` if it is stored.
    /// - Throws: if it couldn't be written; the version before it is gone then, too.
    mutating func store(
        _ entry: StoredEntry, checksum: UInt32, mayWait: Bool
    ) throws(StorageError) -> DiskStoreResult.Refusal? {
        try mend()
        let length = RecordHeader.byteCount + entry.payloadCount
        guard entry.policy == .allowed, length <= Self.mostRecordBytes(capacity: capacity) else {
            statistics.refusals += 1
            _ = try remove(entry.hash)
            return entry.policy == .allowed ? .tooLarge : .notAllowed
        }
        // If the index doesn't have the key, the file doesn't have it either, or hides it by a tombstone: if this
        // record is lost, nothing comes back. Older versions must be superseded before this returns, even one that is
        // still in the write buffer.
        let fingerprint = Fingerprint(entry.hash.low)
        if countsUses, isHardlyWorthWriting(fingerprint, length: length) {
            statistics.refusals += 1
            _ = try remove(entry.hash)
            return .notWorthwhile
        }
        let mayWait = mayWait && index.find(fingerprint) == nil
        do throws(StorageError) {
            try prepare(for: length)
            try entry.withPayload { (payload) throws(StorageError) in
                var header = RecordHeader(sequence: takeSequence(), entry: entry, payloadChecksum: checksum)
                let offset = try append(&header, payload, mayWait: mayWait)
                segments[geometry.segment(of: offset)].append(fingerprint.prefix)
                liveBytes += RecordLength.rounded(length)
                liveBytes -= index.put(fingerprint, place: geometry.place(of: offset), length: length)
                if countsUses, let slot = index.find(fingerprint) { readable.pointee.noteUse(of: slot) }
            }
        } catch {
            statistics.count(error)
            _ = try remove(entry.hash)
            throw error
        }
        statistics.stores += 1
        keepPace()
        return nil
    }

    /// The longest record that is stored, bytes: its payload takes 5 % of the capacity.
    @inline(__always)
    static func mostRecordBytes(capacity: Int) -> Int {
        min(RecordHeader.byteCount + capacity / MemoryTier.admittedShare, RecordHeader.mostRecordBytes)
    }

    /// Removes what is stored under `hash`, by a tombstone that hides it for as long as it can be found in the file.
    ///
    /// A tombstone is never carried: records are overwritten in the order in which they were written, so everything
    /// that it hides is gone before it is.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: if neither the tombstone could be written nor everything be cleared instead. Nothing is answered from
    ///   the log then until a later clearing succeeds.
    mutating func remove(_ hash: KeyHash) throws(StorageError) -> Bool {
        try mend()
        guard let slot = index.find(Fingerprint(hash.low)) else { return false }
        if isRemovedByDate(slot) {
            forget(slot)
            statistics.removals += 1
            return false
        }
        do throws(StorageError) {
            try prepare(for: RecordHeader.byteCount)
            try appendTombstone(hash)
        } catch {
            statistics.count(error)
            // What was forgotten, since it couldn't be written, may be in the file all the same.
            if hide(hash) { try mend() } else { try forceClearing() }
        }
        // Making room may have moved or evicted the entry.
        if let slot = index.find(Fingerprint(hash.low)) { forget(slot) }
        statistics.removals += 1
        keepPace()
        return true
    }

    /// Makes an entry unreadable in its place, where there is no room for a tombstone: its header, which stays, hides
    /// the versions before it.
    ///
    /// - Returns: whether that was possible.
    private mutating func hide(_ hash: KeyHash) -> Bool {
        guard let slot = index.find(Fingerprint(hash.low)) else { return true }
        let record = readable.pointee.located(slot.pointee)
        do throws(StorageError) {
            try writeWaiting()
            guard try zeroPayload(of: record), try zeroOriginals(of: record) else { return false }
            // No power cut may bring it back.
            if superblock.wasFlushed { try synchronize() }
            return true
        } catch {
            statistics.count(error)
            return false
        }
    }

    /// Makes sure that a record of `length` bytes fits at the head.
    @inline(__always)
    private mutating func prepare(for length: Int) throws(StorageError) {
        if hasFlushedSegments { try voidFlushedSegments() }
        limitWork(length: length)
        guard makeRoom(for: length) else { throw StorageError(.reserve, code: ENOSPC) }
    }

    /// Removes a damaged record, in the file too: it may be readable again another time, when it has been superseded
    /// without a trace.
    mutating func dropDamaged(_ hash: KeyHash) {
        statistics.damagedRecords += 1
        _ = try? remove(hash)
        giveUpLostWrites()
    }

    /// There has to be room (`prepare`).
    mutating func appendTombstone(_ hash: KeyHash) throws(StorageError) {
        var header = RecordHeader(sequence: takeSequence(), tombstoneFor: hash)
        let offset = try append(&header, UnsafeRawBufferPointer(start: nil, count: 0), mayWait: false)
        segments[geometry.segment(of: offset)].tombstoneBytes += RecordHeader.byteCount
        tombstoneBytes += RecordHeader.byteCount
    }

    /// Empties the log: the superblock's next epoch voids all segments at once.
    ///
    /// - Parameter erases: whether to overwrite what was there with zeros, once it is void.
    mutating func removeAll(erases: Bool = false) throws(StorageError) {
        suspend()
        superblock.beginEpoch(orAnewAs: UInt32(truncatingIfNeeded: nonces.next()))
        superblock.hasRemovals = false
        try writeSuperblock()
        if superblock.wasFlushed {
            // Before a segment is used again: no power cut may bring the old epoch back.
            try synchronize()
            superblock.wasFlushed = false
        }
        mustClear = false
        lostWrites = nil
        if erases { try eraseAll() }
        isCutting = true
        if let length = beginCutting() { finishCutting(to: length) }
    }

    /// Begins to cut the cleared file, a part of it if it is long, but nothing that is used again.
    ///
    /// - Returns: the length for `ReservedSpace.finishCutting`; `nil`, and an end to cutting, if nothing is left to cut
    ///   off.
    mutating func beginCutting() -> Int? {
        guard isCutting else { return nil }
        let length = space.beginCutting(to: max(endOfUse, head, reservationGoal))
        isCutting = length != nil
        return length
    }

    /// Where the last segment in use ends; of the newest one only what stands before the head is in use, so it's left
    /// out.
    private var endOfUse: Int {
        var last = geometry.segmentCount - 1
        while last >= 0, last == headSegment || segments[last].entry.generation == 0 { last -= 1 }
        return geometry.start(ofSegment: last + 1)
    }

    private mutating func finishCutting(to length: Int) {
        do throws(StorageError) {
            try space.finishCutting(to: length)
        } catch {
            endCutting(after: error)
        }
    }

    /// Leaves the file as long as it is, since cutting failed.
    mutating func endCutting(after error: StorageError) {
        isCutting = false
        statistics.count(error)
    }

    /// Answers nothing from now on, until all is cleared.
    mutating func suspend() {
        mustClear = true
        forgetAll()
    }

    /// Gives everything up, since a single removal couldn't be written.
    mutating func forceClearing() throws(StorageError) {
        statistics.forcedClearings += 1
        do throws(StorageError) {
            try removeAll()
        } catch {
            statistics.count(error)
            throw error
        }
    }

    /// Before every change: repairs what a failed one left behind, or gives everything up. Otherwise a removed entry
    /// might be read from the file again.
    @inline(__always)
    mutating func mend() throws(StorageError) {
        if mustClear || isSuperblockTorn || hasTornSlots || isUnfitted || !distrusted.isEmpty { try mendFile() }
    }

    private mutating func mendFile() throws(StorageError) {
        if isUnfitted { return try truncate() }
        guard !mustClear else { return try forceClearing() }
        do throws(StorageError) {
            if isSuperblockTorn { try writeSuperblock() }
            if hasTornSlots { try mendSlots() }
            try eraseDistrusted()
        } catch {
            statistics.count(error)
            try forceClearing()
        }
    }

    /// Fits the file into the capacity, or answers nothing until that succeeds.
    private mutating func truncate() throws(StorageError) {
        isUnfitted = false
        // While segments move, lookups would find halves.
        let storage = storage
        let lookupsWereLetIn = storage.letLookupsIn(false)
        defer { _ = storage.letLookupsIn(lookupsWereLetIn) }
        do throws(StorageError) {
            _ = try resize(toCapacity: capacity)
        } catch {
            isUnfitted = true
            statistics.count(error)
            suspend()
            throw error
        }
    }

    /// Notes that all that was written is about to be synchronised, which the caller does next.
    mutating func prepareFlush() throws(StorageError) {
        if !isAsFound { try mend() }
        try writeWaiting()
        if !superblock.wasFlushed {
            superblock.wasFlushed = true
            try writeSuperblock()
        }
        hasFlushedSegments = true
        for number in 0..<geometry.segmentCount where segments[number].entry.generation != 0 {
            segments[number].isFlushed = true
        }
    }
}

extension StoredEntry {
    /// Lends key, metadata and body, one after the other.
    @inline(__always)
    func withPayload<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let payload = withBytes(from: 0, count: payloadCount) { $0 }
        // The bytes live as long as the entry.
        defer { extendLifetime(self) }
        return try body(payload)
    }

    /// The checksum of key, metadata and body, as a record's header has it.
    var payloadChecksum: UInt32 { withPayload { cs_crc32c(0, $0.baseAddress, $0.count) } }
}

// Removing entries by the prefix of their keys.
extension RecordLog {
    /// Removes the entries whose keys begin with `prefix`, and those whose keys can't be read.
    ///
    /// - Complexity: reads the header of every record, and as many bytes of its key as `prefix` has.
    mutating func removeAll(withPrefix prefix: UnsafeRawBufferPointer) throws(StorageError) {
        try mend()
        try writeWaiting()
        var hashes: [KeyHash] = []
        let found = scratch.region(RecordHeader.byteCount + prefix.count)
        index.forEach { slot in
            let record = readable.pointee.located(slot.pointee)
            guard let count = try? storage.read(at: record.offset, into: found) else {
                return hashes.append(KeyHash(low: slot.pointee.fingerprint.anyHash, high: 0))
            }
            guard count == found.count else { return }
            let header = found.load(as: RecordHeader.self)
            let begin = UnsafeRawBufferPointer(rebasing: found[RecordHeader.byteCount...])
            guard header.isValid(mark: record.mark), header.keyCount >= prefix.count, begin.elementsEqual(prefix) else {
                return
            }
            hashes.append(KeyHash(low: header.hashLow, high: header.hashHigh))
        }
        for hash in hashes { _ = try remove(hash) }
    }
}

// Synchronisations that fail.
//
// The system reports a failed write-back once, and then counts the pages as clean: the next synchronisation succeeds
// without them, and reading may return what they held before (Rebello et al., "Can Applications Recover from fsync
// Failures?", USENIX ATC 2020). No write since the last success can be trusted, so the log is given up by the next
// epoch.
extension RecordLog {
    /// Returns when everything written so far survives a power cut.
    ///
    /// - Throws: the change then has to end with `giveUpLostWrites`.
    mutating func synchronize() throws(StorageError) {
        do throws(StorageError) {
            try storage.synchronize()
        } catch {
            lostWrites = error
            throw error
        }
    }

    /// Gives the log up if a synchronisation failed. Call it between two changes. If the next epoch can't be written
    /// either, nothing is answered until it can.
    mutating func giveUpLostWrites() {
        guard lostWrites != nil else { return }
        lostWrites = nil
        if isDisabled {
            try? space.resize(to: 0)
        } else if !mustClear {
            suspend()
            try? mend()
            lostWrites = nil
        }
    }
}
