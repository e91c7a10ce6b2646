/// How often, and how much, a process has allocated since it started.
public struct AllocationTotals: Sendable, Codable, Equatable {
    /// Calls that allocated.
    public var count: UInt64
    /// Bytes that they asked for.
    public var bytes: UInt64

    /// Totals, as a counter reads them.
    public init(count: UInt64 = 0, bytes: UInt64 = 0) {
        self.count = count
        self.bytes = bytes
    }
}
