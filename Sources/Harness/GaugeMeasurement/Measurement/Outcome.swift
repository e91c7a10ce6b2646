/// The result of an operation. A figure belongs to one outcome: a percentile over several would hide a shift between
/// them.
@frozen
public enum Outcome: String, Sendable, CaseIterable, Codable {
    /// Not a cache operation: parsing, hashing.
    case computed
    /// Answered from memory.
    case memoryHit = "memory-hit"
    /// Answered from disk, without promotion to memory.
    case diskHit = "disk-hit"
    /// Answered from disk and promoted to memory.
    case promotion
    /// Answered by a cache with several tiers that does not report the tier.
    case hit
    /// Not answered.
    case miss
    /// Stored, nothing evicted.
    case store
    /// Stored, and something evicted for it.
    case storeEvict = "store-evict"
    /// Removed.
    case remove
    /// Revalidated with the origin.
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

    /// The number of outcomes.
    @inlinable
    public static var count: Int { 10 }
}
