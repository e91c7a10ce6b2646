// The readers of smaller fields that are to be judged. Each method takes time linear in the length of its input.

/// A reader of `Range` fields in bytes.
public protocol RangeParser {
    /// The ranges, in order; `nil` if the field must be ignored: it is malformed, or has another unit.
    func parse(_ bytes: [UInt8]) -> [Reference.ByteRange]?
}

extension RangeParser {
    /// Where the parser differs from RFC 9110, section 14.2, on this input.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let field = Reference.RangeField.parse(bytes)
        var expected: [Reference.ByteRange]?
        if case .bytes(let ranges) = field { expected = ranges }
        let refused = field == .otherUnit ? "ranges of another unit" : "a malformed field"
        return compare(parse(bytes), expected, "ranges", refused, "RFC 9110, section 14.2")
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
        compare(parse(bytes), .parse(bytes), "an entity tag", "what is not an entity tag", "RFC 9110, section 8.8.3")
    }
}

/// A reader of `Vary` fields.
public protocol VaryParser {
    /// What the field names.
    func parse(_ bytes: [UInt8]) -> Reference.Vary
}

extension VaryParser {
    /// Where the parser differs from RFC 9110, section 12.5.5, on this input. Order and repetitions of names count.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let (read, expected) = (parse(bytes), Reference.Vary.parse(bytes))
        guard read != expected else { return [] }
        let (one, other) = (read.kind, expected.kind)
        return [
            Disagreement(
                one == other ? "other names" : "\(one) in the place of \(other)", parser: inWords(read),
                reference: inWords(expected), section: "RFC 9110, section 12.5.5")
        ]
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

/// A reader of blocks of header fields.
public protocol FieldBlockParser {
    /// The size that the parser accepts, which the reference then takes as well.
    var limits: Reference.FieldBlock.Limits { get }

    /// The lines of a block that ends with an empty line or with the bytes; `nil` if it is malformed or too large.
    func parse(_ bytes: [UInt8]) -> Reference.FieldBlock?
}

extension FieldBlockParser {
    /// 64 KiB, 16 KiB a line, 256 lines.
    public var limits: Reference.FieldBlock.Limits { .init(bytes: 65_536, lineBytes: 16_384, lines: 256) }

    /// Where the parser differs from RFC 9112, sections 2.1 and 5, on this input.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let expected = Reference.FieldBlock.parse(bytes, limits: limits)
        return compare(
            parse(bytes), expected, "a block of fields", "a malformed block", "RFC 9112, sections 2.1 and 5")
    }
}

private func compare<Value: Equatable>(
    _ read: Value?, _ expected: Value?, _ name: String, _ refused: String, _ section: String
) -> [Disagreement] {
    guard read != expected else { return [] }
    let kind =
        switch (read, expected) {
        case (nil, _): "refuses \(name)"
        case (_, nil): "accepts \(refused)"
        default: "reads otherwise \(name)"
        }
    return [
        Disagreement(
            kind, parser: read.map { inWords($0) } ?? "nothing", reference: expected.map { inWords($0) } ?? "nothing",
            section: section)
    ]
}
