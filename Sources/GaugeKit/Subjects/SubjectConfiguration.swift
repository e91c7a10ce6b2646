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

    /// Describes a subject.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: String, entryLimit: Int? = nil) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.directory = directory
        self.entryLimit = entryLimit
    }
}
