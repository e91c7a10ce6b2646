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
