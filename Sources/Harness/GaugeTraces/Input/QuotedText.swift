/// Quotes text of a trace for messages: short and printable. Raw trace bytes must not reach a terminal.
package enum QuotedText {
    package static func of(_ bytes: ArraySlice<UInt8>) -> String {
        of(String(decoding: bytes.prefix(200), as: UTF8.self))
    }

    /// - Parameter limit: Unicode scalars that are shown at most.
    package static func of(_ text: String, limit: Int = 40) -> String {
        var quoted = "\""
        let short = text.unicodeScalars.prefix(limit)
        if short.contains(where: isControl) {
            for scalar in short { quoted.unicodeScalars.append(isControl(scalar) ? "?" : scalar) }
        } else {
            quoted += Substring(short)
        }
        return quoted + (short.endIndex == text.endIndex ? "\"" : "…\"")
    }

    /// Unicode's category Cc.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }
}
