import HTTPReference
import Testing

/// Checks the reference by examples from the RFCs, worked out by hand.
@Suite struct HTTPReferenceTests {
    /// Sat, 21 Nov 2026 00:00:00 GMT.
    static let now: Int64 = 1_795_219_200

    @Test(
        "a date means these seconds",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sUN, 06 nOV 1994 08:49:37 gmt", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Friday, 20-Nov-76 00:00:00 GMT", 3_373_056_000),
            ("Saturday, 21-Nov-76 00:00:00 GMT", 3_373_142_400), ("Saturday, 21-Nov-76 00:00:01 GMT", 217_382_401),
            ("Monday, 06-Dec-76 00:00:00 GMT", 218_678_400),
        ] as [(String, Int64)])
    func aDateMeansTheseSeconds(text: String, seconds: Int64) {
        #expect(Reference.HTTPDate.parse(Array(text.utf8), now: Self.now) == seconds)
    }

    @Test(
        "a text that has not one of the three formats is not a date",
        arguments: [
            "", "0", "-1", "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Thu, 31 Nov 1994 00:00:00 GMT", "Thu, 29 Feb 2001 00:00:00 GMT",
            "Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 00 Nov 1994 00:00:00 GMT", "Sat, 31 Dec 2016 22:59:60 GMT",
            " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun Nov 6 08:49:37 1994",
        ])
    func thisIsNoDate(text: String) {
        #expect(Reference.HTTPDate.parse(Array(text.utf8), now: Self.now) == nil)
    }

    @Test("every month begins the day after the one before ends") func everyMonthBeginsTheDayAfterTheOneBeforeEnds() {
        var days: Int64 = -719_528
        for year in 0...9999 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                // The first and the last day of a month determine all days between them.
                for day in [1, length] {
                    let seconds = (days + Int64(day) - 1) * 86_400
                    let text = Reference.HTTPDate.format(seconds).map { String(decoding: $0, as: UTF8.self) } ?? ""
                    let date = "\(day < 10 ? "0" : "")\(day) \(Self.months[month]) \(String(10_000 + year).dropFirst())"
                    guard text.hasSuffix(", \(date) 00:00:00 GMT"),
                        Reference.HTTPDate.parse(Array(text.utf8), now: 0) == seconds
                    else {
                        Issue.record("day \(day) of month \(month + 1) of \(year) is written \(text)")
                        return
                    }
                }
                days += Int64(length)
            }
        }
        #expect(days == 2_932_897)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    @Test(
        "max-age is read as written",
        arguments: [
            ("max-age=3600", .number(3600)), ("MAX-AGE=3600", .number(3600)), (",,max-age=3600,", .number(3600)),
            ("max-age=\"3600\"", .number(3600)), ("max-age=1, x=\"max-age=9\"", .number(1)),
            ("x=\"a\\\"b, no-store\", max-age=5", .number(5)), ("max-age =60", .invalid), ("max-age= 60", .invalid),
            ("max-age=-1", .invalid), ("max-age=60.0", .invalid), ("max-age=60a", .invalid), ("max-age='60'", .invalid),
            ("max-age=+60", .invalid), ("max-age=", .invalid), ("max-age", .invalid), ("max-age=003600", .number(3600)),
            ("max-age=99999999999", .number(1 << 31)), ("max-age=99999999999999999999999", .number(1 << 31)),
            ("max-age=9, max-age=1", .number(9)), ("max-age:60", .absent), ("a;max-age=5", .absent),
            ("x=\"a, max-age=5", .absent),
        ] as [(String, Reference.Seconds)])
    func maxAgeIsReadAs(text: String, expected: Reference.Seconds) {
        #expect(Reference.CacheControl(parsing: Array(text.utf8)).number("max-age") == expected)
    }

    @Test("quotes hide directives and unclosed ones are noticed") func quotesHideDirectivesAndUnclosedOnesAreNoticed() {
        let hidden = Reference.CacheControl(parsing: Array("x=\"a\\\"b, no-store\", max-age=5".utf8))
        #expect(!hidden.has("no-store") && !hidden.malformed)
        let unclosed = Reference.CacheControl(parsing: Array("max-age=5, x=\"a, no-store".utf8))
        #expect(unclosed.malformed && unclosed.number("max-age") == .number(5))
        let listed = Reference.CacheControl(parsing: Array("no-cache=\"Set-Cookie\"".utf8))
        #expect(listed.has("no-cache") && listed.fieldLists["no-cache"] == 10..<20)
    }

    @Test(
        "Age is read as written",
        arguments: [
            ("7200, 0", 7200), ("7200.0", nil), ("-1", nil), ("old", nil), ("2147483649", 1 << 31), (" 7 ,", 7),
            ("", nil),
        ] as [(String, Int64?)])
    func ageIsReadAs(text: String, expected: Int64?) {
        #expect(Reference.age(Array(text.utf8)) == expected)
    }

    @Test(
        "Vary is read as written",
        arguments: [
            ("Accept, *", .any), ("accept,ACCEPT", .names(["accept", "accept"])), ("a b", .invalid), (" ,", .names([])),
        ] as [(String, Reference.Vary)])
    func varyIsReadAs(text: String, expected: Reference.Vary) {
        #expect(Reference.Vary.parse(Array(text.utf8)) == expected)
    }

    @Test(
        "Range is read as written",
        arguments: [
            ("bytes=0-499", .bytes([.from(0, through: 499)])),
            ("bytes=-5, 9-", .bytes([.last(5), .from(9, through: nil)])),
            ("bytes=5-4", .invalid), ("bytes=", .invalid), ("pages=1", .otherUnit),
        ] as [(String, Reference.RangeField)])
    func rangeIsReadAs(text: String, expected: Reference.RangeField) {
        #expect(Reference.RangeField.parse(Array(text.utf8)) == expected)
    }

    /// Examples of the freshness rules of the specification, some seconds after receipt.
    @Test(
        "a stored response is used as the RFC says",
        arguments: [
            ("Cache-Control: max-age=100\r\nAge: 50", 48, .fresh),
            ("Cache-Control: max-age=100\r\nAge: 50", 53, .validate),
            ("Date: Fri, 20 Nov 2026 23:59:55 GMT\r\nLast-Modified: Fri, 20 Nov 2026 23:58:15 GMT", 4, .fresh),
            ("Date: Fri, 20 Nov 2026 23:59:55 GMT\r\nLast-Modified: Fri, 20 Nov 2026 23:58:15 GMT", 5, .validate),
            ("Expires: 0\r\nCache-Control: max-age=9", 5, .fresh), ("Expires: 0", 0, .validate),
            ("Cache-Control: max-age=9, no-cache", 0, .validate), ("Cache-Control: max-age=-1", 0, .validate),
            ("Cache-Control: max-age=9, stale-while-revalidate=5", 12, .staleWhileRevalidating),
            ("Cache-Control: max-age=9, stale-while-revalidate=5, must-revalidate", 12, .validate),
        ] as [(String, Int64, Reference.Reuse)])
    func aStoredResponseIsUsed(fields: String, resident: Int64, expected: Reference.Reuse) throws {
        let limits = Reference.FieldBlock.Limits(bytes: 1000, lineBytes: 1000, lines: 10)
        let block = try #require(
            Reference.FieldBlock.parse(Array("ETag: \"a\"\r\n\(fields)\r\n\r\n".utf8), limits: limits))
        let response = Reference.Response(status: 200, fields: block, responseTime: Self.now)
        let stored = Reference.StoredResponse(response, requestTime: Self.now, responseTime: Self.now)
        let request = Reference.Request(method: "GET", policy: .protocolDecides, fields: .init(fields: []))
        #expect(response.isStorable(for: request, isComplete: true))
        #expect(Reference.Reuse.decide(request, stored, now: Self.now + resident) == expected)
    }

    @Test(
        "a status that concerns one request is not stored, whatever its fields say",
        arguments: [(412, false), (416, false), (428, false), (429, false), (431, false), (511, false), (503, true)])
    func statuses(status: Int, isStored: Bool) {
        let field = Reference.FieldBlock.Field(name: Array("Cache-Control".utf8), value: Array("max-age=60".utf8))
        let response = Reference.Response(status: status, fields: .init(fields: [field]), responseTime: Self.now)
        let request = Reference.Request(method: "GET", policy: .protocolDecides, fields: .init(fields: []))
        #expect(response.isStorable(for: request, isComplete: true) == isStored)
    }
}
