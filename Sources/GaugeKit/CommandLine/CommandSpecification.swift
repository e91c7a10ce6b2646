/// What a command takes, from which both its parsing and its help come.
public struct CommandSpecification: Sendable {
    /// The word on the command line.
    public let name: String
    /// One line for the list of commands.
    public let summary: String
    /// The arguments that are not options, as the help shows them: `FILE`. All are required.
    public let operands: [String]
    /// The options.
    public let options: [OptionSpecification]
    /// What else the help says, one paragraph each.
    public let notes: [String]
    /// Whether the list of commands leaves it out.
    public let isHidden: Bool

    /// Describes a command.
    public init(
        name: String, summary: String, operands: [String] = [], options: [OptionSpecification] = [],
        notes: [String] = [], isHidden: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.isHidden = isHidden
    }
}

extension CommandSpecification {
    /// The text of `--help`.
    func help(executable: String) -> String {
        var usage = "usage: \(executable) \(name)"
        if !options.isEmpty { usage += " [options]" }
        for operand in operands { usage += " \(operand)" }
        let rows = options.map { ($0.usage, $0.help) } + [("--help", "this text")]
        return ([summary, usage, Self.table(rows)] + notes).joined(separator: "\n\n") + "\n"
    }

    /// Two aligned columns.
    static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right
        }.joined(separator: "\n")
    }
}
