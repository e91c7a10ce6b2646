/// One way in which a parser and the reference read an input differently.
public struct Disagreement: Equatable, Sendable, CustomStringConvertible {
    /// What differs, in the words that all inputs of one defect have in common: `takes for a date: no GMT at the end`.
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

/// The result of a reader in a few words.
func inWords(_ value: some Any) -> String { "\(value)" }

/// Bytes in quotes.
func inWords(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }
