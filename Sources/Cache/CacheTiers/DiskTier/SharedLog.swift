// Invariant of the pointers: `log` points to one initialised value from `init` to `deinit`, and is used under `lock`
// alone.

import Platform

/// A log and its lock, shared by a tier, the timer that writes waiting records, and the exit handler.
///
/// The last two may hold it longer than the tier lives, so it owns neither the directory nor its lock.
///
/// `@unchecked Sendable`: `log` is an address that never changes. The value behind it and every stored `var` are read
/// and written only while `lock` is held, and in `init` and `deinit`, when no other thread can hold `self`. In a forked
/// child, where the lock may be held for ever, they are not used.
final class SharedLog: @unchecked Sendable {
    let lock = Lock()
    let log: UnsafeMutablePointer<RecordLog>
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

    /// Keys from which on the index is saved.
    private let leastSavedCount: Int

    init(_ opened: consuming RecordLog, leastSavedCount: Int) {
        self.leastSavedCount = leastSavedCount
        space = opened.space
        log = .allocate(capacity: 1)
        log.initialize(to: opened)
    }

    deinit {
        log.deinitialize(count: 1)
        log.deallocate()
    }

    /// Whether this process opened the log; a forked child must not touch it, nor wait for its lock.
    @inline(__always)
    var isOwned: Bool { currentForkGeneration() == forkGeneration }

    /// Writes the waiting records. Does nothing in a forked child.
    func writeWaiting() {
        guard isOwned else { return }
        lock.withLock {
            isWriteScheduled = false
            if !isClosed { _ = writeWaitingLocked() }
        }
    }

    /// Writes the waiting records and a copy of the index, since the process may end.
    func writeAll() {
        writeWaiting()
        guard isOwned else { return }
        lock.withLock {
            guard !isClosed else { return }
            do throws(StorageError) {
                try log.pointee.saveIndex(from: leastSavedCount)
            } catch {
                log.pointee.statistics.count(error)
                log.pointee.giveUpLostWrites()
            }
        }
    }

    /// Writes the waiting records, with the lock held; they are lost if that fails.
    func writeWaitingLocked() -> Bool {
        do throws(StorageError) {
            try log.pointee.writeWaiting()
            return true
        } catch {
            log.pointee.statistics.count(error)
            return false
        }
    }

    /// Looks for entries that were removed by date, 512 KiB of the file at a time, since others want the lock and the
    /// thread, too.
    func sweep(_ timing: StageTiming) {
        guard isOwned else { return }
        lock.withLock {
            isSweepScheduled = false
            guard !isClosed else { return }
            log.pointee.continueSweep(budget: 512 << 10)
            scheduleSweep(timing)
        }
    }

    /// Sees to it that the search goes on, with the lock held.
    func scheduleSweep(_ timing: StageTiming?) {
        guard log.pointee.sweep != nil, !isSweepScheduled else { return }
        isSweepScheduled = timing?.later(StageTiming.sweepPause) { [self] in timing.map(sweep) } ?? false
        if !isSweepScheduled { log.pointee.continueSweep(budget: .max) }
    }

    /// Gives the disk a part of the space of a cleared file back, without the lock.
    private func cut(_ timing: StageTiming?) {
        guard isOwned else { return }
        let length = lock.withLock {
            isCutScheduled = false
            return isClosed ? nil : log.pointee.beginCutting()
        }
        guard let length else { return }
        do throws(StorageError) {
            try space.finishCutting(to: length)
        } catch {
            lock.withLock { log.pointee.endCutting(after: error) }
        }
        lock.withLock { scheduleCut(timing) }
    }

    /// Sees to it that a cleared file is cut, with the lock held.
    func scheduleCut(_ timing: StageTiming?) {
        guard log.pointee.isCutting, !isCutScheduled, let timing else { return }
        isCutScheduled = timing.later(StageTiming.sweepPause) { [self] in cut(timing) }
    }

    /// Reserves space until the log has enough ahead of its head, holding the lock only to see whether it has.
    func reserveAhead() {
        guard isOwned else { return }
        while let limit = beginReservingAhead() {
            guard space.reserveAhead(limit: limit) else { break }
        }
        lock.withLock { isReservationScheduled = false }
    }

    /// Takes the right to reserve, and returns how far to go; `nil` if there is nothing to do.
    private func beginReservingAhead() -> Int? {
        lock.withLock {
            let goal = log.pointee.reservationGoal
            guard !isClosed, space.byteCount < goal else { return nil }
            space.beginReservingAhead()
            return goal
        }
    }

    /// Writes the waiting records and the index, and ends the use of the log and its file.
    func close() {
        guard isOwned else { return }
        writeAll()
        lock.withLock {
            // Another thread may have stored meanwhile.
            if !isClosed { _ = writeWaitingLocked() }
            isClosed = true
            space.wait()
        }
    }
}
