/// The number and size of a process's allocations since it started.
public struct AllocationTotals: Sendable, Codable, Equatable {
    /// Calls that allocated.
    public var count: UInt64
    /// Bytes that these calls requested.
    public var bytes: UInt64

    /// Creates totals.
    public init(count: UInt64 = 0, bytes: UInt64 = 0) {
        self.count = count
        self.bytes = bytes
    }

    /// The allocations that are not among the other ones: since an earlier reading, or outside pauses.
    package func without(_ other: AllocationTotals) -> AllocationTotals {
        AllocationTotals(count: count &- other.count, bytes: bytes &- other.bytes)
    }
}
