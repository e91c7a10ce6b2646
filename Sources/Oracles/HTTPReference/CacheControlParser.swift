/// A reader of `Cache-Control` fields.
public protocol CacheControlParser {
    /// Which of the directives in ``Reference/CacheControl/names`` the parser knows; the others are not compared. By
    /// default all of them.
    var directives: Set<String> { get }

    /// Reads a field value: the directives in
    /// ``Reference/CacheControl/flags``, and those with a number in ``Reference/CacheControl/numbers``.
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

    /// Where the parser differs from RFC 9111, section 5.2, on this input, at most once for each directive; takes time
    /// linear in the length. The field names of `no-cache` and `private` are not compared.
    ///
    /// Numbers from 2^31 - 1 on are equal (RFC 9111, section 1.2.2). Where `max-age` or `s-maxage` stands twice or has
    /// no number, 0 and an argument that is no number are right, too: the response is then stale (section 4.2.1). Other
    /// kinds of a number that stands twice end with `, of several`.
    ///
    /// The RFC does not say what is meant by a field outside the grammar (RFC 9110, section 5.6.1), nor by an argument
    /// of a directive that takes none. Kinds then begin with `in a malformed field`, or name the directive `with an
    /// argument`. Nor has a field value whitespace at its ends (RFC 9110, section 5.5): kinds that are only due to it
    /// begin with `whitespace around the value`.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        markingWhitespace(around: bytes, disagreementsInside)
    }

    private func disagreementsInside(_ bytes: [UInt8]) -> [Disagreement] {
        let (read, expected) = (parse(bytes), Reference.CacheControl(parsing: bytes))
        let count = Reference.CacheControl.counts(in: bytes)
        let form = Reference.CacheControl.form(of: bytes)
        let place = expected.malformed || form.isOutsideGrammar ? "in a malformed field " : ""
        return directives.sorted().compactMap { name in
            let (one, other) = (read.state(of: name), expected.state(of: name))
            let isRepeated = count[name, default: 0] > 1 && expected.number(name) != .absent
            guard one.text != other.text else { return nil }
            let isLifetime = ["max-age", "s-maxage"].contains(name)
            if isLifetime, isRepeated || expected.number(name) == .invalid, read.isStale(name) { return nil }
            let isZero = expected.number(name) == .invalid && read.number(name) == .number(0)
            let kind =
                one.kind == other.kind
                ? "another number of seconds" : "\(isZero ? "0" : one.kind) in the place of \(other.kind)"
            let argument = form.argued.contains(name) ? " with an argument" : ""
            return Disagreement(
                "\(place)\(name)\(argument): \(kind)\(isRepeated ? ", of several" : "")", parser: one.text,
                reference: other.text, section: "RFC 9111, section 5.2")
        }
    }
}

extension Reference.CacheControl {
    /// How often each directive stands in a field value.
    fileprivate static func counts(in bytes: [UInt8]) -> [String: Int] {
        ListMembers(of: bytes).ranges.reduce(into: [:]) { counts, member in
            let name = bytes[member].prefix { $0 != 0x3D && $0 != 0x3B && !isWhitespace($0) }
            counts[lowercasedString(bytes, name.indices), default: 0] += 1
        }
    }

    /// Whether a member is not a name, or one with an argument; and which of the directives that take no argument stand
    /// there with one, and nowhere without.
    fileprivate static func form(of bytes: [UInt8]) -> (isOutsideGrammar: Bool, argued: Set<String>) {
        var isOutsideGrammar = false
        var (argued, bare): (Set<String>, Set<String>) = ([], [])
        for range in ListMembers(of: bytes, directives: names).ranges {
            let member = Member(bytes, range, directives: names)
            var reader = Reader(bytes, range)
            let isNamed = reader.readToken() != nil && (reader.isAtEnd || reader.peek == 0x3D)
            if !isNamed || member.argument == .unreadable { isOutsideGrammar = true }
            if member.argument == .none { bare.insert(member.name) } else { argued.insert(member.name) }
        }
        return (isOutsideGrammar, argued.intersection(withoutArgument).subtracting(bare))
    }

    /// Any argument of `immutable` has to be ignored (RFC 8246, section 2), so that is not one of them.
    private static let withoutArgument: Set<String> = [
        "must-revalidate", "must-understand", "no-store", "no-transform", "only-if-cached", "proxy-revalidate",
        "public",
    ]

    /// Whether a lifetime says that the response is stale at once.
    fileprivate func isStale(_ name: String) -> Bool { [.invalid, .number(0)].contains(number(name)) }

    /// What is said about one directive: in general, and in full.
    fileprivate func state(of name: String) -> (kind: String, text: String) {
        switch number(name) {
        case .number(let seconds): ("a number", "\(min(seconds, Int64(Int32.max)))")
        case .invalid: ("an argument that is no number", "an argument that is no number")
        case .absent: has(name) ? ("a directive", "a directive") : ("nothing", "nothing")
        }
    }
}
