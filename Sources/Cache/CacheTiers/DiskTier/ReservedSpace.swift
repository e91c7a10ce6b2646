import Platform
import Synchronization

/// The part of the file, from its beginning, that is allocated on the disk.
///
/// A store that finds none left reserves a little itself. Most space is reserved ahead, by another thread and without
/// the log's lock: it takes 0.3 ms a MiB, in which no other thread could use the log.
///
/// Every change of the file's length is made here, under a lock that is always taken after the log's, so that no
/// reservation from before a cut can extend the file afterwards.
final class ReservedSpace: Sendable {
    private let storage: any DiskStorage
    private let lock = Lock()
    /// Written under `lock`.
    private let reserved = Atomic<Int>(0)
    /// How often reserving more than a store needs failed, and the system's last error number.
    private let failures = Atomic<UInt64>(0)
    private let lastError = Atomic<Int32>(0)

    /// The most bytes that one call of the storage allocates.
    static let mostBytesAtOnce = 4 << 20
    /// A file longer than `fewBytes` is cut by this many at most at a time after everything was removed: the system
    /// waits for those of them that it is writing back.
    static let mostBytesCut = 8 << 20
    static let fewBytes = 64 << 20
    /// The most bytes that a store reserves itself beyond its own.
    static let mostBytesInStore = 256 << 10

    init(of storage: any DiskStorage) { self.storage = storage }

    /// Bytes of the file that are known to be allocated.
    var byteCount: Int { reserved.load(ordering: .relaxed) }

    /// Counts the first `byteCount` bytes as reserved, since the file has them.
    func assume(_ byteCount: Int) { reserved.store(byteCount, ordering: .relaxed) }

    /// Makes sure that the first `end` bytes are allocated, and `more` bytes besides, but none beyond `limit`.
    @inline(__always)
    func ensure(_ end: Int, and more: Int, limit: Int) throws(StorageError) {
        guard byteCount < end else { return }
        do throws(StorageError) {
            try extend(to: min(end + min(more, Self.mostBytesInStore), limit))
        } catch {
            note(error)
            // A disk that is nearly full has no room for more, but perhaps for what is needed now.
            try extend(to: end)
        }
    }

    /// Reserves the first `end` bytes, unless another thread has done so meanwhile.
    @inline(never)
    private func extend(to end: Int) throws(StorageError) {
        try lock.withLock { () throws(StorageError) in
            while byteCount < end { try reserve(min(byteCount + Self.mostBytesAtOnce, end)) }
        }
    }

    private func reserve(_ byteCount: Int) throws(StorageError) {
        try storage.reserve(byteCount)
        reserved.store(byteCount, ordering: .relaxed)
    }

    /// Cuts the file to `byteCount` bytes, or extends it with zeros.
    func resize(to byteCount: Int) throws(StorageError) {
        try lock.withLock { () throws(StorageError) in
            try storage.resize(to: byteCount)
            reserved.store(byteCount, ordering: .relaxed)
        }
    }

    /// Cuts the file to `byteCount` bytes if it has more, once a reservation that is under way has ended.
    func cut(to byteCount: Int) throws(StorageError) {
        try lock.withLock { () throws(StorageError) in
            guard try storage.byteCount() > byteCount else { return }
            try storage.resize(to: byteCount)
            reserved.store(byteCount, ordering: .relaxed)
        }
    }

    // MARK: After everything was removed

    /// Takes the right to cut the file, by at most `mostBytesCut` if it's long, and not below `goal`, the end of the
    /// used bytes. Call it with the log's lock held, which may then be released: a store that needs the bytes waits for
    /// the cut, and reserves them again.
    ///
    /// - Returns: the length for `finishCutting`, which has to follow; `nil` if the file has no more than `goal`.
    func beginCutting(to goal: Int) -> Int? {
        lock.lock()
        guard byteCount > goal else {
            lock.unlock()
            return nil
        }
        let length = byteCount <= Self.fewBytes ? goal : max(goal, byteCount - Self.mostBytesCut)
        reserved.store(length, ordering: .relaxed)
        return length
    }

    /// Cuts the file, and gives the right to cut back.
    func finishCutting(to length: Int) throws(StorageError) {
        defer { lock.unlock() }
        try storage.resize(to: length)
    }

    // MARK: Ahead of need

    /// Takes the right to reserve. Call it with the log's lock held, which may then be released.
    func beginReservingAhead() { lock.lock() }

    /// Reserves the next bytes, at most `mostBytesAtOnce` and none beyond `limit`, and gives the right back.
    ///
    /// - Returns: whether that succeeded. If not, the store that needs the space tries again, and says why it failed.
    func reserveAhead(limit: Int) -> Bool {
        defer { lock.unlock() }
        do throws(StorageError) {
            try reserve(min(byteCount + Self.mostBytesAtOnce, limit))
            return true
        } catch {
            note(error)
            return false
        }
    }

    private func note(_ error: StorageError) {
        lastError.store(error.code, ordering: .relaxed)
        failures.wrappingAdd(1, ordering: .releasing)
    }

    /// Adds the failures that no store has thrown.
    func add(to statistics: inout DiskStatistics) {
        let count = failures.load(ordering: .acquiring)
        guard count > 0 else { return }
        statistics.failures += count
        if statistics.lastError == 0 { statistics.lastError = lastError.load(ordering: .relaxed) }
    }

    /// Waits until no thread is reserving.
    func wait() { lock.withLock {} }
}
