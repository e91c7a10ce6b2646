// Invariant of the pointers: the value of `shared.log` is used while `shared.lock` is held.

import Platform

extension DiskTier {
    /// The most bytes that the files may have.
    public var capacity: Int { withLog(otherwise: 0) { $0.capacity } }

    /// Bytes of readable records and tombstones, headers included: of each record rounded up to eight bytes, and above
    /// 256 KiB to 1/16,384 of its length. O(1).
    public var currentUsage: Int { withLog(otherwise: 0) { $0.usedBytes } }

    /// Bytes that the file system holds for the tier's files together; 0 if it cannot say.
    public var allocatedBytes: Int { (try? withLog(otherwise: nil) { $0.storage }?.allocatedByteCount()) ?? 0 }

    /// Why nothing that is stored now will be found by the next process: the directory, or a file in it, was removed.
    /// `nil` otherwise. Costs two system calls.
    public var problem: DiskTierError? {
        guard let directory, shared.isOwned, !isInPlace else { return nil }
        return .removed(directory: directory)
    }

    private var isInPlace: Bool {
        let storage = withLog(otherwise: nil) { $0.storage }
        return directoryLock?.isInPlace != false && (storage as? FileStorage)?.isInPlace != false
    }

    /// The number of entries that can be found. O(1).
    public var count: Int { withLog(otherwise: 0) { $0.index.count } }

    /// Bytes of memory that the index takes.
    public var indexBytes: Int { withLog(otherwise: 0) { $0.indexBytes } }

    /// Counts of the tier's work since it was opened.
    public var statistics: DiskStatistics {
        var statistics = withLog(otherwise: DiskStatistics()) { log in
            var statistics = log.statistics
            log.space.add(to: &statistics)
            return statistics
        }
        statistics.misses += unlockedMisses.load(ordering: .relaxed)
        return statistics
    }

    /// Finds all entries that were removed by date, so that they no longer count.
    package func finishRemovals() {
        guard shared.isOwned else { return }
        shared.lock.withLock { shared.log.pointee.continueSweep(budget: .max) }
    }

    /// Bytes of tombstones, as they count in `currentUsage`.
    package var tombstoneUsage: Int { withLog(otherwise: 0) { $0.tombstoneBytes } }

    /// Whether a removal could not be written, so that nothing is answered until everything is cleared.
    package var isSuspended: Bool { withLog(otherwise: false) { $0.mustClear } }

    /// Reads the log; nothing in a forked child, which has no part in it.
    private func withLog<Result>(
        otherwise inChild: @autoclosure () -> Result, _ body: (borrowing RecordLog) -> Result
    ) -> Result {
        guard shared.isOwned else { return inChild() }
        return shared.lock.withLock { body(shared.log.pointee) }
    }
}
