// The readers of small fields to judge. Each method takes time linear in the length of its input, here and for the
// other kinds of readers.

/// A reader of `Range` fields in bytes.
public protocol RangeParser {
    /// The ranges, in order; `nil` if the field must be ignored: it is malformed, or has another unit.
    func parse(_ bytes: [UInt8]) -> [Reference.ByteRange]?
}

extension RangeParser {
    /// Where the parser differs from RFC 9110, section 14.2, on this input.
    ///
    /// A server may ignore any `Range`, so these kinds may be known: `refuses ranges with a number above 2^63 - 1`, and
    /// those that begin with `whitespace around the value`.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        markingWhitespace(around: bytes) { bytes in
            let field = Reference.RangeField.parse(bytes)
            var (expected, refused): ([Reference.ByteRange]?, String) = (nil, "")
            switch field {
            case .bytes(let ranges): expected = ranges
            case .otherUnit: refused = "ranges of another unit"
            case .invalid: refused = "a malformed field: " + Reference.RangeField.flaw(of: bytes)
            }
            return compare(
                parse(bytes), expected, "ranges" + Reference.RangeField.peculiarity(of: bytes), refused,
                "RFC 9110, section 14.2"
            ) { $0.count == $1.count ? "other positions" : "another number of ranges" }
        }
    }
}

extension Reference.RangeField {
    /// What is unusual about a field that is well-formed.
    fileprivate static func peculiarity(of bytes: [UInt8]) -> String {
        // The reference clamps such a number; another parser may compare it with the one before, or refuse it.
        let isLarge = bytes.split { !isDigit($0) }.contains { Int64(String(decoding: $0, as: UTF8.self)) == nil }
        if isLarge { return " with a number above 2^63 - 1" }
        // The reference skips whitespace there, and the grammar has none.
        let hasSpace = bytes.firstIndex(of: 0x3D).map { $0 + 1 < bytes.count && isWhitespace(bytes[$0 + 1]) } ?? false
        return hasSpace ? " behind whitespace" : ""
    }

    /// Why a field is malformed, by the first thing that is wrong.
    fileprivate static func flaw(of bytes: [UInt8]) -> String {
        var reader = Reader(bytes)
        guard let unit = reader.readToken() else { return "no unit" }
        let space = isWhitespace(reader.peek)
        reader.skipWhitespace()
        guard reader.read(0x3D) else { return "no = behind the unit" }
        if space { return "whitespace before =" }
        guard lowercasedString(bytes, unit) == "bytes" else { return "a malformed set of another unit" }
        for member in bytes[reader.position...].split(separator: 0x2C).map(\.indices) {
            let member = bytes[trimWhitespace(member, of: bytes)]
            let numbers = member.split(separator: 0x2D, omittingEmptySubsequences: false)
            if member.isEmpty { continue }
            if member.contains(where: isWhitespace) { return "whitespace in a range" }
            if !numbers.joined().allSatisfy(isDigit) { return "a position that is no number" }
            if numbers.count != 2 { return numbers.count == 1 ? "a range without -" : "a range with more than one -" }
            if member.count == 1 { return "a range without a number" }
        }
        return parse(bytes + [0x2C, 0x30, 0x2D]) == .invalid ? "a last position before the first" : "no range"
    }
}

/// A reader of `ETag` fields.
public protocol EntityTagParser {
    /// The tag; `nil` if the bytes are not an entity tag.
    func parse(_ bytes: [UInt8]) -> Reference.EntityTag?
}

extension EntityTagParser {
    /// Where the parser differs from RFC 9110, section 8.8.3, on this input.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        markingWhitespace(around: bytes) { bytes in
            let expected = Reference.EntityTag.parse(bytes)
            let flaw = expected == nil ? Reference.EntityTag.flaw(of: bytes) : ""
            return compare(
                parse(bytes), expected, "an entity tag", "what is not an entity tag: \(flaw)",
                "RFC 9110, section 8.8.3"
            ) { $0.opaque == $1.opaque ? "weak or strong" : "another text" }
        }
    }
}

extension Reference.EntityTag {
    /// Why the bytes are not a tag, by the first thing that is wrong.
    fileprivate static func flaw(of bytes: [UInt8]) -> String {
        if bytes.starts(with: [0x77, 0x2F]) { return "W/ in lower case" }
        let tag = bytes.dropFirst(bytes.starts(with: [0x57, 0x2F]) ? 2 : 0)
        guard let first = tag.first, let last = tag.last else { return "nothing" }
        guard first == 0x22 else { return last == 0x22 ? "no opening quote" : "no quotes" }
        let inner = tag.dropFirst()
        guard let close = inner.firstIndex(of: 0x22) else { return "no closing quote" }
        if inner[..<close].contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "a space or control character" }
        return last == 0x22 ? "a quote inside" : "text behind it"
    }
}

/// A reader of `Vary` fields.
public protocol VaryParser {
    /// What the field names.
    func parse(_ bytes: [UInt8]) -> Reference.Vary
}

extension VaryParser {
    /// Where the parser differs from RFC 9110, section 12.5.5, on this input. The order of names, the case of their
    /// letters, and repetitions don't count.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        markingWhitespace(around: bytes) { bytes in
            let (read, expected) = (parse(bytes), Reference.Vary.parse(bytes))
            if case (.names(let names), .names(let others)) = (read, expected),
                Set(names.map { $0.lowercased() }) == Set(others)
            {
                return []
            }
            guard read != expected else { return [] }
            let (one, other) = (read.kind, expected.kind)
            return [
                Disagreement(
                    one == other ? "other names" : "\(one) in the place of \(other)", parser: inWords(read),
                    reference: inWords(expected), section: "RFC 9110, section 12.5.5")
            ]
        }
    }
}

extension Reference.Vary {
    fileprivate var kind: String {
        switch self {
        case .any: "*"
        case .invalid: "a malformed field"
        case .names: "names"
        }
    }
}
