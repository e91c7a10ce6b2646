/// Finds the format in a line of a server's settings, as a user copies it: nginx's `log_format NAME escape=json 'PART'
/// 'PART';`, or Apache's `LogFormat "FORMAT" NAME` and `CustomLog PATH "FORMAT"`.
enum LogSetting {
    /// The format; the text itself if it is no such line. nginx joins the quoted parts of a format.
    static func format(_ text: String) -> String {
        var rest = Substring(text.replacing("\\\r\n", with: " ").replacing("\\\n", with: " "))
        skipSpaces(&rest)
        if rest.first == "'" { return joined(words(rest).filter(\.isQuoted)) }
        let directive = rest.prefix { !isSpace($0) }
        guard directive.count < rest.count else { return text }
        rest = rest[directive.endIndex...]
        switch directive.lowercased() {
        case "log_format":
            let words = words(rest)
            let quoted = words.filter(\.isQuoted)
            if !quoted.isEmpty { return joined(quoted) }
            return joined(words.dropFirst().filter { !$0.text.hasPrefix("escape=") })
        case "logformat", "customlog", "transferlog":
            return words(rest).first { $0.text.contains("%") }?.text ?? ""
        default: return text
        }
    }

    private struct Word {
        var text = ""
        var isQuoted = false
    }

    private static func joined(_ words: some Sequence<Word>) -> String { words.map(\.text).joined() }

    /// The words up to the semicolon. In quotes, a backslash takes the quotes' meaning away; others stay.
    private static func words(_ text: Substring) -> [Word] {
        var words: [Word] = []
        var rest = text
        while true {
            skipSpaces(&rest)
            guard let first = rest.first, first != ";" else { return words }
            guard first == "'" || first == "\"" else {
                let word = rest.prefix { !isSpace($0) && $0 != ";" }
                rest = rest[word.endIndex...]
                words.append(Word(text: String(word)))
                continue
            }
            rest.removeFirst()
            var word = Word(isQuoted: true)
            while let character = rest.popFirst(), character != first {
                word.text.append(character == "\\" && rest.first == first ? rest.removeFirst() : character)
            }
            words.append(word)
        }
    }

    private static func skipSpaces(_ text: inout Substring) { text = text.drop(while: isSpace) }

    private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }
}
