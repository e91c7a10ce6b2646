/// What a benchmark has in common for all subjects, so that their rows do the same work.
@usableFromInline package struct SubjectCase: Hashable, Sendable {
    /// First part of the name: `disk`.
    @usableFromInline package var stage: String
    /// Second part of the name: `hit/4k`.
    @usableFromInline package var name: String
    @usableFromInline package var tier: SubjectTier
    @usableFromInline package var bodyCount: Int
    /// The number of stored entries; `nil` for as many as fill seven tenths of the capacity, up to 65,536.
    @usableFromInline package var entries: Int?
    /// The memory tier's capacity, bytes; `nil` for the run's.
    @usableFromInline package var memoryCapacity: Int?
    /// The limit of a subject that counts entries; `nil` for twice the stored entries.
    @usableFromInline package var memoryEntries: Int?
    /// The disk tier's capacity, bytes, all of which is filled; `nil` for the run's.
    @usableFromInline package var diskCapacity: Int?
    @usableFromInline package var suites: Set<String>
    /// The subject whose time the ratio column divides by, driven in the same way.
    @usableFromInline package var reference: String
    /// Whether to only count a wrong answer, instead of ending the run.
    @usableFromInline package var isPeer: Bool
    /// The subject's name in this row, if unusual: the cache under test has one name in every stage.
    @usableFromInline package var subject: String?
    /// The pages' state before an operation is timed.
    @usableFromInline package var pages = PageState.asLeft
    /// Whether a store has to survive a power cut when it returns.
    @usableFromInline package var isDurable = false

    @usableFromInline package init(
        _ stage: String, _ name: String, tier: SubjectTier, bodyCount: Int, entries: Int? = nil,
        suites: Set<String> = ["default"], reference: String = "tiered", isPeer: Bool = false,
        subject: String? = nil
    ) {
        (self.stage, self.name, self.tier, self.bodyCount) = (stage, name, tier, bodyCount)
        (self.entries, self.suites, self.reference) = (entries, suites, reference)
        (self.isPeer, self.subject) = (isPeer, subject)
    }

    /// The body sizes of the disk rows.
    @usableFromInline package static let bodyCounts: [(name: String, bytes: Int)] = [
        ("1k", 1 << 10), ("4k", 1 << 12), ("16k", 1 << 14), ("64k", 1 << 16),
    ]

    @usableFromInline package static let largeCapacities: [(name: String, bytes: Int)] = [
        ("1g", 1 << 30), ("8g", 8 << 30), ("32g", 32 << 30),
    ]

    /// Assumed bytes of an entry beside its body, for any subject.
    @usableFromInline package static let assumedOverhead = 512

    @usableFromInline
    package func configuration(_ context: RunContext, for capabilities: SubjectCapabilities) -> SubjectConfiguration {
        var configuration = tier.configuration(context)
        configuration.isDurable = isDurable
        if let memoryCapacity { configuration.memoryCapacity = memoryCapacity }
        if let diskCapacity { configuration.diskCapacity = diskCapacity }
        if capabilities.countsEntries { configuration.entryLimit = memoryEntries ?? 2 * residentCount(context) }
        return configuration
    }

    private func capacity(_ context: RunContext) -> Int { diskCapacity ?? tier.capacity(context) }

    /// The number of stored entries, all of which fit, whatever a subject adds to each.
    @usableFromInline
    package func residentCount(_ context: RunContext) -> Int {
        let fitting = capacity(context) / 10 * 7 / (max(0, bodyCount) + Self.assumedOverhead)
        return max(1, entries ?? (diskCapacity == nil ? min(fitting, 65_536) : fitting))
    }

    /// A number of entries that certainly doesn't fit.
    ///
    /// - Throws: ``GaugeError`` if filling would take too many entries.
    @usableFromInline
    package func overfullCount(_ context: RunContext) throws -> Int {
        let capacity = capacity(context)
        let count = capacity / max(1, bodyCount) + 1
        guard count <= 1_000_000 || diskCapacity != nil else {
            throw GaugeError(
                "\(ByteSize(bytes: capacity)) take \(count) bodies of \(bodyCount) bytes to fill; pass a smaller capacity"
            )
        }
        return count
    }
}

/// The tiers that a benchmark turns on; the others get a capacity of 0.
@usableFromInline package enum SubjectTier: Hashable, Sendable {
    /// Memory only.
    case memory
    /// Disk only, so that every hit comes from it.
    case disk
    /// Both, as in an application.
    case both

    @usableFromInline
    package func configuration(_ context: RunContext) -> SubjectConfiguration {
        SubjectConfiguration(
            memoryCapacity: self == .disk ? 0 : context.memoryCapacity,
            diskCapacity: self == .memory ? 0 : context.diskCapacity,
            directory: context.directory)
    }

    @usableFromInline
    package func capacity(_ context: RunContext) -> Int {
        switch self {
        case .memory: context.memoryCapacity
        case .disk, .both: context.diskCapacity
        }
    }
}
