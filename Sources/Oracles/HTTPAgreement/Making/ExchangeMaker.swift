import HTTPSemantics

/// Makes requests and responses with the fields that affect caching, and their times.
package struct ExchangeMaker {
    /// Sat, 21 Nov 2026 00:00:00 GMT: all times are near this one.
    package static let noon: Int64 = 1_795_219_200

    package var maker: InputMaker

    package init(seed: UInt64) { maker = InputMaker(seed: seed) }

    /// `count` exchanges, for use in pairs.
    package mutating func exchanges(_ count: Int) -> [Exchange] {
        (0..<count).map { _ in
            let policies = RequestPolicy.allCases
            let policy = maker.chance(75) ? .useProtocolCachePolicy : policies[maker.below(policies.count)]
            return Exchange(request(), policy: policy, response(), readAt: Self.noon)
        }
    }

    package mutating func request() -> HTTPRequest {
        let method = maker.chance(85) ? "GET" : pick(["HEAD", "POST", "DELETE", "OPTIONS", "get", ""])
        var fields = HTTPFields()
        if maker.chance(40) { add("Cache-Control", list(Self.requestDirectives), to: &fields) }
        if maker.chance(10) { add("Pragma", pick(["no-cache", "NO-CACHE", "x, no-cache", "x"]), to: &fields) }
        if maker.chance(4) { add("If-None-Match", "\"a\"", to: &fields) }
        if maker.chance(2) { add("If-Match", "\"a\"", to: &fields) }
        if maker.chance(2) { add("If-Modified-Since", "Sat, 21 Nov 2026 00:00:00 GMT", to: &fields) }
        if maker.chance(4) { add("Range", "bytes=0-1", to: &fields) }
        let scheme = maker.chance(80) ? "https" : "http"
        return HTTPRequest(method: method, url: "\(scheme)://example.org/", headerFields: fields)
    }

    package mutating func response() -> HTTPResponse {
        let statuses = [
            203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 404, 405, 410, 414, 418, 500, 501, 503, 100, 0, 600,
        ]
        var fields = HTTPFields()
        if maker.chance(70) { add("Cache-Control", list(Self.responseDirectives), to: &fields) }
        if maker.chance(70) { add("Date", date(around: 0, by: 100), to: &fields) }
        if maker.chance(30) { add("Expires", date(around: 500, by: 1000), to: &fields) }
        if maker.chance(40) { add("Last-Modified", date(around: -100_000, by: 100_000), to: &fields) }
        if maker.chance(30) { add("Age", maker.chance(80) ? number(200) : pick(Self.oddAges), to: &fields) }
        if maker.chance(40) { add("ETag", pick(["\"a\"", "W/\"b\"", "bare", ""]), to: &fields) }
        if maker.chance(15) {
            add("Vary", pick(["Accept", "accept, Cookie", "*", "a, *", "a b", "", ","]), to: &fields)
        }
        if maker.chance(5) { add("Cache-Control", list(Self.responseDirectives), to: &fields) }
        if maker.chance(5) { add("Expires", date(around: 0, by: 1000), to: &fields) }
        if maker.chance(5) { add("Content-Range", pick(["bytes 0-1/4", "x", ""]), to: &fields) }
        return HTTPResponse(
            status: maker.chance(70) ? 200 : statuses[maker.below(statuses.count)], headerFields: fields)
    }

    /// A response that takes seconds and is judged up to some hours later; in one case of fifty near the bounds of
    /// Int64.
    package mutating func times() -> Exchange.Times {
        let response = Self.noon + Int64(maker.below(100))
        var times = Exchange.Times(
            request: response - Int64(maker.below(30)) + 3, response: response, now: response - 10)
        times.now += Int64(maker.chance(60) ? maker.below(300) : maker.below(40_000))
        guard maker.chance(2) else { return times }
        let ends: [Int64] = [.min, .max, 0, -1, .max - 1]
        switch maker.below(3) {
        case 0: times.request = ends[maker.below(ends.count)]
        case 1: times.response = ends[maker.below(ends.count)]
        default: times.now = ends[maker.below(ends.count)]
        }
        return times
    }

    private mutating func add(_ name: HTTPFields.Name, _ value: String, to fields: inout HTTPFields) {
        fields.fields.append(HTTPFields.Field(name: name, value: value))
    }

    private mutating func date(around offset: Int, by spread: Int) -> String {
        guard maker.chance(92) else { return pick(Self.oddDates) }
        return HTTPDate.format(Self.noon + Int64(offset + maker.below(2 * spread) - spread))
    }

    /// Up to three directives, whose numbers are small or unusual.
    private mutating func list(_ directives: [String]) -> String {
        var members: [String] = []
        for _ in 0...maker.below(3) {
            var member = maker.chance(5) ? "x=\"" : pick(directives)
            if member.last == "=" { member += maker.chance(92) ? number(600) : pick(Self.oddNumbers) }
            members.append(member)
        }
        return members.joined(separator: ", ")
    }

    private mutating func number(_ limit: Int) -> String { "\(maker.below(limit))" }

    private mutating func pick(_ choices: [String]) -> String { choices[maker.below(choices.count)] }

    private static let requestDirectives = [
        "max-age=", "min-fresh=", "max-stale=", "max-stale", "no-cache", "no-store", "only-if-cached",
        "stale-if-error=",
        "max-age=", "min-fresh=", "max-stale=", "max-stale=", "max-stale=", "x",
    ]
    private static let responseDirectives = [
        "max-age=", "max-age=", "max-age=", "max-age=", "s-maxage=", "public", "private", "no-cache", "no-store",
        "must-revalidate",
        "must-understand", "immutable", "stale-while-revalidate=", "stale-if-error=",
        "proxy-revalidate", "x",
        "stale-while-revalidate=", "stale-if-error=", "public",
    ]
    private static let oddNumbers = ["", "-1", "a", "\"60\"", "99999999999", "60.0"]
    private static let oddAges = ["7200, 0", "7200.0", "-1", "old", "99999999999", "", ", 50", "0"]
    private static let oddDates = [
        "0", "-1", "", "Sun, 06 Nov 1994 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
    ]
}
