/// A command's operands and options, for both parsing and help.
struct CommandSpecification: Sendable {
    /// The word on the command line.
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The arguments that aren't options, as in the help: `FILE`. Those in brackets may be left out, `[FILE]`, and the
    /// last may be repeated if it ends with an ellipsis, `FILE…`.
    var operands: [String] = []
    var requiredOperands: [String] { operands.filter { !$0.hasPrefix("[") } }
    var options: [OptionSpecification] = []
    /// Further paragraphs of the help.
    var notes: [String] = []
    /// Whether the list of commands omits it.
    var isHidden: Bool = false
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

/// Formats help for a terminal of ordinary width.
enum HelpText {
    private static let width = 110

    /// Two aligned columns, the second wrapped.
    static func table(_ rows: [(String, String)]) -> String {
        let column = rows.map(\.0.count).reduce(0, max) + 4
        return rows.map { left, right in
            let margin = String(repeating: " ", count: column)
            let first = "  " + left + String(repeating: " ", count: column - left.count - 2)
            return first + wrapped(right, width: width - column).joined(separator: "\n" + margin)
        }.joined(separator: "\n")
    }

    /// Fills lines with words. A word that is too long stays whole, and indented lines stay unchanged.
    static func wrapped(_ text: String, width: Int = width) -> [String] {
        var lines: [String] = []
        var canContinue = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard !line.hasPrefix(" "), !line.isEmpty else {
                lines.append(String(line))
                canContinue = false
                continue
            }
            for word in line.split(separator: " ") {
                if canContinue, let last = lines.last, last.count + 1 + word.count <= width {
                    lines[lines.count - 1] = last + " " + word
                } else {
                    lines.append(String(word))
                    canContinue = true
                }
            }
        }
        return lines
    }
}
