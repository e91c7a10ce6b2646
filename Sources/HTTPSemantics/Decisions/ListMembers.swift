/// The members of a comma-separated list of tokens, without the whitespace around them; empty ones are left out
/// (RFC 9110, section 5.6.1).
enum ListMembers {
    static func of(_ value: String?) -> [Substring] {
        guard let value else { return [] }
        return value.utf8.split(separator: UInt8(ascii: ",")).map { Substring(trimmed($0)) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return text[text.startIndex..<text.startIndex] }
        return text[first...last]
    }

    /// `OWS` is made of these (RFC 9110, section 5.6.3).
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
