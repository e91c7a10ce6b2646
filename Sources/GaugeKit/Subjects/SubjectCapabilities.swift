/// What a subject can do. What it cannot is not asked of it, and reads `n/a`.
public struct SubjectCapabilities: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Answers from memory.
    public static let memory = SubjectCapabilities(rawValue: 1 << 0)
    /// Answers from disk.
    public static let disk = SubjectCapabilities(rawValue: 1 << 1)
    /// Keeps within a capacity by evicting. Without it the subject grows, and is not filled beyond its capacity.
    public static let capacity = SubjectCapabilities(rawValue: 1 << 2)
    /// Can count entries instead of bytes (``SubjectConfiguration/entryLimit``).
    public static let entryLimit = SubjectCapabilities(rawValue: 1 << 3)
    /// Finds, when opened again, what was stored before.
    public static let persistence = SubjectCapabilities(rawValue: 1 << 4)
    /// Has ``CacheSubject/counters``.
    public static let counters = SubjectCapabilities(rawValue: 1 << 5)
    /// Can make each store survive a power cut before it returns (``SubjectConfiguration/isDurable``).
    public static let durability = SubjectCapabilities(rawValue: 1 << 6)
}
