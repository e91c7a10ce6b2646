import GaugeMeasurement

/// Which tiers of a subject a benchmark turns on; the others get a capacity of 0.
@usableFromInline package enum SubjectTier: Hashable, Sendable {
    /// Memory only.
    case memory
    /// Disk only, so that every hit comes from it.
    case disk
    /// Both, as an application has them.
    case both

    /// The configuration of the subject.
    @usableFromInline
    package func configuration(_ context: RunContext) -> SubjectConfiguration {
        SubjectConfiguration(
            memoryCapacity: self == .disk ? 0 : context.memoryCapacity,
            diskCapacity: self == .memory ? 0 : context.diskCapacity,
            directory: context.directory)
    }

    /// The capacity into which the entries of a benchmark must fit, bytes.
    @usableFromInline
    package func capacity(_ context: RunContext) -> Int {
        switch self {
        case .memory: context.memoryCapacity
        case .disk, .both: context.diskCapacity
        }
    }
}
