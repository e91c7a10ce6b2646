/// What became of an entry that was given to a tier.
public struct StoreResult: Hashable, Sendable {
    /// Whether the entry was taken.
    public enum Outcome: Sendable {
        /// The tier holds it.
        case stored
        /// It costs more than 5 % of the capacity, or the capacity is 0; what it supersedes is gone.
        case tooLarge
        /// Its policy forbids it; what it supersedes is gone.
        case notAllowed
        /// A promotion came too late: the key was stored, removed or promoted since the ticket was taken.
        case outdated
    }

    /// Whether the entry was taken.
    public var outcome: Outcome
    /// Entries of other keys that had to go for it.
    public var evictions: Int

    /// Describes a store.
    public init(_ outcome: Outcome, evictions: Int = 0) {
        self.outcome = outcome
        self.evictions = evictions
    }
}
