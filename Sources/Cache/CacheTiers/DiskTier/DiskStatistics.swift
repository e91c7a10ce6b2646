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
    /// The number of times that the log was emptied because a removal could not be written.
    public var forcedClearings: UInt64 = 0

    /// Statistics of a new tier: all counts are 0.
    public init() {}

    /// Counts a failed file operation.
    mutating func count(_ error: StorageError) {
        failures += 1
        lastError = error.code
    }
}
