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

    /// Fills lines with the words of `text`. A word that is too long stays whole, and indented lines stay unchanged.
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
