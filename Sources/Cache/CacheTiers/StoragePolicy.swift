/// Which tiers may hold an entry; the three cases of `URLCache.StoragePolicy`.
public enum StoragePolicy: UInt8, Sendable {
    /// Memory and disk.
    case allowed = 0
    /// Memory alone: the entry's bytes never reach the disk, not even when memory evicts it.
    case allowedInMemoryOnly = 1
    /// Neither: storing such an entry only removes what it supersedes.
    case notAllowed = 2
}
