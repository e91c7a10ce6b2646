/// The outcome of a store in a tier.
public struct StoreResult: Hashable, Sendable {
    /// Whether the entry was taken.
    public enum Outcome: Sendable {
        /// The tier holds it.
        case stored
        /// It costs more than 5 % of the capacity, or the capacity is 0; the entry that it supersedes is removed.
        case tooLarge
        /// Its policy forbids it; the entry that it supersedes is removed.
        case notAllowed
        /// A promotion came too late: the key was stored, removed or promoted since the ticket was issued.
        case outdated
    }

    /// Whether the entry was taken.
    public var outcome: Outcome
    /// Entries of other keys that were evicted for it.
    public var evictions: Int

    /// Describes a store.
    public init(_ outcome: Outcome, evictions: Int = 0) {
        self.outcome = outcome
        self.evictions = evictions
    }
}

/// The outcome of a store in the disk tier.
public enum DiskStoreResult: Hashable, Sendable {
    /// The reason why an entry was not stored. The version before it has been removed.
    public enum Refusal: Sendable {
        /// Key, metadata and body together exceed 5 % of the capacity, or the capacity is too small for any entry.
        case tooLarge
        /// The storage policy of the entry forbids it.
        case notAllowed
        /// The eviction policy would drop it before three tenths of the capacity are stored. Only with
        /// `EvictionPolicy.greedyDualSizeFrequency`, and only when the tier is full.
        case notWorthwhile
    }

    /// The entry can be looked up, and survives the process.
    case stored(evictions: Int)
    /// The entry was not taken.
    case refused(Refusal)
}
