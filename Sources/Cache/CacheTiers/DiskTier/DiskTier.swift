// Invariant of the pointers: `shared.readable` is used under the lock of `shared.seam`. A record is read without the
// lock, into an entry that no other thread has yet.

import Platform
import Synchronization

/// The second tier: stored entries in one file of a directory, which never exceeds its capacity.
///
/// The file is a cyclic log; FORMAT.md describes it. The tier promises:
/// - A lookup returns an entry that was stored under exactly that key, complete: every byte is checksummed, and the
///   whole key is compared.
/// - If the process is killed, the newest version whose store returned is found afterwards, or nothing. A removal that
///   returned stays in force. New entries may wait in memory for up to 20 ms (at most 64 KiB), so that one call writes
///   several; a kill loses them, an exit writes them.
/// - After a power cut the same holds for everything that `flush` covered; the rest may be older, or gone. If the files
///   are damaged, an older or removed version may return, but never a wrong or torn one.
/// - The bytes on disk never exceed the capacity. Least recently used entries go first, approximately: the hit ratio is
///   within 1 point of exact LRU's. With `EvictionPolicy.greedyDualSizeFrequency` it is within 2 points of exact
///   GDSF's, and a full tier may refuse a store as not worthwhile.
///
/// Entries that this process stored are read from a mapping of the file. If another program truncates the file, that's
/// a miss and not a crash: the first such read installs a handler for SIGBUS, which forwards every signal that isn't
/// its own. A handler installed later must do the same.
///
/// The order of use isn't stored: after opening, entries go in the order in which they were stored, until they are
/// looked up again.
///
/// Any number of threads may use a tier. A lookup takes a lock to find a record, and reads it unlocked, so hits of
/// several threads overlap. Most misses need no lock. No lookup waits for a write, since changes unlock while they
/// write.
///
/// In a forked child the tier finds nothing, takes nothing and reports no capacity; it belongs to the parent.
///
/// - Complexity: a miss does no I/O, and a hit reads once. A store writes once, and copies entries that were looked up:
///   on average at most two thirds as many bytes again, with GDSF three times as many. A single store copies at most
///   four times its own bytes and 256 KiB.
public final class DiskTier: Sendable {
    let shared: SharedLog
    /// Held as long as the tier lives: no two tiers ever write to one directory. Nil over a test's storage, where
    /// releasing a tier without closing it simulates the death of the process.
    let directoryLock: DirectoryLock?
    /// Where the files are; `nil` over a test's storage.
    let directory: String?
    /// The index's filter of absent keys, which needs no lock.
    private let presence: KeyPresence
    /// Tells whether a record may have been overwritten while it was read.
    private let overwriting: Overwriting
    /// Lookups that missed without taking the lock.
    let unlockedMisses = Atomic<UInt64>(0)
    /// When records may wait in memory; never, if `nil`.
    private let schedule: WriteSchedule?
    /// How many bytes of the file a removal by date searches for entries to forget before it returns.
    private let sweptAtOnce: Int
    package static let usuallySweptAtOnce = 24 << 20
    /// From this many keys on, the index is saved when the tier is closed.
    package static let usualLeastSavedCount = 10_000

    private let isErasing = Atomic<Bool>(false)
    /// Whether a flush has made the files' names last.
    private let hasSynchronizedNames = Atomic<Bool>(false)

    /// Which entries are kept when the log is full.
    public let policy: EvictionPolicy
    /// Why the tier began empty; `nil` if it found the entries of an earlier one.
    public let startReason: StartReason?
    /// The seed for the hashes of keys. It is stored in the file, so that entries are found again.
    public let hashSeed: KeySeed

    /// Opens the log in `storage`, or begins a new one; the file is within the capacity when this returns.
    ///
    /// - Parameters:
    ///   - seed: for the hashes, if a new log is begun.
    ///   - nonceSeed: for the nonces of segments; must be unpredictable from outside.
    ///   - schedule: when records may wait in memory to be written together; never, if `nil`.
    ///   - leastSavedCount: from this many keys on, the index is saved when the tier is closed.
    ///   - policy: which entries are kept when the log is full.
    ///   - sweptAtOnce: how many bytes of the file a removal by date searches for entries to forget before it returns.
    ///   - truncates: see `RecordLog.open`.
    ///   - directoryLock: released with the tier.
    init(
        _ storage: any DiskStorage, capacity: Int, seed: KeySeed, nonceSeed: UInt64, schedule: WriteSchedule?,
        leastSavedCount: Int = usualLeastSavedCount, policy: EvictionPolicy, sweptAtOnce: Int = usuallySweptAtOnce,
        truncates: Bool = true, directory: String? = nil, directoryLock: DirectoryLock?
    ) throws(StorageError) {
        var opened = try RecordLog.open(
            LookupSeam(storage), capacity: capacity, seed: seed, nonceSeed: nonceSeed, policy: policy,
            truncates: truncates)
        opened.buffersWrites = schedule != nil
        self.policy = policy
        startReason = opened.startReason
        hashSeed = opened.superblock.seed
        presence = opened.index.presence
        overwriting = opened.overwriting
        shared = SharedLog(opened, leastSavedCount: leastSavedCount)
        self.schedule = schedule
        self.sweptAtOnce = sweptAtOnce
        self.directory = directory
        self.directoryLock = directoryLock
        shared.change { [shared] log in
            shared.scheduleSweep(of: &log, schedule)
            shared.scheduleCut(of: log, schedule)
        }
        if directoryLock != nil { LogsAtExit.shared.add(shared) }
    }

    deinit {
        guard directoryLock != nil else { return }
        LogsAtExit.shared.remove(shared)
        shared.close()
    }

    /// Returns a fresh copy of the entry stored under `key`, which counts as used from now on; `nil` on a miss. An
    /// entry that is damaged or can't be read is a miss, too, and `statistics` counts it.
    ///
    /// - Parameters:
    ///   - key: the key's bytes.
    ///   - hash: the hash of `key`, from a hasher with the tier's `hashSeed`.
    public func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        if presence.lacks(Fingerprint(hash.low)) {
            unlockedMisses.wrappingAdd(1, ordering: .relaxed)
            return nil
        }
        return lookupLocked(key, hash: hash)
    }

    /// Whether an entry is stored under `hash`, or the tier can't tell. The entry counts as used. No I/O.
    package func keeps(_ hash: KeyHash) -> Bool {
        guard shared.isOwned else { return true }
        shared.seam.lock.lockSpinning()
        defer { shared.seam.lock.unlock() }
        return !isUsable || shared.readable.pointee.locate(hash) != nil
    }

    private func lookupLocked(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        guard shared.isOwned else { return nil }
        let (log, storage) = (shared.readable, shared.seam.storage)
        shared.seam.lock.lockSpinning()
        // The record may be overwritten while it's read. Then the index has a newer place, or nothing.
        for _ in 0..<8 {
            guard isUsable, let record = log.pointee.locate(hash) else { break }
            var reading: StoredEntry.Reading
            // Nil almost always, so that no array is retained.
            let removals = log.pointee.removals.isEmpty ? nil : log.pointee.removals
            if log.pointee.writeBuffer.holds(record.offset) {
                reading = StoredEntry.read(record, key: key, hash: hash) {
                    log.pointee.writeBuffer.copy(record.offset, into: $0)
                }
            } else {
                let before = overwriting.count
                // Counted in advance, so that most hits take the lock only once.
                log.pointee.hits += 1
                shared.seam.lock.unlock()
                reading = StoredEntry.read(record, key: key, hash: hash) { (bytes) throws(StorageError) in
                    try readBytes(of: record, from: storage, into: bytes)
                }
                reading.applyRemovals(removals)
                if case .entry(let entry, _) = reading, overwriting.count == before { return entry }
                shared.seam.lock.lockSpinning()
                log.pointee.hits -= 1
                guard isUsable, log.pointee.confirms(record, hash) else { continue }
            }
            switch reading {
            case .entry(let entry, _):
                log.pointee.hits += 1
                shared.seam.lock.unlock()
                return entry
            case .otherKey: break
            case .damaged, .removed, .failed:
                shared.seam.lock.unlock()
                drop(record, hash, reading)
                shared.seam.lock.lockSpinning()
            }
            break
        }
        log.pointee.misses += 1
        shared.seam.lock.unlock()
        return nil
    }

    /// Removes a record that couldn't be read, or that a removal by date covers, unless it was replaced meanwhile.
    private func drop(_ record: LocatedRecord, _ hash: KeyHash, _ reading: StoredEntry.Reading) {
        shared.change { log in
            guard isUsable, log.readable.pointee.confirms(record, hash) else { return }
            switch reading {
            case .damaged: log.dropDamaged(hash)
            case .removed: log.dropRemoved(record, hash)
            case .failed(let error): log.statistics.count(error)
            case .entry, .otherKey: break
            }
        }
    }

    /// Writes an entry. When this returns, the version before it can't come back. The entry survives the process,
    /// unless that is killed within 20 ms.
    ///
    /// - Throws: `DiskTierError.failed` if it couldn't be written; the version before it is gone all the same.
    ///   `DiskTierError.closed` after `close`, and in a forked child.
    @discardableResult
    public func store(_ entry: StoredEntry) throws(DiskTierError) -> DiskStoreResult {
        let now = schedule?.now()
        let checksum = entry.payloadChecksum
        return try change(otherwise: .refused(entry.policy == .allowed ? .tooLarge : .notAllowed)) {
            (log) throws(StorageError) in
            let evictions = log.statistics.evictions
            let mayWait = now.map { log.isBurst(at: $0) } ?? false
            let refusal = try log.store(entry, checksum: checksum, mayWait: mayWait)
            // The entry just stored is about to be given up.
            if let lostWrites = log.lostWrites { throw lostWrites }
            if let schedule { scheduleWork(of: &log, schedule) }
            if let refusal { return .refused(refusal) }
            return .stored(evictions: Int(log.statistics.evictions - evictions))
        }
    }

    /// Schedules the write of the waiting records, if there are any, and the reservation of space, if it is running
    /// out.
    ///
    /// Strong references: an object that was ever referred to weakly takes 20 ns more to retain and release.
    private func scheduleWork(of log: inout RecordLog, _ schedule: WriteSchedule) {
        if !shared.isWriteScheduled, !log.writeBuffer.isEmpty {
            shared.isWriteScheduled = schedule.later(WriteSchedule.writeDelay) { [shared] in shared.writeWaiting() }
            if !shared.isWriteScheduled { _ = shared.writeWaiting(of: &log) }
        }
        if !shared.isReservationScheduled, log.isRunningOutOfSpace {
            shared.isReservationScheduled = schedule.later(0) { [shared] in shared.reserveAhead() }
        }
        shared.scheduleCut(of: log, schedule)
    }

    /// Removes the entry stored under `hash`.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `DiskTierError.failed` if neither the removal could be written nor the file be emptied instead.
    ///   Nothing is found then until a later change has emptied the file; if the process ends before that, the entry
    ///   may return. With `erasesRemoved` also if the remains couldn't be overwritten; the entry is gone all the same.
    ///   `DiskTierError.closed` after `close`, and in a forked child.
    @discardableResult
    public func remove(_ hash: KeyHash) throws(DiskTierError) -> Bool {
        let erases = erasesRemoved
        return try change(otherwise: false) { (log) throws(StorageError) in
            try erases ? log.removeErasing(hash) : log.remove(hash)
        }
    }

    /// Removes everything and truncates the file: by at most 64 MiB before this returns, the rest on another thread.
    ///
    /// - Throws: `DiskTierError.failed` if the file couldn't be emptied. Nothing is found then until a later change has
    ///   emptied it; if the process ends before that, entries may return. With `erasesRemoved` also if the remains
    ///   couldn't be overwritten; the entries are gone all the same. `DiskTierError.closed` after `close`, and in a
    ///   forked child.
    public func removeAll() throws(DiskTierError) {
        let erases = erasesRemoved
        try change(otherwise: ()) { (log) throws(StorageError) in
            defer { shared.scheduleCut(of: log, schedule) }
            try log.removeAll(erases: erases)
        }
    }

    /// Removes the entries whose `storedAt` is after `date`; they aren't found from now on. In a large tier `count` and
    /// `currentUsage` include them until another thread has found them all, which takes some seconds for ten million.
    ///
    /// The file has room for seven such removals with different dates. An eighth, before the log has come round once,
    /// merges the two nearest dates: the earlier one then holds for both, so more entries may go. If the removal can't
    /// be written, everything is removed.
    ///
    /// - Throws: `DiskTierError.failed` if that couldn't be written either. Nothing is found then until a later change
    ///   has emptied the file; if the process ends before that, entries may return. With `erasesRemoved` also if the
    ///   remains couldn't be overwritten; the entries are gone all the same. `DiskTierError.closed` after `close`, and
    ///   in a forked child.
    /// - Complexity: writes 32 bytes, and reads at most 24 MiB.
    public func removeAll(since date: Int64) throws(DiskTierError) {
        let erases = erasesRemoved
        try change(otherwise: ()) { (log) throws(StorageError) in
            try log.removeAll(since: date)
            if erases { return try log.eraseDead() }
            log.continueSweep(budget: sweptAtOnce)
            shared.scheduleSweep(of: &log, schedule)
        }
    }

    /// Removes the entries whose keys begin with `prefix`.
    ///
    /// - Throws: as `remove`, and if waiting entries couldn't be written; some may not have been removed then.
    /// - Complexity: reads 64 bytes of every record, and as many bytes of its key as `prefix` has.
    package func removeAll(withPrefix prefix: UnsafeRawBufferPointer) throws(DiskTierError) {
        let erases = erasesRemoved
        try change(otherwise: ()) { (log) throws(StorageError) in
            try log.removeAll(withPrefix: prefix)
            if erases { try log.eraseDead() }
        }
    }

    /// Overwrites the remains of removed, replaced and evicted entries in the file with zeros. Headers of 64 bytes,
    /// without keys, stay. The zeros reach the disk when the system writes them, or with `flush`. A file system or
    /// drive that writes them elsewhere keeps the old blocks; only encryption protects those.
    ///
    /// - Throws: `DiskTierError.failed` if the file couldn't be read or written: remains may still be in it. Entries
    ///   are found as before, except waiting ones that couldn't be written. If the disk reports that earlier writes are
    ///   lost, or an earlier failure can't be made good, nothing is found anymore. `DiskTierError.closed` after
    ///   `close`, and in a forked child.
    /// - Complexity: reads 64 bytes of every record, and writes at most as many bytes as the file has.
    public func erase() throws(DiskTierError) {
        try change(otherwise: ()) { (log) throws(StorageError) in try log.eraseDead() }
    }

    /// Whether each removal erases, as `erase` does. A removal right after another then costs one more write; the first
    /// after a store costs as much as `erase`.
    public var erasesRemoved: Bool {
        get { isErasing.load(ordering: .relaxed) }
        set { isErasing.store(newValue, ordering: .relaxed) }
    }

    /// Returns when everything stored and removed before survives a power cut.
    ///
    /// - Throws: `DiskTierError.failed` if the disk reports an error. Any write since the last flush may be lost then,
    ///   so the tier removes everything; if only the write of waiting entries failed, only those are lost.
    ///   `DiskTierError.closed` after `close`, and in a forked child.
    public func flush() throws(DiskTierError) {
        // With no capacity there is nothing to prepare, but the file may just have been cut.
        try change(otherwise: ()) { (log) throws(StorageError) in try log.prepareFlush() }
        do throws(StorageError) {
            try shared.seam.storage.synchronize()
            if let directory, !hasSynchronizedNames.load(ordering: .acquiring) {
                synchronizeNames(of: directory)
                hasSynchronizedNames.store(true, ordering: .releasing)
            }
        } catch {
            shared.change { log in
                log.statistics.count(error)
                log.lostWrites = error
                log.giveUpLostWrites()
            }
            throw DiskTierError.system(error)
        }
    }

    /// Changes the capacity. A lower one has truncated the file when this returns, oldest entries first. A capacity of
    /// less than about a fifth or more than about eight times that of the file's beginning divides the file anew, and
    /// keeps the newest entries, 32 MiB at most.
    ///
    /// - Throws: `DiskTierError.capacity` if it is negative; `DiskTierError.failed` if the file couldn't be changed.
    ///   The capacity then stays as it was, unless it was too small for any entry and undoing the change failed, too.
    ///   `DiskTierError.closed` after `close`, and in a forked child.
    public func setCapacity(_ capacity: Int) throws(DiskTierError) {
        guard capacity >= 0 else { throw DiskTierError.capacity(CapacityError(tier: "disk", capacity: capacity)) }
        // While segments move, lookups would find halves.
        try change(letsLookupsIn: false) { (log) throws(StorageError) in try log.setCapacity(capacity) }
    }

    /// Ends the use of the tier: from now on lookups miss and changes throw. The directory is free for another tier
    /// once this one is released. Doesn't flush. With 10,000 entries or more the index is saved, 12 bytes an entry, in
    /// place of the entries that would be overwritten next.
    public func close() { shared.close() }

    /// Closes the tier, and frees the directory and as much as possible while other threads may still use the tier.
    func abandon() {
        close()
        shared.abandon()
        directoryLock?.release()
    }

    /// Writes the waiting records, as the timer does.
    package func writeWaiting() { shared.writeWaiting() }

    /// Whether lookups may find something: not after `close`, nor without a capacity.
    @inline(__always)
    private var isUsable: Bool { !shared.isClosed && shared.readable.pointee.mayAnswer }

    /// Runs a change, one at a time.
    private func change<Result>(
        letsLookupsIn: Bool = true, _ body: (inout RecordLog) throws(StorageError) -> Result
    ) throws(DiskTierError) -> Result {
        guard shared.isOwned else { throw DiskTierError.closed }
        return try shared.change(letsLookupsIn: letsLookupsIn) { (log) throws(DiskTierError) in
            guard !shared.isClosed else { throw DiskTierError.closed }
            defer { log.giveUpLostWrites() }
            do throws(StorageError) {
                return try body(&log)
            } catch {
                throw DiskTierError.system(error)
            }
        }
    }

    /// Runs a change, unless the capacity is too small to hold anything.
    private func change<Result>(
        otherwise disabled: @autoclosure () -> Result, _ body: (inout RecordLog) throws(StorageError) -> Result
    ) throws(DiskTierError) -> Result {
        try change { (log) throws(StorageError) in
            guard !log.isDisabled else { return disabled() }
            return try body(&log)
        }
    }
}
