import Platform

/// Counts of a disk tier's work since it was opened.
public struct DiskStatistics: Hashable, Sendable {
    /// Lookups that gave an entry.
    public var hits: UInt64 = 0
    /// Lookups that gave no entry.
    public var misses: UInt64 = 0
    /// Entries written.
    public var stores: UInt64 = 0
    /// Entries refused: too large, or not allowed on disk.
    public var refusals: UInt64 = 0
    /// Entries removed by request.
    public var removals: UInt64 = 0
    /// Entries overwritten to make room, or dropped with a lowered capacity.
    public var evictions: UInt64 = 0
    /// Entries kept when their segment was reclaimed, and copied forward: under LRU those that had been looked up.
    public var carriedRecords: UInt64 = 0
    /// Bytes of the carried records, headers included.
    public var carriedBytes: UInt64 = 0
    /// Bytes of all records and tombstones written, carried ones included.
    public var bytesWritten: UInt64 = 0
    /// Records found damaged, each answered as a miss.
    public var damagedRecords: UInt64 = 0
    /// Segments lost to damage when the tier was opened.
    public var damagedSegments: UInt64 = 0
    /// File operations that failed.
    public var failures: UInt64 = 0
    /// The system's error number of the last failed operation; 0 without one.
    public var lastError: Int32 = 0
    /// How often the log was emptied because a removal couldn't be written.
    public var forcedClearings: UInt64 = 0

    /// Statistics of a new tier: all counts are 0.
    public init() {}

    /// Counts a failed file operation.
    mutating func count(_ error: StorageError) {
        failures += 1
        lastError = error.code
    }
}

// Invariant of the pointer: `shared.readable` is used under the lock of `shared.seam`.

extension DiskTier {
    /// The most bytes that the files may have.
    public var capacity: Int { withLog(otherwise: 0) { $0.capacity } }

    /// Bytes of readable records and tombstones, headers included: each rounded up to eight bytes, and above 256 KiB to
    /// 1/16,384 of its length. O(1).
    public var currentUsage: Int { withLog(otherwise: 0) { $0.usedBytes } }

    /// Bytes that the file system holds for the tier's files; 0 if it can't say.
    public var allocatedBytes: Int { shared.isOwned ? (try? shared.seam.storage.allocatedByteCount()) ?? 0 : 0 }

    /// Why the next process won't find what is stored now: the directory, or a file in it, was removed or moved.
    /// `nil` otherwise. Costs four system calls.
    public var problem: DiskTierError? {
        guard let directory, shared.isOwned, !isInPlace else { return nil }
        return .removed(directory: directory)
    }

    private var isInPlace: Bool {
        guard let directory else { return true }
        return directoryLock?.isInPlace(in: directory) != false
            && (shared.seam.storage as? FileStorage)?.isInPlace(in: directory) != false
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
            (statistics.hits, statistics.misses) = (log.readable.pointee.hits, log.readable.pointee.misses)
            return statistics
        }
        statistics.misses += unlockedMisses.load(ordering: .relaxed)
        return statistics
    }

    /// Finds all entries that were removed by date, so that they no longer count.
    package func finishRemovals() {
        guard shared.isOwned else { return }
        shared.change { $0.continueSweep(budget: .max) }
    }

    /// Bytes of tombstones, as they count in `currentUsage`.
    package var tombstoneUsage: Int { withLog(otherwise: 0) { $0.tombstoneBytes } }

    /// Whether a lookup wouldn't wait for a lock now, if no other thread looks up or begins a change.
    package var isFreeForLookups: Bool {
        guard shared.seam.lock.tryLock() else { return false }
        shared.seam.lock.unlock()
        return true
    }

    /// Whether a removal couldn't be written, so that nothing is answered until everything is cleared.
    package var isSuspended: Bool { withLog(otherwise: false) { $0.mustClear } }

    /// Reads the log; not in a forked child, which has no part in it.
    private func withLog<Result>(
        otherwise inChild: @autoclosure () -> Result, _ body: (borrowing RecordLog) -> Result
    ) -> Result {
        guard shared.isOwned else { return inChild() }
        return shared.change { body($0) }
    }
}
