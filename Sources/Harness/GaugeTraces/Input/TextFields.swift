/// Reads the space-separated fields of a line one by one. A field may be enclosed in quotes or brackets.
package struct TextFields {
    private var rest: ArraySlice<UInt8>

    package init(_ line: ArraySlice<UInt8>) { rest = line }

    /// The bytes up to the next space or tab, `nil` at the end of the line.
    package mutating func next() -> ArraySlice<UInt8>? {
        skipSpaces()
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// The text between `opening` and `closing`. A backslash makes the next character part of the text, and stays in
    /// the text itself.
    ///
    /// - Returns: `nil` when the next field does not begin with `opening`, or does not end on the line.
    package mutating func next(from opening: Unicode.Scalar, to closing: Unicode.Scalar) -> ArraySlice<UInt8>? {
        skipSpaces()
        guard rest.first == UInt8(ascii: opening) else { return nil }
        let start = rest.startIndex + 1
        var at = start
        while at < rest.endIndex, rest[at] != UInt8(ascii: closing) { at += rest[at] == UInt8(ascii: "\\") ? 2 : 1 }
        guard at < rest.endIndex else { return nil }
        defer { rest = rest[(at + 1)...] }
        return rest[start..<at]
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
