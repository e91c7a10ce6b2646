import HTTPSemantics
import Testing

@Suite("Age") struct AgeTests {
    @Test(
        "the first member counts, if it is a number of seconds",
        arguments: [
            ("0", .seconds(0)), ("7200", .seconds(7200)), ("7200, 0", .seconds(7200)), ("007", .seconds(7)),
            (" 5 ", .seconds(5)), (", 5", .seconds(5)), ("5,", .seconds(5)), ("5, old", .seconds(5)),
            ("2147483648", .maximum), ("2147483649", .maximum), ("99999999999999999999", .maximum),
            ("7200.0", .invalid),
            ("-1", .invalid), ("old", .invalid), ("", .invalid), (",", .invalid), ("+5", .invalid), ("5 5", .invalid),
            ("\"5\"", .invalid), ("old, 5", .invalid), ("0x5", .invalid), ("5;", .invalid), ("\u{661}", .invalid),
        ] as [(String, DeltaSeconds)])
    func parse(text: String, expected: DeltaSeconds) {
        #expect(Age.parse(ContiguousArray(text.utf8).span.bytes) == expected)
        #expect(Age.parse(["Age": text]) == expected)
        #expect(ResponseFieldValues(["Age": text], now: 0).age == expected)
    }

    @Test(
        "of several lines the first member counts",
        arguments: [
            (["7200", "0"], .seconds(7200)), (["", "5"], .seconds(5)), (["old", "5"], .invalid),
            ([",", "5, 6"], .seconds(5)),
            ([], .absent), ([""], .invalid),
        ] as [([String], DeltaSeconds)])
    func lines(lines: [String], expected: DeltaSeconds) {
        let fields = HTTPFields(lines.map { HTTPFields.Field(name: "age", value: $0) })
        #expect(Age.parse(fields) == expected)
        #expect(ResponseFieldValues(fields, now: 0).age == expected)
    }
}

@Suite("Expires") struct ExpiresTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "an Expires is a date, or invalid, never absent",
        arguments: [
            (date, .at(784_111_777)), ("Sunday, 06-Nov-94 08:49:37 GMT", .at(784_111_777)),
            ("Sun Nov  6 08:49:37 1994", .at(784_111_777)), ("0", .invalid), ("-1", .invalid), ("", .invalid),
            ("Sun, 06 Nov 1994 08:49:37 UTC", .invalid), ("Sun, 06 Nov 1994 08:49:37 +0000", .invalid),
            ("\(date), \(date)", .invalid), ("\"\(date)\"", .invalid), ("never", .invalid),
            (" \(date)\t", .at(784_111_777)),
        ] as [(String, FieldDate)])
    func parse(value: String, expected: FieldDate) throws {
        let now: Int64 = 1_795_233_600
        #expect(FieldDate(["expires": value], "Expires", now: now) == expected)
        #expect(ResponseFieldValues(["EXPIRES": value], now: now).expires == expected)
        let block = Array("Expires:\(value)\r\n".utf8)
        #expect(try ResponseFieldValues.parse(ContiguousArray(block).span.bytes, now: now).expires == expected)
    }

    @Test("of two lines the first counts, and without a line the field is absent") func lines() {
        let fields: HTTPFields = ["Expires": "0", "expires": Self.date]
        #expect(FieldDate(fields, "Expires", now: 0) == .invalid)
        #expect(ResponseFieldValues(fields, now: 0).expires == .invalid)
        let reversed: HTTPFields = ["Expires": Self.date, "expires": "0"]
        #expect(ResponseFieldValues(reversed, now: 0).expires == .at(784_111_777))
        #expect(ResponseFieldValues(["Date": Self.date], now: 0).expires == .absent)
        #expect(FieldDate(["Date": Self.date], "Expires", now: 0) == .absent)
    }
}

@Suite("Pragma") struct PragmaTests {
    @Test(
        "no-cache is found among the directives",
        arguments: [
            ("no-cache", true), ("No-Cache", true), ("x, no-cache", true), ("no-cache, x=\"y\"", true),
            ("no-cache=1", true),
            ("x=\"no-cache\"", false), ("no-cache2", false), ("", false), ("no-store", false),
            ("x=\"a, no-cache\"", false),
        ])
    func parse(text: String, isNoCache: Bool) {
        #expect(Pragma.isNoCache(ContiguousArray(text.utf8).span.bytes) == isNoCache)
        #expect(Pragma.isNoCache(["pragma": text]) == isNoCache)
        #expect(ResponseFieldValues(["Pragma": text], now: 0).isPragmaNoCache == isNoCache)
    }
}

@Suite("Content-Length") struct ContentLengthTests {
    @Test(
        "a length is digits, or the same digits several times",
        arguments: [
            ("0", 0), ("1234", 1234), ("0042", 42), ("42, 42", 42), ("42,042", 42), (" 42 ", 42),
            ("9223372036854775806", 9_223_372_036_854_775_806), ("9223372036854775807", nil),
            ("99999999999999999999", nil),
            ("", nil), ("42, 43", nil), ("42,", nil), (",42", nil), ("-1", nil), ("+1", nil), ("1.0", nil),
            ("0x10", nil),
            ("1 2", nil), ("\"1\"", nil), ("1e3", nil), ("many", nil),
        ] as [(String, Int64?)])
    func parse(text: String, bytes: Int64?) {
        let expected = bytes.map { ContentLength(rawValue: $0) } ?? .invalid
        #expect(ContentLength.parse(ContiguousArray(text.utf8).span.bytes) == expected)
        #expect(ResponseFieldValues(["Content-Length": text], now: 0).contentLength == expected)
    }

    @Test(
        "a number of seconds keeps its raw value: absent, invalid, or the seconds up to the largest",
        arguments: [
            (-1, -1, nil), (-2, -2, nil), (-3, -2, nil), (.min, -2, nil), (0, 0, 0), (60, 60, 60),
            (1 << 31, 1 << 31, 1 << 31), (1 << 31 + 1, 1 << 31, 1 << 31), (.max, 1 << 31, 1 << 31),
        ] as [(Int64, Int64, Int64?)])
    func rawSeconds(raw: Int64, kept: Int64, seconds: Int64?) {
        let value = DeltaSeconds(rawValue: raw)
        #expect(value.rawValue == kept && value.seconds == seconds && value.isPresent == (kept != -1))
    }

    @Test("lines that differ are no length") func lines() {
        func length(_ values: String...) -> ContentLength {
            ResponseFieldValues(
                HTTPFields(values.map { HTTPFields.Field(name: "Content-Length", value: $0) }), now: 0
            ).contentLength
        }
        #expect(length() == .absent)
        #expect(length("5", "5") == ContentLength(rawValue: 5))
        #expect(length("5", "6") == .invalid)
        #expect(length("5", "6", "6") == .invalid)
        #expect(length("x", "6") == .invalid)
        #expect(length("6", "x", "6") == .invalid)
    }
}
