/// The configuration of a subject.
public struct SubjectConfiguration: Hashable, Sendable {
    /// Capacity of the memory tier, bytes; 0 for none.
    public var memoryCapacity: Int
    /// Capacity of the disk tier, bytes; 0 for none.
    public var diskCapacity: Int
    /// An existing directory for the subject alone, perhaps with files left by an earlier subject of the same kind.
    public var directory: String
    /// When set, the memory tier holds at most so many entries of any size, in one shard, and `memoryCapacity` is
    /// ignored. Set only for subjects with ``SubjectCapabilities/entryLimit``, and always for those of them without
    /// ``SubjectCapabilities/capacity``.
    public var entryLimit: Int?
    /// Whether a store has to survive a power cut when it returns. Set only for subjects with
    /// ``SubjectCapabilities/durability``.
    public var isDurable = false
    /// Whether all keys get the same hash, as if an attacker chose colliding keys. Set only for subjects with
    /// ``SubjectCapabilities/collisions``.
    public var collides = false
    /// When set, a key hook adds the value of this request field to every key. Set only for subjects with
    /// ``SubjectCapabilities/keyHook``.
    public var keyField: String?
    /// Whether the subject makes its cache the process's shared one, and then uses the shared one. Set only for
    /// subjects with ``SubjectCapabilities/shared``.
    public var isShared = false
    /// When set, an entry isn't found anymore this long after it was stored, seconds. Set only for subjects with
    /// ``SubjectCapabilities/expiry``.
    public var lifetime: Double?
    /// The eviction policy of every tier. Other than LRU only for subjects with ``SubjectCapabilities/evictionPolicy``.
    public var policy = SubjectEvictionPolicy.lru

    /// The outcome of a hit in a cache that doesn't say which tier answered: the only enabled tier, or with both
    /// enabled, a hit in either.
    public var hitOfUnknownTier: Outcome {
        if diskCapacity == 0 || entryLimit != nil { return .memoryHit }
        return memoryCapacity == 0 ? .diskHit : .hit
    }

    /// Describes a subject.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: String, entryLimit: Int? = nil) {
        (self.memoryCapacity, self.diskCapacity, self.directory) = (memoryCapacity, diskCapacity, directory)
        self.entryLimit = entryLimit
    }
}

/// How a cache chooses what to evict.
public enum SubjectEvictionPolicy: String, CaseIterable, Hashable, Sendable {
    /// Least recently used first.
    case lru
    /// Greedy Dual Size with Frequency (Cherkasova 1998): large entries with few hits first, by a value that ages.
    case gdsf
}

/// The space that a subject says it occupies; `nil` if it can't tell.
public struct SubjectUsage: Hashable, Sendable, Codable {
    /// Bytes of the memory tier, by the subject's own rule of cost.
    public var memoryBytes: Int?
    /// Bytes on disk.
    public var diskBytes: Int?
    /// Entries in memory.
    public var memoryEntries: Int?
    /// Entries on disk.
    public var diskEntries: Int?

    /// Describes a usage.
    public init(memoryBytes: Int? = nil, diskBytes: Int? = nil, memoryEntries: Int? = nil, diskEntries: Int? = nil) {
        (self.memoryBytes, self.diskBytes, self.memoryEntries) = (memoryBytes, diskBytes, memoryEntries)
        self.diskEntries = diskEntries
    }
}
