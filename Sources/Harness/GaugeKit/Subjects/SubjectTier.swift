/// Which tiers of a subject a benchmark turns on; the others get a capacity of 0.
public enum SubjectTier: Hashable, Sendable {
    /// Memory alone.
    case memory
    /// Disk alone, so that every hit comes from it.
    case disk
    /// Both, as an application has them.
    case both

    /// What the subject is made from.
    @usableFromInline
    func configuration(_ context: RunContext) -> SubjectConfiguration {
        SubjectConfiguration(
            memoryCapacity: self == .disk ? 0 : context.memoryCapacity,
            diskCapacity: self == .memory ? 0 : context.diskCapacity,
            directory: context.directory)
    }

    /// Bytes in which the entries of a benchmark have to find room.
    @usableFromInline
    func capacity(_ context: RunContext) -> Int {
        switch self {
        case .memory: context.memoryCapacity
        case .disk, .both: context.diskCapacity
        }
    }
}
