/// What a report looks like.
public enum ReportFormat: String, CaseIterable, Sendable {
    /// An aligned table for people.
    case text
    /// For other programs.
    case json
}

/// Options that several commands share, so that they mean the same everywhere.
public enum CommonOptions {
    /// Capacity of the memory tier.
    public static let memory = CommandOption.size(
        "memory", help: "capacity of the memory tier; 4MiB unless said, 0 disables it")
    /// Capacity of the disk tier.
    public static let disk = CommandOption.size(
        "disk", help: "capacity of the disk tier; 20MiB unless said, 0 disables it")
    /// Where disk tiers live.
    public static let directory = CommandOption.text(
        "directory", "DIR", help: "where disk tiers live while they are measured; a new temporary one unless said")
    /// What all pseudo-random choices follow from.
    public static let seed = CommandOption.seed(
        "seed", help: "what all pseudo-random choices follow from; 1 unless said")
    /// What the report looks like.
    public static let format = CommandOption<ReportFormat>.choice(
        "format", help: "a table for people, or JSON for programs; text unless said")

    /// Said under the options of every command that takes a size.
    public static let sizeNote =
        "SIZE is a whole number and a unit: B, KB or KiB, MB or MiB, GB or GiB, all powers of 1024."
}
