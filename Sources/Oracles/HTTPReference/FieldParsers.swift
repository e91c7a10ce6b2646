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
        // The reference skips whitespace there, and the grammar has none.
        let hasSpace = bytes.firstIndex(of: 0x3D).map { $0 + 1 < bytes.count && isWhitespace(bytes[$0 + 1]) } ?? false
        return compare(
            parse(bytes), expected, hasSpace ? "ranges behind whitespace" : "ranges", refused, "RFC 9110, section 14.2")
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
    /// Where the parser differs from RFC 9110, section 12.5.5, on this input. Neither the order of names nor
    /// repetitions count.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
        let (read, expected) = (parse(bytes), Reference.Vary.parse(bytes))
        if case (.names(let names), .names(let others)) = (read, expected), Set(names) == Set(others) { return [] }
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
        return compare(
            parse(bytes), expected, "a block of fields" + (hasControl ? " with a control character" : ""),
            "a block with " + flaw, "RFC 9112, sections 2.1 and 5")
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
    /// Numbers from 2^31 - 1 on are equal (RFC 9111, section 1.2.2). Where `max-age` or `s-maxage` stands twice or has
    /// no number, 0 and an argument that is no number are right, too: the response is then stale (section 4.2.1). Other
    /// kinds of a number that stands twice end with `, of several`.
    ///
    /// The RFC does not say what is meant by a field outside the grammar (RFC 9110, section 5.6.1), nor by an argument of
    /// a directive that takes none. Kinds then begin with `in a malformed field`, or name the directive `with an
    /// argument`.
    public func disagreements(on bytes: [UInt8]) -> [Disagreement] {
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
        // The grammar allows two digits, and nobody writes them.
        if bytes.count == 24, bytes[8] == 0x30 { return name + " with a zero before the day" }
        let usual = forms(seconds)
        if usual.isEmpty || usual.contains(bytes) { return name }
        let isOtherCase = usual.map { $0.map(lowercase) }.contains(bytes.map(lowercase))
        return name + (isOtherCase ? " in letters of another case" : " with another day of the week")
    }

    /// The time as it is usually written in each of the three formats; empty outside the years 0 to 9999.
    private static func forms(_ seconds: Int64) -> [[UInt8]] {
        guard let fixed = format(seconds), let weekday = dayNames.firstIndex(of: Array(fixed[..<3])) else { return [] }
        let (day, month, year, time) = (fixed[5..<7], fixed[8..<11], fixed[12..<16], fixed[17..<25])
        let spacedDay = day.first == 0x30 ? [0x20] + day.suffix(1) : Array(day)
        let asctime = [Array(fixed[..<3]), Array(month), spacedDay, Array(time), Array(year)].joined(separator: [0x20])
        let date = [day, month, year.suffix(2)].joined(separator: [0x2D])
        return [fixed, Array(asctime), longDayNames[weekday] + [0x2C, 0x20] + date + [0x20] + time + [0x20] + gmt]
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
