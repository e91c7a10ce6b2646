/// The space that a subject reports to occupy; `nil` where it cannot tell.
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
    public init(
        memoryBytes: Int? = nil, diskBytes: Int? = nil, memoryEntries: Int? = nil, diskEntries: Int? = nil
    ) {
        self.memoryBytes = memoryBytes
        self.diskBytes = diskBytes
        self.memoryEntries = memoryEntries
        self.diskEntries = diskEntries
    }
}
