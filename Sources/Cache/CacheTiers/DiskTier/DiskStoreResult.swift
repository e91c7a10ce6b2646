/// What became of an entry that was given to the disk tier.
public enum DiskStoreResult: Hashable, Sendable {
    /// Why an entry is not on disk. The version before it is gone.
    public enum Refusal: Sendable {
        /// Key, metadata and body together are more than 5 % of the capacity, or the capacity holds nothing.
        case tooLarge
        /// Its policy forbids it.
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
