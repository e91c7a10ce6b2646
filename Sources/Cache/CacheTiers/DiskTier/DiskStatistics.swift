/// Counts of a disk tier's work since it was opened.
public struct DiskStatistics: Hashable, Sendable {
    /// Lookups that gave an entry.
    public var hits: UInt64 = 0
    /// Lookups that did not.
    public var misses: UInt64 = 0
    /// Entries written.
    public var stores: UInt64 = 0
    /// Entries refused: too large, or not allowed on disk.
    public var refusals: UInt64 = 0
    /// Entries removed by request.
    public var removals: UInt64 = 0
    /// Entries overwritten to make room, or dropped with a lowered capacity.
    public var evictions: UInt64 = 0
    /// Entries copied forward when their segment was reclaimed, since they had been looked up.
    public var carriedRecords: UInt64 = 0
    /// Bytes of those, headers included.
    public var carriedBytes: UInt64 = 0
    /// Bytes of all records and tombstones written, carried ones included.
    public var bytesWritten: UInt64 = 0
    /// Records found damaged, each answered as a miss.
    public var damagedRecords: UInt64 = 0
    /// Segments lost to damage when the tier was opened.
    public var damagedSegments: UInt64 = 0
    /// File operations that failed.
    public var failures: UInt64 = 0
    /// The system's error number of the last that failed; 0 when none did.
    public var lastError: Int32 = 0
    /// Times the log was given up, because a removal could not be written.
    public var forcedClearings: UInt64 = 0

    /// Nothing done yet.
    public init() {}

    /// Counts a failed file operation.
    mutating func count(_ error: StorageError) {
        failures += 1
        lastError = error.code
    }
}
