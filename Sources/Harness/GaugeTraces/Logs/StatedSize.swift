import GaugeSupport

/// A size, or another number, as logs and exports state it.
enum StatedSize {
    /// Reads a number of bytes (``number(_:)``).
    ///
    /// - Returns: `nil` if no size is stated (``isNone(_:)``).
    /// - Throws: the fault of anything else, such as `200 kB` or `200,000`.
    static func bytes(_ text: ArraySlice<UInt8>) throws(LineFault) -> Int? {
        if let integer = DecimalText.integer(text), let bytes = Int(exactly: integer) { return bytes }
        // A length of -1 is an unknown one in Go.
        guard !isNone(text), !text.elementsEqual("-1".utf8) else { return nil }
        guard let bytes = number(text).flatMap(Int.init(exactly:)) else {
            throw LineFault("the size \(QuotedText.of(text)) is not a number of bytes")
        }
        return bytes
    }

    /// Reads `1000`, and `1000.0` or `1e3` as spreadsheets and data frames write it.
    static func number(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= 40, let first = text.first, isDigit(first),
            text.allSatisfy({ isDigit($0) || "eE.+-".utf8.contains($0) })
        else { return nil }
        return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether a field is as programs leave one without a value: empty, `-`, or a word for it.
    static func isNone(_ text: ArraySlice<UInt8>) -> Bool {
        if text.isEmpty { return true }
        guard text.count <= 4 else { return false }
        return words.contains { word in
            text.count == word.count && text.elementsEqual(word) { $0 == $1 || $0 | 0x20 == $1 }
        }
    }

    private static let words = ["-", "\\n", "nan", "null", "none"].map { Array($0.utf8) }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
