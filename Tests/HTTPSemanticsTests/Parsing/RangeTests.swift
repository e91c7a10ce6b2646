import HTTPSemantics
import Testing

@Suite("Range") struct ByteRangeTests {
    @Test(
        "one range in bytes is read",
        arguments: [
            ("bytes=0-499", .closed(first: 0, last: 499)), ("bytes=500-999", .closed(first: 500, last: 999)),
            ("bytes=-500", .suffix(500)), ("bytes=9500-", .from(9500)), ("bytes=0-0", .closed(first: 0, last: 0)),
            ("BYTES=0-", .from(0)), ("bytes=007-0009", .closed(first: 7, last: 9)), ("bytes=-0", .suffix(0)),
            ("bytes=,1-2,", .closed(first: 1, last: 2)), ("bytes= 1-2 ", .closed(first: 1, last: 2)),
            ("bytes=9223372036854775807-", .from(.max)), ("bytes=9223372036854775808-", .from(.max)),
            ("bytes=0-99999999999999999999999", .closed(first: 0, last: .max)),
            ("bytes=-99999999999999999999999", .suffix(.max)),
        ] as [(String, ByteRange)])
    func valid(text: String, expected: ByteRange) {
        #expect(ByteRange.parse(text) == expected)
    }

    @Test(
        "what is not one range in bytes is nil",
        arguments: [
            "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=5-4", "bytes=1-2,3-4",
            "bytes=--1",
            "bytes=1--2", "bytes=+1-2", "bytes=1-2x", "bytes 1-2", "bytes =1-2", "byte=1-2", "bytess=1-2", "items=1-2",
            "bytes=0x1-2", "bytes=1 - 2", "bytes=1-2;3-4", "bytes:1-2", "=1-2", "bytes=1-2,x", "bytes=1.0-2",
        ])
    func invalid(text: String) {
        #expect(ByteRange.parse(text) == nil)
    }

    @Test(
        "a list gives its ranges up to the first invalid one",
        arguments: [
            ("bytes=0-499, -500", [.closed(first: 0, last: 499), .suffix(500)], false),
            ("bytes=1-2,, 3-", [.closed(first: 1, last: 2), .from(3)], false), ("bytes=", [], true),
            ("x=1-2", [], true),
            ("bytes=1-2, 5-4, 7-8", [.closed(first: 1, last: 2)], true),
            ("bytes=1-2,", [.closed(first: 1, last: 2)], false),
            ("", [], true),
        ] as [(String, [ByteRange], Bool)])
    func list(text: String, expected: [ByteRange], isMalformed: Bool) {
        let bytes = Array(text.utf8)
        var ranges = ByteRangeList()
        var read: [ByteRange] = []
        while let range = ranges.next(in: ContiguousArray(bytes).span.bytes) { read.append(range) }
        #expect(read == expected)
        #expect(ranges.isMalformed == isMalformed)
    }
}

@Suite("Content-Range") struct ContentRangeTests {
    @Test(
        "the part and the whole are read",
        arguments: [
            ("bytes 42-1233/1234", 42...1233, 1234), ("bytes 42-1233/*", 42...1233, nil), ("bytes */1234", nil, 1234),
            ("bytes 0-0/1", 0...0, 1), ("BYTES 0-499/0500", 0...499, 500), ("bytes */0", nil, 0),
            (
                "bytes 0-9223372036854775805/9223372036854775806", 0...9_223_372_036_854_775_805,
                9_223_372_036_854_775_806
            ),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func valid(text: String, positions: ClosedRange<Int64>?, completeLength: Int64?) {
        #expect(ContentRange.parse(text) == ContentRange(positions: positions, completeLength: completeLength))
    }

    @Test(
        "what does not fit together is nil",
        arguments: [
            "", "bytes", "bytes ", "bytes */*", "bytes 0-499", "bytes 0-499/", "bytes /500", "bytes 5-4/10",
            "bytes 0-500/500",
            "bytes 0-0/0", "bytes=0-499/500", "bytes  0-499/500", "bytes 0-499 /500", "bytes 0-499/ 500",
            "bytes 0 -499/500",
            "bytes -499/500", "bytes 0-/500", "bytes 0-499/500/600", "bytes 0-499/x", "bytes 0-499/-1", "items 0-1/2",
            "bytes 0-499/500, bytes 0-1/2", "bytes 0--1/2", "bytes +0-1/2", "bytes *-1/2", "bytes **/2",
            "bytes 0-1/9223372036854775807", "bytes 0-99999999999999999999/*", "bytes */99999999999999999999",
        ])
    func invalid(text: String) {
        #expect(ContentRange.parse(text) == nil)
    }
}

@Suite("If-Range") struct IfRangeTests {
    private let now: Int64 = 1_795_233_600

    @Test("an If-Range is a tag or a date in any of the three formats") func valid() {
        let tag = IfRange.parse(ContiguousArray("\"a\"".utf8).span.bytes, now: now)
        #expect(tag == .entityTag(EntityTag(isWeak: false, opaqueTag: FieldRange(offset: 0, count: 3))))
        let weak = IfRange.parse(ContiguousArray("W/\"a\"".utf8).span.bytes, now: now)
        #expect(weak == .entityTag(EntityTag(isWeak: true, opaqueTag: FieldRange(offset: 2, count: 3))))
        for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(IfRange.parse(ContiguousArray(date.utf8).span.bytes, now: now) == .date(784_111_777))
        }
    }

    @Test(
        "anything else is nil",
        arguments: ["", "a", "*", "\"a", "\"a\", \"b\"", "Sun, 06 Nov 1994 08:49:37 UTC", "0", "784111777", "w/\"a\""])
    func invalid(text: String) {
        #expect(IfRange.parse(ContiguousArray(text.utf8).span.bytes, now: now) == nil)
    }
}
