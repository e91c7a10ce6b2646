/// Text of a trace for messages: short, printable, in quotes. What a trace holds must not reach a terminal as it is.
enum QuotedText {
    static func of(_ bytes: ArraySlice<UInt8>) -> String { of(String(decoding: bytes.prefix(200), as: UTF8.self)) }

    static func of(_ text: String) -> String {
        let short = text.unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? "?" : String($0) }
        return "\"\(short.joined())\(text.unicodeScalars.count > 40 ? "…" : "")\""
    }
}
