/// What a subject is made from.
public struct SubjectConfiguration: Hashable, Sendable {
    /// Capacity of the memory tier, bytes; 0 for none.
    public var memoryCapacity: Int
    /// Capacity of the disk tier, bytes; 0 for none.
    public var diskCapacity: Int
    /// A directory that exists and is the subject's own. It may hold what an earlier subject of the kind left there.
    public var directory: String
    /// When set, the memory tier holds so many entries, of whatever size, in one shard, and `memoryCapacity` says
    /// nothing. Only subjects with ``SubjectCapabilities/entryLimit`` are given one.
    public var entryLimit: Int?
    /// Whether a store has to survive a power cut when it returns. Asked only of subjects with
    /// ``SubjectCapabilities/durability``.
    public var isDurable = false
    /// Whether every key is to have the same hash, as if somebody had found out how to aim keys at each other. Asked only
    /// of subjects with ``SubjectCapabilities/collisions``.
    public var collides = false

    /// What a hit is of a cache that does not tell from which tier it answered: one of the only tier that is on, and with
    /// both on a hit of either.
    public var untoldHit: Outcome {
        if diskCapacity == 0 || entryLimit != nil { return .memoryHit }
        return memoryCapacity == 0 ? .diskHit : .hit
    }

    /// Describes a subject.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: String, entryLimit: Int? = nil) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.directory = directory
        self.entryLimit = entryLimit
    }
}
