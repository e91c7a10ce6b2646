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
        case .miss: 4
        case .store: 5
        case .storeEvict: 6
        case .remove: 7
        case .revalidation: 8
        }
    }

    /// How many there are.
    @inlinable
    public static var count: Int { 9 }
}
