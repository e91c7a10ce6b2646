/// The text of a `Package.swift`.
struct Manifest {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The text with one more element at the beginning of the package's targets; `nil` unless they are written as
    /// `Package(… targets: [ …`.
    ///
    /// - Parameter element: the lines of the element, with a comma at their end.
    func adding(_ element: String) -> String? {
        guard let bracket = targets() else { return nil }
        let rest = text[text.index(after: bracket)...]
        let lines = element.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
        // The first target may follow the bracket on its line.
        let isBroken = rest.prefix { $0 != "\n" }.allSatisfy { $0 == " " || $0 == "\t" }
        return "\(text[...bracket])\n\(lines)\(isBroken ? "" : "\n        ")\(rest)"
    }

    /// The bracket after `targets:` among the arguments of the call of `Package`.
    private func targets() -> String.Index? {
        var depth = 0
        var callDepth: Int?
        var words: [Substring] = []
        var index = text.startIndex
        while index < text.endIndex {
            if let end = endOfComment(from: index) ?? endOfString(from: index) {
                index = end
                words = []
                continue
            }
            let character = text[index]
            if character.isLetter || character == "_" {
                let word = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                words = words.suffix(1) + [word]
                index = word.endIndex
                continue
            }
            switch character {
            case "(", "[", "{":
                if character == "[", depth == callDepth, words.suffix(2) == ["targets", ":"] { return index }
                depth += 1
                if character == "(", callDepth == nil, words.last == "Package" { callDepth = depth }
                words = []
            case ")", "]", "}":
                if depth == callDepth { return nil }
                depth -= 1
                words = []
            case _ where character.isWhitespace: break
            default: words = words.suffix(1) + [text[index...index]]
            }
            index = text.index(after: index)
        }
        return nil
    }

    /// The end of a comment that begins here.
    private func endOfComment(from start: String.Index) -> String.Index? {
        let rest = text[start...]
        if rest.hasPrefix("//") { return rest.firstIndex { $0.isNewline } ?? text.endIndex }
        guard rest.hasPrefix("/*") else { return nil }
        var depth = 0
        var index = start
        repeat {
            if text[index...].hasPrefix("/*") {
                depth += 1
            } else if text[index...].hasPrefix("*/") {
                depth -= 1
            } else {
                index = text.index(after: index)
                continue
            }
            index = text.index(index, offsetBy: 2)
        } while depth > 0 && index < text.endIndex
        return index
    }

    /// The end of a string that begins here. In a string with interpolation the end may be found too early; then
    /// SwiftPM does not find the target, and the manifest stays as it is.
    private func endOfString(from start: String.Index) -> String.Index? {
        let hashes = text[start...].prefix { $0 == "#" }
        guard text[hashes.endIndex...].hasPrefix("\"") else { return nil }
        let quotes = text[hashes.endIndex...].hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        let (end, escape) = (quotes + hashes, "\\" + hashes)
        var index = text.index(hashes.endIndex, offsetBy: quotes.count)
        while index < text.endIndex {
            let rest = text[index...]
            if rest.hasPrefix(end) { return text.index(index, offsetBy: end.count) }
            if rest.hasPrefix(escape) { index = text.index(index, offsetBy: escape.count) }
            if index < text.endIndex { index = text.index(after: index) }
        }
        return text.endIndex
    }
}
