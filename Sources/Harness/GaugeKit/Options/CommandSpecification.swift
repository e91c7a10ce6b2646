/// The operands and options of a command, for both parsing and help.
struct CommandSpecification: Sendable {
    /// The word on the command line.
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The arguments that are not options, as the help shows them: `FILE`. Those in brackets may be left out, `[FILE]`,
    /// and the last one may be repeated if it ends with an ellipsis, `FILE…`.
    let operands: [String]
    /// The operands that may not be left out.
    var requiredOperands: [String] { operands.filter { !$0.hasPrefix("[") } }
    /// The options.
    let options: [OptionSpecification]
    /// Further paragraphs of the help.
    let notes: [String]
    /// Whether the list of commands omits it.
    let isHidden: Bool

    /// Creates a specification.
    init(
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
