/// A reader of blocks of header fields.
public protocol FieldBlockParser {
    /// The sizes the parser accepts. The reference then accepts the same.
    var limits: Reference.FieldBlock.Limits { get }

    /// The lines of a block that ends with an empty line or with the bytes; `nil` if it is malformed or too large.
    func parse(_ bytes: [UInt8]) -> Reference.FieldBlock?
}

extension FieldBlockParser {
    /// 64 KiB, 16 KiB a line, 256 lines.
    public var limits: Reference.FieldBlock.Limits { .init(bytes: 65_536, lineBytes: 16_384, lines: 256) }

    /// Where the parser differs from RFC 9112, sections 2.1 and 5, on this input. The case of letters in names does not
    /// count (RFC 9110, section 5.1).
    ///
    /// The reference accepts what the grammar does. The RFC lets a recipient read more, and these kinds may be known:
    ///
    /// - `accepts a block with a folded line`: a user agent has to read one, as a space (RFC 9112, section 5.2).
    /// - `accepts a block with a bare LF`: it may end a line (RFC 9112, section 2.2).
    /// - `accepts a block with a bare CR` and `… with a NUL`, where the parser reads a space (RFC 9112, section 2.2;
    ///   RFC 9110, section 5.5).
    /// - `refuses a block of fields with a control character`: the value is invalid, and may be kept (RFC 9110, section
    ///   5.5).
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let expected = Reference.FieldBlock.parse(bytes, limits: limits)
        let hasControl =
            expected?.fields.contains { $0.value.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } } ?? false
        let flaw = expected == nil ? Reference.FieldBlock.flaw(of: bytes) : ""
        let read = parse(bytes)
        if let read, let expected, read.difference(from: expected) == nil { return [] }
        return compare(
            read, expected, "a block of fields" + (hasControl ? " with a control character" : ""),
            "a block with " + flaw, "RFC 9112, sections 2.1 and 5"
        ) { $0.difference(from: $1) ?? "" }
    }
}

extension Reference.FieldBlock {
    /// How the lines differ, if they do, the case of names aside.
    fileprivate func difference(from other: Self) -> String? {
        if fields.count != other.fields.count { return "another number of lines" }
        if fields.map(\.key) != other.fields.map(\.key) { return "other names" }
        let pairs = zip(fields, other.fields).filter { $0.value != $1.value }
        if pairs.isEmpty { return nil }
        let isTrimmed = pairs.allSatisfy { one, other in
            one.value[trimWhitespace(one.value.indices, of: one.value)] == other.value[...]
        }
        return isTrimmed ? "whitespace around a value" : "other values"
    }
}

extension Reference.FieldBlock {
    /// Why the bytes are not a block of fields, by the first line that is wrong.
    fileprivate static func flaw(of bytes: [UInt8]) -> String {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex { [0x0D, 0x0A, 0].contains($0) } ?? bytes.count
            let behind = bytes[end...].prefix(2)
            switch (behind.first, behind.dropFirst().first) {
            case (0, _): return "a NUL"
            case (0x0A, _): return "a bare LF"
            case (0x0D, let next?) where next != 0x0A: return "a bare CR"
            default: break
            }
            if let flaw = flaw(ofLine: Reader(bytes, start..<end), isFirst: start == 0) { return flaw }
            guard behind.count == 2 else { return "a line without an end" }
            if start == end { break }
            start = end + 2
        }
        return "more than the limits"
    }

    private static func flaw(ofLine line: Reader, isFirst: Bool) -> String? {
        var reader = line
        if reader.isAtEnd { return nil }
        if isWhitespace(reader.peek) { return isFirst ? "whitespace at its start" : "a folded line" }
        if reader.peek == 0x3A { return "an empty name" }
        let name = reader.readToken()
        if name != nil, reader.peek == 0x3A { return nil }
        let hasSpace = isWhitespace(reader.peek)
        reader.skipWhitespace()
        if name != nil, hasSpace, reader.peek == 0x3A { return "whitespace before the colon" }
        while !reader.isAtEnd, reader.peek != 0x3A { reader.position += 1 }
        return reader.isAtEnd ? "a line without a colon" : "a name that is not a token"
    }
}
