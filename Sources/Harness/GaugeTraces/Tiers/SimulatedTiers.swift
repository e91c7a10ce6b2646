/// A memory tier of any policy before a disk tier of the least recently used entries.
///
/// Each tier has its own capacity and admits entries by its own share of it. An entry costs as much in one as in the other.
package protocol SimulatedTiers: SimulatedContents {
    /// Two empty tiers.
    init(memory: TierCapacity, disk: TierCapacity)

    /// The sums of the sizes held by each tier.
    var used: (memory: Int, disk: Int) { get }

    /// Changes the capacities, and evicts until the rest fits.
    mutating func resize(memory: TierCapacity, disk: TierCapacity)
}

/// Where an entry may be that two tiers hold.
package enum TierArrangement: String, CaseIterable, Sendable {
    /// A store goes to both tiers, and a disk hit is copied to memory: an eviction from memory costs nothing, and the
    /// tiers hold many entries twice.
    case inclusive
    /// A store goes to memory, an eviction from memory to the disk, and a disk hit moves back: each entry is held once,
    /// and every eviction from memory is written.
    case exclusive
}
