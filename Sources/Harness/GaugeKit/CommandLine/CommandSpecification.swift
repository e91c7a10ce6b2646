/// What a command takes, from which both its parsing and its help come.
public struct CommandSpecification: Sendable {
    /// The word on the command line.
    public let name: String
    /// One line for the list of commands.
    public let summary: String
    /// The arguments that are not options, as the help shows them: `FILE`. All are required; the last one may come more
    /// than once if it ends with an ellipsis, `FILE…`.
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
        let paragraphs =
            [summary, usage, HelpText.table(rows)] + notes.map { HelpText.wrapped($0).joined(separator: "\n") }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }
}
