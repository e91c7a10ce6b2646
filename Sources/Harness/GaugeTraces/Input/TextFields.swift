/// Reads the space-separated fields of a line. A field may be enclosed in quotes or brackets.
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
    /// it.
    ///
    /// - Returns: `nil` if the next field doesn't begin with `opening`, or doesn't end on the line.
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

/// One line of fields separated by commas (RFC 4180) or another byte. A quoted field may contain separators and doubled
/// quotes, but no line breaks.
package struct CSVFields: RandomAccessCollection {
    private let separator: UInt8
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    /// A field's bytes, without its quotes.
    package subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

    /// Splits a line, in place of the one before.
    ///
    /// - Returns: the fault of the line; `nil` if it is well-formed.
    package mutating func split(_ line: ArraySlice<UInt8>) -> String? {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(line.count)
        ends.reserveCapacity(8)
        var at = line.startIndex
        while true {
            if at < line.endIndex, line[at] == UInt8(ascii: "\"") {
                guard let after = unquote(line, from: at + 1) else { return "a quoted field does not end on the line" }
                at = after
                if at < line.endIndex, line[at] != separator { return "text after the end of a quoted field" }
            } else {
                let end = line[at...].firstIndex(of: separator) ?? line.endIndex
                bytes.append(contentsOf: line[at..<end])
                at = end
            }
            ends.append(bytes.count)
            if at == line.endIndex { return nil }
            at += 1
        }
    }

    /// A field without the spaces around it.
    package static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = field.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }

    /// Appends a quoted text.
    ///
    /// - Returns: the index after the field; `nil` if its quotes aren't closed.
    private mutating func unquote(_ line: ArraySlice<UInt8>, from start: Int) -> Int? {
        var at = start
        while let quote = line[at...].firstIndex(of: UInt8(ascii: "\"")) {
            bytes.append(contentsOf: line[at..<quote])
            at = quote + 1
            guard at < line.endIndex, line[at] == UInt8(ascii: "\"") else { return at }
            bytes.append(UInt8(ascii: "\""))
            at += 1
        }
        return nil
    }
}

/// The escapes of Apache and nginx in access logs: `\"`, `\\`, `\x22`, and the letters of C.
enum LogEscapes {
    static func resolved(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "\\")) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            if escaped == UInt8(ascii: "x"), let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(controls[escaped] ?? escaped)
            }
        }
        return bytes[...]
    }

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "b"): 0x08,
        UInt8(ascii: "v"): 0x0B, UInt8(ascii: "f"): 0x0C,
    ]

    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt8? {
        guard text.count == 2 else { return nil }
        return UInt8(String(decoding: text, as: UTF8.self), radix: 16)
    }
}
