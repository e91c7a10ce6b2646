/// One way in which a parser and the reference read an input differently.
public struct Disagreement: Equatable, Sendable, CustomStringConvertible {
    /// What differs, in words common to all inputs with one defect: `takes for a date: no GMT at the end`.
    public let kind: String
    /// What the parser read.
    public let parser: String
    /// What the reference read.
    public let reference: String
    /// The section that decides it.
    public let section: String

    /// A disagreement.
    public init(_ kind: String, parser: String, reference: String, section: String) {
        self.kind = kind
        self.parser = parser
        self.reference = reference
        self.section = section
    }

    /// Both readings and the section, on one line.
    public var description: String { "\(kind): the parser reads \(parser), the reference \(reference) (\(section))" }
}

func inWords(_ value: some Any) -> String { "\(value)" }

func inWords(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }

/// What differs between two readings. `difference` says how two values do.
func compare<Value: Equatable>(
    _ read: Value?, _ expected: Value?, _ name: String, _ refused: String, _ section: String,
    difference: (Value, Value) -> String
) -> [Disagreement] {
    guard read != expected else { return [] }
    let kind =
        switch (read, expected) {
        case (let read?, let expected?): "reads otherwise \(name): \(difference(read, expected))"
        case (nil, _): "refuses \(name)"
        case (_, nil): "accepts \(refused)"
        }
    return [
        Disagreement(
            kind, parser: read.map { inWords($0) } ?? "nothing", reference: expected.map { inWords($0) } ?? "nothing",
            section: section)
    ]
}

/// A field value has no whitespace at its ends (RFC 9110, section 5.5), so that the grammar says nothing about it.
/// Kinds that are only there with it are marked.
func markingWhitespace(around bytes: [UInt8], _ judge: ([UInt8]) -> [Disagreement]) -> [Disagreement] {
    let found = judge(bytes)
    let value = trimWhitespace(bytes.indices, of: bytes)
    guard !found.isEmpty, value.count < bytes.count else { return found }
    let inside = Set(judge(Array(bytes[value])).map(\.kind))
    return found.map {
        inside.contains($0.kind)
            ? $0
            : Disagreement(
                "whitespace around the value: \($0.kind)", parser: $0.parser, reference: $0.reference,
                section: "RFC 9110, section 5.5")
    }
}
