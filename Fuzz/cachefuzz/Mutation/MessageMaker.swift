import HTTPAgreement
import HTTPSemantics

/// Makes the field lines of messages, `Name: value`, that belong together: a request's conditions are about the
/// response's validators, and its fields are those that `Vary` names.
struct MessageMaker {
    typealias Line = [UInt8]

    var exchanges: ExchangeMaker

    init(seed: UInt32) { exchanges = ExchangeMaker(seed: UInt64(seed)) }

    mutating func below(_ limit: Int) -> Int { exchanges.maker.below(limit) }

    mutating func chance(_ percent: Int) -> Bool { exchanges.maker.chance(percent) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    mutating func damage(_ line: inout Line) {
        exchanges.maker.mutate(&line)
        line.removeAll { $0 == 0x0A || $0 == 0x0D }
    }

    mutating func url() -> String { pick(Self.urls) }

    // MARK: Fields

    mutating func request() -> [Line] { Self.lines(exchanges.request().headerFields) }

    mutating func response() -> [Line] { Self.lines(exchanges.response().headerFields) + (chance(10) ? [place()] : []) }

    /// A URL that an answer outdates besides the requested one.
    mutating func place() -> Line {
        Self.line(pick(["Location", "Content-Location", "location"]), pick(Self.places))
    }

    /// A request's fields that refer to those of a stored response.
    mutating func fields(about response: [Line]) -> [Line] {
        let tag = Self.value("etag", in: response)
        let date = Self.value("last-modified", in: response) ?? Self.value("date", in: response)
        switch below(7) {
        case 0: return [Self.line("If-None-Match", tags(around: tag))]
        case 1: return [Self.line("If-Modified-Since", moment(near: date))]
        case 2:
            // The tag decides, whatever the date says.
            return [
                Self.line("If-None-Match", tags(around: tag)), Self.line("If-Modified-Since", moment(near: date)),
            ]
        case 3: return [Self.line("Range", pick(Self.ranges))]
        case 4:
            let condition = chance(50) ? tags(around: tag) : moment(near: date)
            return [Self.line("Range", pick(Self.ranges)), Self.line("If-Range", condition)]
        case 5:
            let names = (Self.value("vary", in: response) ?? "A").split(separator: ",").map { $0.filter { $0 != " " } }
            return names.prefix(3).map { Self.line($0, pick(["", "1", "2", "1, 2", "en;q=0.5, de"])) }
        default: return request()
        }
    }

    /// The stored tag, weak or strong, alone or in a list, or another one.
    private mutating func tags(around tag: String?) -> String {
        guard let tag, chance(80) else { return pick(["*", "\"other\"", "\"other\", W/\"more\"", "", "bare"]) }
        let bare = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
        switch below(4) {
        case 0: return "\"other\", \(tag)"
        case 1: return "W/" + bare
        case 2: return bare
        default: return tag
        }
    }

    /// The date itself, or one of a second, a minute or a day before or after it.
    private mutating func moment(near date: String?) -> String {
        let known = date.flatMap { HTTPDate.parse($0, now: ExchangeMaker.noon) } ?? ExchangeMaker.noon
        guard known.magnitude < 1 << 36 else { return "x" }
        return HTTPDate.format(known + pick([0, 0, 1, -1, 60, -60, 86_400, -86_400]))
    }

    // MARK: Lines

    static func line(_ name: String, _ value: String) -> Line { Array("\(name): \(value)".utf8) }

    static func lines(_ fields: HTTPFields) -> [Line] { fields.fields.map { line($0.name.rawName, $0.value) } }

    static func name(of line: Line) -> [UInt8] { Array(line.prefix { $0 != 0x3A }).lowercased }

    /// The first value of a field; the name in small letters.
    static func value(_ name: String, in lines: [Line]) -> String? {
        lines.first { Self.name(of: $0).elementsEqual(name.utf8) }
            .map { String(decoding: Array($0.drop { $0 != 0x3A }.dropFirst()).trimmed, as: UTF8.self) }
    }

    /// The numbers in the lines' values, at most ten digits each.
    static func numbers(in lines: [Line]) -> [Int64] {
        lines.flatMap { line in
            line.drop { $0 != 0x3A }.split { !(0x30...0x39 ~= $0) }.filter { $0.count <= 10 }
                .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private static let urls = [
        "https://example.org/", "http://example.org/", "https://example.org/a/b?c", "https://example.org:8080/",
        "http://EXAMPLE.org:80/x", "https://[::1]/", "https://user@example.org/", "example:x",
    ]
    private static let places = [
        "/1", "/2?q", "", "x", "../y/./z", "?q", "#f", "//example.org/3", "https://example.org/1",
        "https://example.org:443/2", "https://example.org:8443/1", "http://example.org/1", "https://other.example/1",
        "https://user@example.org/1",
    ]
    private static let ranges = [
        "bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=-2000", "bytes=3-5", "bytes=7-", "bytes=8-", "bytes=9-",
        "bytes=0-7", "bytes=0-8", "bytes=6-99", "bytes=999-", "bytes=1000-", "bytes=1001-", "bytes=0-999",
        "bytes=0-1000", "bytes=0-1,4-5", "bytes=5-3", "items=0-1", "BYTES=0-1",
    ]
}
