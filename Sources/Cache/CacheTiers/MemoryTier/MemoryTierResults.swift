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

/// The result of a hit in a memory tier.
package enum MemoryHit {
    /// The entry.
    case entry(StoredEntry)
    /// The object that is kept for it; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}

/// The work of a memory tier since it was made.
public struct MemoryStatistics: Hashable, Sendable {
    /// Lookups that found an entry.
    public var hits: UInt64 = 0
    /// Lookups that did not.
    public var misses: UInt64 = 0
    /// Entries taken, promoted ones included.
    public var stores: UInt64 = 0
    /// Entries removed to make room, or because the capacity was lowered.
    public var evictions: UInt64 = 0
    /// Entries refused: too large or not allowed.
    public var refusals: UInt64 = 0
}
