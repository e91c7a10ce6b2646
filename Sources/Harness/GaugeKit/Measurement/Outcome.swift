/// What an operation turned out to be. A figure belongs to one outcome: a percentile blended over several hides a
/// shift from one to another.
@frozen
public enum Outcome: String, Sendable, CaseIterable, Codable {
    /// Not a cache operation: parsing, hashing.
    case computed
    /// Answered from memory.
    case memoryHit = "memory-hit"
    /// Answered from disk, without promotion to memory.
    case diskHit = "disk-hit"
    /// Answered from disk, and put into memory on the way.
    case promotion
    /// Answered by a cache that has several tiers and does not tell which of them it was.
    case hit
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

    /// The position in `allCases`, for tables by outcome.
    @inlinable
    public var ordinal: Int {
        switch self {
        case .computed: 0
        case .memoryHit: 1
        case .diskHit: 2
        case .promotion: 3
        case .hit: 4
        case .miss: 5
        case .store: 6
        case .storeEvict: 7
        case .remove: 8
        case .revalidation: 9
        }
    }

    /// How many there are.
    @inlinable
    public static var count: Int { 10 }
}
