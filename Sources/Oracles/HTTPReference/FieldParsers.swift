// The readers of fields to judge. Each method takes time linear in the length of its input.

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
    /// The sizes the parser accepts. The reference then accepts the same.
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
    /// A kind begins with `in a malformed field` if a quote is where the grammar has none: the RFC does not say what
    /// such a field means.
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

/// A reader of HTTP-dates.
public protocol HTTPDateParser {
    /// Reads a date.
    ///
    /// - Parameters:
    ///   - bytes: any bytes, of any length.
    ///   - now: the current time in seconds since 1970; decides the century of a two-digit year.
    /// - Returns: seconds since 1970; `nil` if the bytes are not an HTTP-date.
    func parse(_ bytes: [UInt8], now: Int64) -> Int64?
}

extension HTTPDateParser {
    /// Where the parser differs from RFC 9110, section 5.6.7, on this input; takes time linear in the length.
    ///
    /// RFC 9111, section 4.2, wants the case of letters ignored. The name of the day need not match the date.
    public func disagreements(on bytes: [UInt8], now: Int64) -> [Disagreement] {
        let (read, expected) = (parse(bytes, now: now), Reference.HTTPDate.parse(bytes, now: now))
        guard read != expected else { return [] }
        let kind: String =
            switch (read, expected) {
            case (_?, nil): "takes for a date: " + Reference.HTTPDate.flaw(of: bytes, now: now)
            case (nil, let seconds?): "refuses " + Reference.HTTPDate.form(of: bytes, seconds)
            case (_, let seconds?): "reads as another time " + Reference.HTTPDate.form(of: bytes, seconds)
            case (nil, nil): ""
            }
        return [
            Disagreement(
                kind, parser: read.map { "\($0)" } ?? "no date", reference: expected.map { "\($0)" } ?? "no date",
                section: "RFC 9110, section 5.6.7")
        ]
    }
}

extension Reference.HTTPDate {
    /// Which of the three formats a date has, and what is unusual about it.
    static func form(of bytes: [UInt8], _ seconds: Int64) -> String {
        let isFixed = bytes.count == 29 && bytes[3] == 0x2C
        let name = isFixed ? "an IMF-fixdate" : bytes.count == 24 ? "an asctime date" : "an RFC 850 date"
        let isLeapSecond = bytes.indices.contains { bytes[$0...].starts(with: [0x3A, 0x36, 0x30]) }
        if isLeapSecond { return name + " with a leap second" }
        guard isFixed, let usual = format(seconds), usual != bytes else { return name }
        let letters = bytes.map(lowercase)
        if letters == usual.map(lowercase) { return name + " in letters of another case" }
        return name + " with another day of the week"
    }

    /// Why the bytes are not a date: the first of several changes that turns them into one shows it.
    static func flaw(of bytes: [UInt8], now: Int64) -> String {
        func isDate(_ bytes: [UInt8]) -> Bool { parse(bytes, now: now) != nil }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return "a byte that is not printable ASCII" }
        if isDate(Array(bytes[trimWhitespace(0..<bytes.count, of: bytes)])) { return "spaces around it" }
        if isDate(collapsed(bytes)) { return "more than one space" }
        if isDate(bytes + Array(" GMT".utf8)) { return "no GMT at the end" }
        let words = bytes.split(separator: 0x20)
        if let zone = words.last, words.count > 1 {
            let rest = bytes.dropLast(zone.count)
            if isDate(rest + gmt) { return "another zone than GMT" }
        }
        for count in [29, 24] where bytes.count > count && isDate(Array(bytes[..<count])) {
            return "more text behind it"
        }
        if let comma = bytes.firstIndex(of: 0x2C),
            isDate(Array("Sun".utf8) + bytes[comma...])
                || isDate(Array("Sunday".utf8) + bytes[comma...])
        {
            return "another name of a day"
        }
        // With other numbers it would be one.
        if isDate(bytes.map { isDigit($0) ? 0x31 : $0 }) { return "a day or a time that there is not" }
        return "none of the three formats"
    }

    private static func collapsed(_ bytes: [UInt8]) -> [UInt8] {
        var single: [UInt8] = []
        for byte in bytes where byte != 0x20 || single.last != 0x20 { single.append(byte) }
        return single
    }
}

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
