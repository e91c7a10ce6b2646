/// What a memory tier did since it was made.
public struct MemoryStatistics: Hashable, Sendable {
    /// Lookups that found an entry.
    public var hits: UInt64 = 0
    /// Lookups that did not.
    public var misses: UInt64 = 0
    /// Entries taken, promoted ones included.
    public var stores: UInt64 = 0
    /// Entries that went to make room, or because the capacity was lowered.
    public var evictions: UInt64 = 0
    /// Entries refused: too large or not allowed.
    public var refusals: UInt64 = 0
}
