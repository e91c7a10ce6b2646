/// A command's operands and options, for both parsing and help.
struct CommandSpecification: Sendable {
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The arguments that aren't options, as in the help: `FILE`. Those in brackets may be left out, `[FILE]`, and the
    /// last may be repeated if it ends with an ellipsis, `FILE…`.
    var operands: [String] = []
    var requiredOperands: [String] { operands.filter { !$0.hasPrefix("[") } }
    var options: [any AnyOption] = []
    /// Further paragraphs of the help.
    var notes: [HelpNote] = []
    /// Whether the list of commands omits it.
    var isHidden: Bool = false
}

extension CommandSpecification {
    /// The text of `--help`, in lines of at most `width` columns where words allow it.
    func help(executable: String, width: Int = HelpText.widest) -> String {
        let width = min(width, HelpText.widest)
        var usage = "usage: \(executable) \(name)"
        if !options.isEmpty { usage += " [options]" }
        for operand in operands { usage += " \(operand)" }
        let rows = options.map { ($0.usage, $0.help) } + [("--help", "this text")]
        let paragraphs: [HelpNote] = [.text(summary), .text(usage), .table(nil, rows)] + notes
        return paragraphs.map { $0.text(width: width) }.joined(separator: "\n\n") + "\n"
    }
}

/// A paragraph of a command's help.
enum HelpNote: Sendable, ExpressibleByStringInterpolation {
    case text(String)
    /// Names with explanations, under a title.
    case table(_ title: String?, [(String, String)])

    init(stringLiteral text: String) { self = .text(text) }

    func text(width: Int) -> String {
        switch self {
        case .text(let text): HelpText.wrapped(text, width: width).joined(separator: "\n")
        case .table(let title, let rows): (title.map { $0 + "\n" } ?? "") + HelpText.table(rows, width: width)
        }
    }
}

enum HelpText {
    /// Longer lines are hard to read, however wide the terminal is.
    static let widest = 110

    /// Two aligned columns, the second wrapped. A name wider than two fifths of the lines has a line of its own.
    static func table(_ rows: [(String, String)], width: Int = widest) -> String {
        let widestName = max(22, width * 2 / 5 - 4)
        let column = rows.map(\.0.count).filter { $0 <= widestName }.reduce(0, max) + 4
        let margin = String(repeating: " ", count: column)
        return rows.map { left, right in
            let name = "  " + left
            let explanation = wrapped(right, width: max(width - column, 20)).joined(separator: "\n" + margin)
            if left.count > widestName { return name + "\n" + margin + explanation }
            return name + margin.dropFirst(name.count) + explanation
        }.joined(separator: "\n")
    }

    /// Fills lines with words. A word that is too long stays whole, and indented lines stay unchanged.
    static func wrapped(_ text: String, width: Int) -> [String] {
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
