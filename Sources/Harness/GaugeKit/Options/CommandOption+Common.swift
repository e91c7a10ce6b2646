import GaugeSubjects

/// The format of a report.
enum ReportFormat: String, CaseIterable, Sendable {
    /// An aligned table for people.
    case text
    /// JSON for other programs.
    case json
}

/// Options that several commands share, so that they have the same meaning everywhere.
enum CommonOptions {
    /// Capacity of the memory tier.
    static let memory = CommandOption.size(
        "memory", help: "capacity of the memory tier; 4MiB by default, 0 disables it")
    /// Capacity of the disk tier.
    static let disk = CommandOption.size(
        "disk", help: "capacity of the disk tier; 20MiB by default, 0 disables it")
    /// The directory of the disk tiers.
    static let directory = CommandOption.text(
        "directory", "DIR", help: "where disk tiers live while they are measured; a new temporary one by default")
    /// The eviction policy of the cache.
    static let policy = CommandOption<SubjectEvictionPolicy>.choice(
        "policy", help: "eviction policy of the cache; lru by default")
    /// The seed of all pseudo-random choices.
    static let seed = CommandOption.seed(
        "seed", help: "seed of all pseudo-random choices; 1 by default")
    /// The format of the report.
    static let format = CommandOption<ReportFormat>.choice(
        "format", help: "a table for people, or JSON for programs; text by default")

    /// Printed below the options of every command that takes a size.
    static let sizeNote =
        "SIZE is a whole number and a unit: B, KB or KiB, MB or MiB, GB or GiB, all powers of 1024."
}
