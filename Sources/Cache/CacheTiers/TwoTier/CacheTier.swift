/// One of the two tiers.
@frozen
public enum CacheTier: Sendable {
    /// Entries as objects in memory.
    case memory
    /// Records in the log on disk.
    case disk
}
