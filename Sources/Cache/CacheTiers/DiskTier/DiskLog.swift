import Platform
import Synchronization

/// The log as many threads may use it: a lock around `RecordLog`, except for the reading of records.
///
/// A lookup holds the lock to find a record and again to see that it was not overwritten meanwhile, and reads in
/// between, so hits of several threads go side by side. Of most misses it is clear without the lock that there is nothing.
/// Everything else is under the lock.
///
/// `@unchecked Sendable`: `log` is an address that never changes; what it points at, `presence` but for what it offers readers,
/// and every stored `var` are touched under `lock` alone, once `init` has returned. The rest is constant or atomic.
package final class DiskLog<Storage: DiskStorage>: @unchecked Sendable {
    private let lock = Lock()
    private let log: UnsafeMutablePointer<RecordLog<Storage>>
    /// The index's.
    private let presence: KeyPresence
    /// Lookups that missed without the lock.
    private let unlockedMisses = Atomic<UInt64>(0)
    private var currentCapacity: Int
    private var isClosed = false
    /// Whether the capacity is too small to hold anything.
    private var isDisabled: Bool { currentCapacity < LogGeometry.leastCapacity }

    /// Why the log began empty; `nil` when it did not.
    package let startReason: StartReason?
    /// The seed of the hashes that the log's entries are found by.
    package let hashSeed: KeySeed
    private let forkGeneration = currentForkGeneration()
    /// When records may wait in memory; never, if `nil`.
    private let timing: StageTiming?
    /// When something was stored last, by the timing's clock.
    private var lastStore: UInt64 = 0
    /// Whether it was arranged that what waits is written.
    private var isWriteDue = false

    /// Opens the log in `storage`, or begins a new one; the file is within the capacity when this returns.
    ///
    /// - Parameters:
    ///   - seed: for the hashes, if a new log is begun.
    ///   - nonceSeed: for the nonces of units; nobody outside may be able to guess it.
    ///   - timing: when records may wait in memory to be written several at once; never, if `nil`.
    package init(
        _ storage: Storage, capacity: Int, seed: KeySeed, nonceSeed: UInt64, timing: StageTiming? = nil
    ) throws(StorageError) {
        self.timing = timing
        let least = LogGeometry(capacity: max(capacity, LogGeometry.leastCapacity))
        guard let geometry = least else { throw StorageError(.status, code: EINVAL) }
        var opened = try RecordLog.open(storage, geometry: geometry, seed: seed, nonceSeed: nonceSeed)
        currentCapacity = capacity
        if capacity < LogGeometry.leastCapacity {
            try opened.disable()
            opened.startReason = .noCapacity
        } else if try !opened.resize(toCapacity: capacity) {
            opened.startReason = .otherCapacity
        }
        opened.mayStage = timing != nil
        startReason = opened.startReason
        hashSeed = opened.superblock.seed
        presence = opened.index.presence
        log = .allocate(capacity: 1)
        log.initialize(to: opened)
    }

    deinit {
        log.deinitialize(count: 1)
        log.deallocate()
    }

    /// Whether operations have an effect: not after `close`, nor in a child process that inherited the log.
    private var isUsable: Bool { !isClosed && !isDisabled && currentForkGeneration() == forkGeneration }

    /// The entry stored under `key`; see `DiskTier.lookup`.
    package func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        // A log that may not be used, because it was closed or is another process's, finds nothing either.
        if presence.lacks(hash.low) {
            unlockedMisses.wrappingAdd(1, ordering: .relaxed)
            return nil
        }
        return lookupLocked(key, hash: hash)
    }

    private func lookupLocked(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        lock.lock()
        // A record may be overwritten while it is read; then there is a newer place to look, or none.
        for _ in 0..<8 {
            guard isUsable, !log.pointee.mustClear, let record = log.pointee.locate(hash) else { break }
            guard hasArrived(record) else { continue }
            let storage = log.pointee.storage
            lock.unlock()
            let reading = StoredEntry.read(from: storage, at: record, key: key, hash: hash)
            lock.lock()
            guard isUsable, log.pointee.confirms(record, hash) else { continue }
            switch reading {
            case .entry(let entry):
                log.pointee.statistics.hits += 1
                lock.unlock()
                return entry
            case .otherKey: break
            case .damaged: log.pointee.dropDamaged(hash)
            case .failed(let error): log.pointee.statistics.count(error)
            }
            break
        }
        log.pointee.statistics.misses += 1
        lock.unlock()
        return nil
    }

    /// Sees to it that a record does not wait in memory, but can be read.
    @inline(__always)
    private func hasArrived(_ record: LocatedRecord) -> Bool {
        !log.pointee.stage.holds(record.offset) || writeWaiting()
    }

    /// Writes what waits. What could not be written is lost.
    private func writeWaiting() -> Bool {
        do throws(StorageError) {
            try log.pointee.writeWaiting()
            return true
        } catch {
            log.pointee.statistics.count(error)
            return false
        }
    }

    /// Writes what waits in memory, as happens by itself after a moment. Does nothing in a child process.
    package func writeStage() {
        guard currentForkGeneration() == forkGeneration else { return }
        lock.withLock {
            isWriteDue = false
            if !isClosed { _ = writeWaiting() }
        }
    }

    /// Whether the store that comes now is one of many.
    private func isBurst(_ timing: StageTiming) -> Bool {
        let now = timing.now()
        defer { lastStore = now }
        return now &- lastStore < StageTiming.burst
    }

    /// Arranges that what waits does not wait for long.
    private func writeSoon(_ timing: StageTiming) {
        guard !isWriteDue, !log.pointee.stage.isEmpty else { return }
        isWriteDue = true
        // Kept until then, not weakly: see `StagesAtExit.add`.
        timing.later(StageTiming.patience) { self.writeStage() }
    }

    /// Stores an entry; see `DiskTier.store`.
    package func store(_ entry: StoredEntry) throws(DiskTierError) -> DiskStoreResult {
        try withUsableLog(otherwise: .refused(entry.policy == .allowed ? .tooLarge : .notAllowed)) {
            (log) throws(StorageError) in
            let evictions = log.statistics.evictions
            let mayWait = timing.map(isBurst) ?? false
            let outcome = try log.store(entry, sizeLimit: currentCapacity / 20, mayWait: mayWait)
            if let timing { writeSoon(timing) }
            let evicted = Int(log.statistics.evictions - evictions)
            switch outcome {
            case .stored: return .stored(evictions: evicted)
            case .tooLarge: return .refused(.tooLarge)
            case .notAllowed: return .refused(.notAllowed)
            }
        }
    }

    /// Removes what is stored under `hash`; see `DiskTier.remove`.
    package func remove(_ hash: KeyHash) throws(DiskTierError) -> Bool {
        try withUsableLog(otherwise: false) { (log) throws(StorageError) in try log.remove(hash) }
    }

    /// Empties the log; see `DiskTier.removeAll`.
    package func removeAll() throws(DiskTierError) {
        try withUsableLog(otherwise: ()) { (log) throws(StorageError) in try log.removeAll() }
    }

    /// Removes the newer entries; see `DiskTier.removeAll(since:)`.
    package func removeAll(since date: Int64) throws(DiskTierError) {
        try withUsableLog(otherwise: ()) { (log) throws(StorageError) in try log.removeAll(since: date) }
    }

    /// Makes what was stored survive a power cut; see `DiskTier.flush`.
    package func flush() throws(DiskTierError) {
        // A log without a capacity has nothing to prepare, but its file may still have been cut to nothing just now.
        let storage = try withUsableLog(otherwise: log.pointee.storage) { (log) throws(StorageError) in
            try log.prepareFlush()
            return log.storage
        }
        do throws(StorageError) {
            try storage.synchronize()
        } catch {
            lock.withLock { log.pointee.statistics.count(error) }
            throw DiskTierError.system(error)
        }
    }

    /// Changes the capacity; see `DiskTier.setCapacity`.
    package func setCapacity(_ capacity: Int) throws(DiskTierError) {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed, currentForkGeneration() == forkGeneration else { throw DiskTierError.closed }
        let wasDisabled = isDisabled
        do throws(StorageError) {
            if capacity < LogGeometry.leastCapacity {
                if !wasDisabled { try log.pointee.disable() }
            } else if wasDisabled, let fresh = LogGeometry(capacity: capacity) {
                do throws(StorageError) {
                    try log.pointee.startAnew(fresh)
                } catch {
                    // What was written goes again; where it stays, only the new capacity has room for it.
                    if (try? log.pointee.storage.resize(to: 0)) == nil {
                        log.pointee.suspend(dividedAs: fresh)
                        currentCapacity = capacity
                    }
                    throw error
                }
            } else {
                _ = try log.pointee.resize(toCapacity: capacity)
            }
            currentCapacity = capacity
        } catch {
            log.pointee.statistics.count(error)
            throw DiskTierError.system(error)
        }
    }

    /// The most bytes that the file may have.
    package var capacity: Int { lock.withLock { currentCapacity } }

    /// Bytes of readable records and tombstones.
    package var currentUsage: Int { lock.withLock { log.pointee.usedBytes } }

    /// Bytes of tombstones, as they count in `currentUsage`.
    package var tombstoneUsage: Int { lock.withLock { log.pointee.tombstoneBytes } }

    /// Whether a removal could not be written, so that nothing is answered until all is cleared.
    package var isSuspended: Bool { lock.withLock { log.pointee.mustClear } }

    /// Entries that can be found.
    package var count: Int { lock.withLock { log.pointee.index.count } }

    /// Bytes of memory that finding records takes.
    package var indexBytes: Int { lock.withLock { log.pointee.indexBytes } }

    /// What the log did since it was opened.
    package var statistics: DiskStatistics {
        var statistics = lock.withLock { log.pointee.statistics }
        statistics.misses += unlockedMisses.load(ordering: .relaxed)
        return statistics
    }

    /// What the file system holds for the file.
    package func allocatedBytes() throws(StorageError) -> Int {
        try lock.withLock { log.pointee.storage }.allocatedByteCount()
    }

    /// Ends the use of the file.
    package func close() {
        writeStage()
        lock.withLock { isClosed = true }
    }

    private func withUsableLog<Result>(
        otherwise unusable: @autoclosure () -> Result, _ body: (inout RecordLog<Storage>) throws(StorageError) -> Result
    ) throws(DiskTierError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed, currentForkGeneration() == forkGeneration else { throw DiskTierError.closed }
        guard !isDisabled else { return unusable() }
        do throws(StorageError) {
            return try body(&log.pointee)
        } catch {
            throw DiskTierError.system(error)
        }
    }
}
