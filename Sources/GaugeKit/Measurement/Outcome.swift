/// What an operation turned out to be. A figure belongs to one outcome: a percentile blended over several hides a
/// shift from one to another.
public enum Outcome: String, Sendable, CaseIterable, Codable {
    /// Not a cache operation: parsing, hashing.
    case computed
    /// Answered from memory.
    case memoryHit = "memory-hit"
    /// Answered from disk, without promotion to memory.
    case diskHit = "disk-hit"
    /// Answered from disk, and put into memory on the way.
    case promotion
    /// Not answered.
    case miss
    /// Stored, nothing evicted.
    case store
    /// Stored, and something evicted for it.
    case storeEvict = "store-evict"
    /// Removed.
    case remove
    /// Confirmed with the origin.
    case revalidation
}
