// Invariant of the pointers: `log` points to one value from `init` to `deinit`, and is used only within `change`;
// `readable` is used under the lock of `seam`.

import Platform

/// A log and its lock, shared by a tier, the timer that writes waiting records, and the exit handler.
///
/// The last two may hold it longer than the tier lives, so it owns neither the directory nor its lock.
///
/// Changes take turns by one lock, which they hold across their writes; between the writes they also hold that of
/// `seam`. A lookup takes only the latter, so it waits for no write.
///
/// `@unchecked Sendable`: `log` is an address that never changes. The value behind it and every stored `var` are used
/// only within `change`, and in `init` and `deinit`, when no other thread can hold `self`; `isClosed` is written within
/// `change`, and read under the lock of `seam`. In a forked child, where a lock may be held for ever, they aren't used.
final class SharedLog: @unchecked Sendable {
    private let changing = Lock()
    let seam: LookupSeam
    let log: UnsafeMutablePointer<RecordLog>
    /// What lookups read, under the lock of `seam`.
    let readable: UnsafeMutablePointer<ReadableLog>
    private let space: ReservedSpace
    var isClosed = false
    /// Whether a write of the waiting records is scheduled.
    var isWriteScheduled = false
    /// Whether another thread looks for entries that were removed by date, or is about to.
    var isSweepScheduled = false
    /// Whether another thread cuts the file, or is about to.
    private var isCutScheduled = false
    /// Whether another thread reserves space, or is about to.
    var isReservationScheduled = false
    private let forkGeneration = currentForkGeneration()

    /// From this many keys on, the index is saved.
    private let leastSavedCount: Int

    init(_ opened: consuming RecordLog, leastSavedCount: Int) {
        self.leastSavedCount = leastSavedCount
        seam = opened.storage
        space = opened.space
        readable = opened.readable
        log = .allocate(capacity: 1)
        log.initialize(to: opened)
    }

    deinit {
        log.deinitialize(count: 1)
        log.deallocate()
    }

    /// Whether this process opened the log; a forked child must neither touch it nor wait for its lock.
    @inline(__always)
    var isOwned: Bool { currentForkGeneration() == forkGeneration }

    /// Runs a change of the log, one at a time.
    ///
    /// - Parameter letsLookupsIn: while the storage works; see `LookupSeam`.
    @inline(__always)
    func change<Result, Failure: Error>(
        letsLookupsIn: Bool = true, _ body: (inout RecordLog) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        changing.lockSpinning()
        defer { changing.unlock() }
        return try seam.change(letsLookupsIn: letsLookupsIn) { () throws(Failure) in try body(&log.pointee) }
    }

    /// Writes the waiting records. Does nothing in a forked child.
    func writeWaiting() {
        guard isOwned else { return }
        change { log in
            isWriteScheduled = false
            if !isClosed { _ = writeWaiting(of: &log) }
        }
    }

    /// Writes the waiting records and a copy of the index, since the process may end.
    func writeAll() {
        writeWaiting()
        guard isOwned else { return }
        change(letsLookupsIn: false) { log in
            guard !isClosed else { return }
            do throws(StorageError) {
                try log.saveIndex(from: leastSavedCount)
            } catch {
                log.statistics.count(error)
                log.giveUpLostWrites()
            }
        }
    }

    /// Writes the waiting records, within a change; they are lost if that fails. What an earlier change couldn't write
    /// is mended before, since there may be no other.
    func writeWaiting(of log: inout RecordLog) -> Bool {
        // Nothing waits, and mending would truncate a file that was only read.
        guard !log.isAsFound else { return true }
        do throws(StorageError) {
            try log.mend()
            try log.writeWaiting()
            return true
        } catch {
            log.statistics.count(error)
            return false
        }
    }

    /// Looks for entries that were removed by date, 512 KiB of the file at a time, since others want the lock and the
    /// thread, too.
    func sweep(_ schedule: WriteSchedule) {
        guard isOwned else { return }
        change { log in
            isSweepScheduled = false
            guard !isClosed else { return }
            log.continueSweep(budget: 512 << 10)
            scheduleSweep(of: &log, schedule)
        }
    }

    /// Schedules the rest of the search, within a change.
    func scheduleSweep(of log: inout RecordLog, _ schedule: WriteSchedule?) {
        guard log.sweep != nil, !isSweepScheduled else { return }
        isSweepScheduled = schedule?.later(WriteSchedule.sweepPause) { [self] in schedule.map(sweep) } ?? false
        if !isSweepScheduled { log.continueSweep(budget: .max) }
    }

    /// Cuts a part of a cleared file, without the lock.
    private func cut(_ schedule: WriteSchedule?) {
        guard isOwned else { return }
        let length = change { log in
            isCutScheduled = false
            return isClosed ? nil : log.beginCutting()
        }
        guard let length else { return }
        do throws(StorageError) {
            try space.finishCutting(to: length)
        } catch {
            change { $0.endCutting(after: error) }
        }
        change { scheduleCut(of: $0, schedule) }
    }

    /// Schedules the cutting of a cleared file, within a change.
    func scheduleCut(of log: borrowing RecordLog, _ schedule: WriteSchedule?) {
        guard log.isCutting, !isCutScheduled, let schedule else { return }
        isCutScheduled = schedule.later(WriteSchedule.sweepPause) { [self] in cut(schedule) }
    }

    /// Reserves space until the log has enough ahead of its head; takes the lock only to see whether it has.
    func reserveAhead() {
        guard isOwned else { return }
        while let limit = beginReservingAhead() {
            guard space.reserveAhead(limit: limit) else { break }
        }
        change { _ in isReservationScheduled = false }
    }

    /// Takes the right to reserve, and returns how far to go; `nil` if there is nothing to do.
    private func beginReservingAhead() -> Int? {
        change { log in
            let goal = log.reservationGoal
            guard !isClosed, space.byteCount < goal else { return nil }
            space.beginReservingAhead()
            return goal
        }
    }

    /// Writes the waiting records and the index, and ends the use of the log and its file.
    func close() {
        guard isOwned else { return }
        writeAll()
        change(letsLookupsIn: false) { log in
            // Another thread may have stored meanwhile.
            if !isClosed { _ = writeWaiting(of: &log) }
            isClosed = true
            space.wait()
        }
    }

    /// Frees what a closed log takes, since another one takes its place: its index, and its file's bytes if the file
    /// was removed. Other threads may still hold it.
    func abandon() {
        guard isOwned else { return }
        LogsAtExit.shared.remove(self)
        change(letsLookupsIn: false) { $0.forgetAll() }
        (seam.storage as? FileStorage)?.emptyIfRemoved()
    }
}

/// The storage through which a shared log changes its file, and the lock that lookups take. During a change it's
/// unlocked for each call of the storage, so that no lookup waits for the disk.
///
/// `@unchecked Sendable`: `isOpen` is used by one thread at a time. Only `SharedLog.change` calls `change`, holding the
/// lock of changes meanwhile; only a `RecordLog` calls either `letLookupsIn`, within such a change or on the thread
/// that opens it, before others have it. Lookups, `ReservedSpace` and `flush` use `storage` itself. All else is
/// constant, and Sendable.
final class LookupSeam: DiskStorage, @unchecked Sendable {
    let storage: any DiskStorage
    /// Held to read or change the `ReadableLog`.
    let lock = Lock()
    /// Whether the thread that changes the log holds `lock`, and may unlock it.
    private var isOpen = false

    init(_ storage: any DiskStorage) { self.storage = storage }

    /// Runs a change under the lock.
    ///
    /// - Parameter letsLookupsIn: whether to unlock at each call of the storage; not where lookups would find halves.
    @inline(__always)
    func change<Result, Failure: Error>(
        letsLookupsIn: Bool, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lockSpinning()
        isOpen = letsLookupsIn
        defer {
            isOpen = false
            lock.unlock()
        }
        return try body()
    }

    /// Runs a call that may take long.
    @inline(__always)
    func letLookupsIn<Result, Failure: Error>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isOpen else { return try call() }
        lock.unlock()
        defer { lock.lockSpinning() }
        return try call()
    }

    /// Says whether the rest of the change unlocks; returns whether it did so far.
    func letLookupsIn(_ isOpen: Bool) -> Bool {
        defer { self.isOpen = isOpen }
        return self.isOpen
    }

    var boot: UInt64 { storage.boot }

    func byteCount() throws(StorageError) -> Int { try storage.byteCount() }

    func allocatedByteCount() throws(StorageError) -> Int { try storage.allocatedByteCount() }

    func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try letLookupsIn { () throws(StorageError) in try storage.read(at: offset, into: bytes) }
    }

    func readFromMemory(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(StorageError) -> Int {
        try letLookupsIn { () throws(StorageError) in try storage.readFromMemory(at: offset, into: bytes) }
    }

    func write(at offset: Int, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.write(at: offset, first, second) }
    }

    func reserve(_ byteCount: Int) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.reserve(byteCount) }
    }

    func resize(to byteCount: Int) throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.resize(to: byteCount) }
    }

    func synchronize() throws(StorageError) {
        try letLookupsIn { () throws(StorageError) in try storage.synchronize() }
    }
}

/// Writes waiting records and indexes when the process exits, since programs rarely release caches in globals.
final class LogsAtExit: Sendable {
    static let shared = LogsAtExit()

    private let logs = ForkSafe<[ObjectIdentifier: SharedLog]>([:])

    private init() {
        _ = atexit { LogsAtExit.shared.write() }
    }

    /// Writes what `log` has in memory at exit, unless it's removed before; keeps it alive until then.
    func add(_ log: SharedLog) {
        logs.withLock { $0[ObjectIdentifier(log)] = log }
    }

    func remove(_ log: SharedLog) {
        logs.withLock { $0[ObjectIdentifier(log)] = nil }
    }

    private func write() {
        // In a forked child, a log of the parent writes nothing.
        for log in logs.withLock({ Array($0.values) }) { log.writeAll() }
    }
}
