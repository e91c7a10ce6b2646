/// A reader of `Cache-Control` fields that is to be judged.
public protocol CacheControlParser {
    /// The directives that the parser knows, of those in ``Reference/CacheControl/names``; the others are not compared.
    /// All of them, unless the parser says otherwise.
    var directives: Set<String> { get }

    /// Reads a field value: the directives in ``Reference/CacheControl/flags``, and those with a number in
    /// ``Reference/CacheControl/numbers``.
    func parse(_ bytes: [UInt8]) -> Reference.CacheControl
}

extension Reference.CacheControl {
    /// The directives that the reference knows (RFC 9111, section 5.2; RFC 5861; RFC 8246).
    public static let names: Set<String> = [
        "immutable", "max-age", "max-stale", "min-fresh", "must-revalidate", "must-understand", "no-cache", "no-store",
        "no-transform", "only-if-cached", "private", "proxy-revalidate", "public", "s-maxage", "stale-if-error",
        "stale-while-revalidate",
    ]
}

extension CacheControlParser {
    /// All directives that the reference knows.
    public var directives: Set<String> { Reference.CacheControl.names }

    /// Where the parser differs from RFC 9111, section 5.2, on this input, one for each directive at most; takes time
    /// linear in the length. The field names of `no-cache` and `private` are not compared.
    ///
    /// A kind begins with `in a malformed field` where a quote stands in a place that the grammar does not have: the RFC
    /// does not say what such a field means.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let (read, expected) = (parse(bytes), Reference.CacheControl(parsing: bytes))
        let place = expected.malformed ? "in a malformed field " : ""
        return directives.sorted().compactMap { name in
            let (one, other) = (read.state(of: name), expected.state(of: name))
            guard one.text != other.text else { return nil }
            let kind =
                one.kind == other.kind ? "another number of seconds" : "\(one.kind) in the place of \(other.kind)"
            return Disagreement(
                "\(place)\(name): \(kind)", parser: one.text, reference: other.text, section: "RFC 9111, section 5.2")
        }
    }
}

extension Reference.CacheControl {
    /// What is said about one directive: in general, and in full.
    fileprivate func state(of name: String) -> (kind: String, text: String) {
        switch number(name) {
        case .number(let seconds): ("a number", "\(seconds)")
        case .invalid: ("an argument that is no number", "an argument that is no number")
        case .absent: has(name) ? ("a directive", "a directive") : ("nothing", "nothing")
        }
    }
}
