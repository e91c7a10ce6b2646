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
