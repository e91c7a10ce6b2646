import HTTPSemantics
import Testing

/// 21 November 2026, 04:00.
private let now: Int64 = 1_795_233_600

@Suite("Field block") struct FieldBlockTests {
    private let response = """
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        Server: nginx\r
        cache-control: public\r
        Cache-Control: max-age=60\r
        ETag: W/"abc"\r
        ETag: "second"\r
        Last-Modified: Sun, 06 Nov 1994 08:49:36 +0000\r
        Expires: 0\r
        Expires: Sun, 06 Nov 1994 08:49:37 GMT\r
        Vary:Accept-Encoding \r
        Vary: \tAccept\t\r
        Content-Length: 42\r
        Content-Location: /other\r
        Location: /new\r
        Accept-Ranges: none, Bytes\r
        Content-Range: bytes 0-41/100\r
        Pragma: no-cache\r
        Age: 7, 8\r
        Set-Cookie: a=b\r
        X-Empty:\r
        \r
        body: not a field\r

        """

    @Test("a block gives the values a cache reads") func values() throws {
        let bytes = Array(response.utf8)
        let values = try ResponseFieldValues.parse(ContiguousArray(bytes).span.bytes, now: now)
        #expect(values.date == .at(784_111_777))
        #expect(values.hasCacheControl)
        #expect(values.cacheControl.directives == .public)
        #expect(values.cacheControl.maxAge == .seconds(60))
        #expect(values.hasEntityTag)
        #expect(values.entityTag?.isWeak == true)
        #expect(values.entityTag?.opaqueTag.text(in: ContiguousArray(bytes).span.bytes) == "\"abc\"")
        #expect(values.places.entityTag.text(in: ContiguousArray(bytes).span.bytes) == "W/\"abc\"")
        #expect(values.lastModified == .invalid)
        #expect(
            values.places.lastModified.text(in: ContiguousArray(bytes).span.bytes) == "Sun, 06 Nov 1994 08:49:36 +0000")
        #expect(values.expires == .invalid)
        #expect(values.vary == .names)
        #expect(values.places.vary.text(in: ContiguousArray(bytes).span.bytes) == "Accept-Encoding")
        #expect(values.contentLength.bytes == 42)
        #expect(values.places.contentLocation.text(in: ContiguousArray(bytes).span.bytes) == "/other")
        #expect(values.places.location.text(in: ContiguousArray(bytes).span.bytes) == "/new")
        #expect(values.acceptsByteRanges)
        #expect(values.contentRange == ContentRange(positions: 0...41, completeLength: 100))
        #expect(values.hasContentRange)
        #expect(values.isPragmaNoCache)
        #expect(values.age == .seconds(7))
    }

    @Test("a block gives the places of all names and values, repeated fields joined in order when asked for")
    func lines() throws {
        let bytes = Array(response.utf8)
        let block = try FieldBlock(parsing: ContiguousArray(bytes).span.bytes, now: now)
        #expect(block.lines.count == 20)
        #expect(block.values == (try ResponseFieldValues.parse(ContiguousArray(bytes).span.bytes, now: now)))
        #expect(block.byteCount == bytes.count - "body: not a field\r\n".utf8.count)
        #expect(block.lines[1].name.text(in: ContiguousArray(bytes).span.bytes) == "Server")
        #expect(block.lines[1].value.text(in: ContiguousArray(bytes).span.bytes) == "nginx")
        #expect(block.value(of: "vary", in: ContiguousArray(bytes).span.bytes) == "Accept-Encoding, Accept")
        #expect(block.value(of: "CACHE-CONTROL", in: ContiguousArray(bytes).span.bytes) == "public, max-age=60")
        #expect(block.value(of: "x-empty", in: ContiguousArray(bytes).span.bytes) == "")
        #expect(block.value(of: "body", in: ContiguousArray(bytes).span.bytes) == nil)
    }

    @Test("fields made from a block say the same as the block") func fields() throws {
        let bytes = Array(response.utf8)
        let block = try FieldBlock(parsing: ContiguousArray(bytes).span.bytes, now: now)
        var values = ResponseFieldValues(block.fields(in: ContiguousArray(bytes).span.bytes), now: now)
        values.places = block.values.places
        values.entityTag = block.values.entityTag
        #expect(values == block.values)
    }

    @Test(
        "a name that no field can have is not taken for one that it resembles",
        arguments: [
            "Cache\rControl", "Age\u{0}", "\u{0}Age", "Age\u{0}\u{0}", "Cache-Control\u{0}", "Content-Location\u{0}",
            "",
        ])
    func hostileNames(name: String) {
        let fields = HTTPFields([HTTPFields.Field(name: HTTPFields.Name(name), value: "5")])
        #expect(ResponseFieldValues(fields, now: now) == ResponseFieldValues())
    }

    @Test("a second block is read in the first one's place, and one that is refused leaves nothing")
    func reuse() throws {
        var block = FieldBlock()
        try block.parse(ContiguousArray(response.utf8).span.bytes, now: now)
        try block.parse(ContiguousArray("A: b\r\n".utf8).span.bytes, now: now)
        #expect(block.lines.count == 1)
        #expect(block.values == ResponseFieldValues())
        #expect(block.byteCount == 6)
        #expect(throws: FieldBlockError.self) {
            try block.parse(ContiguousArray("A: b\r\nC".utf8).span.bytes, now: now)
        }
        #expect(block.lines.isEmpty)
        #expect(block.byteCount == 0)
    }

    @Test(
        "names and values are found whatever stands around them",
        arguments: [
            ("", []), ("\r\n", []), ("A:\r\n", ["A", ""]), ("A: \t \r\n", ["A", ""]), ("A:b", nil),
            ("A:b\r\n", ["A", "b"]),
            ("A: b c \r\n", ["A", "b c"]), ("A: :b\r\n", ["A", ":b"]), ("A::\r\n", ["A", ":"]),
            ("1: 2\r\n", ["1", "2"]),
            ("!#$%&'*+-.^_`|~: x\r\n", ["!#$%&'*+-.^_`|~", "x"]), ("A: é\r\n", ["A", "é"]),
            ("A: \u{1}\u{7F}\r\n", ["A", "\u{1}\u{7F}"]),
            ("Eight-by: x\r\n", ["Eight-by", "x"]), ("Exactly-Sixteen-: x\r\n", ["Exactly-Sixteen-", "x"]),
            ("Sevente-en-Bytes-: x\r\n", ["Sevente-en-Bytes-", "x"]), ("A: b\tc\r\n", ["A", "b\tc"]),
            ("A: b\r\nC: d\r\n\r\nE: f", ["A", "b", "C", "d"]), ("A: b\u{B}\u{C}c\r\n", ["A", "b\u{B}\u{C}c"]),
        ] as [(String, [String]?)])
    func shapes(text: String, expected: [String]?) {
        let bytes = Array(text.utf8)
        let block = try? FieldBlock(parsing: ContiguousArray(bytes).span.bytes, now: now)
        let read = block?.lines.flatMap {
            [$0.name.text(in: ContiguousArray(bytes).span.bytes), $0.value.text(in: ContiguousArray(bytes).span.bytes)]
        }
        #expect(read == expected)
    }

    @Test(
        "known fields are found in any case and no other name is taken for one",
        arguments: [
            "Cache-Control", "Date", "Expires", "Last-Modified", "Age", "ETag", "Vary", "Content-Length",
            "Content-Range",
            "Location", "Content-Location", "Accept-Ranges", "Pragma",
        ])
    func knownNames(name: String) throws {
        func values(_ name: String) throws -> ResponseFieldValues {
            // A value that has an effect in every field.
            try ResponseFieldValues.parse(ContiguousArray("\(name): bytes, no-cache\r\n".utf8).span.bytes, now: now)
        }
        #expect(try values(name) != ResponseFieldValues())
        #expect(try values(name.uppercased()) == values(name))
        #expect(try values(name.lowercased()) == values(name))
        for other in [name + "s", String(name.dropFirst()), String(name.dropLast()), "X-" + name, name + "-" + name] {
            #expect(try values(other) == ResponseFieldValues(), "\(other)")
        }
        for place in 0..<name.utf8.count {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array("\(name): bytes, no-cache\r\n".utf8)
                let original = bytes[place]
                let isLetter = (0x41...0x5A).contains(original & 0xDF)
                if byte == original || isLetter && byte == original ^ 0x20 { continue }
                bytes[place] = byte
                let read = try? ResponseFieldValues.parse(ContiguousArray(bytes).span.bytes, now: now)
                if let read, byte != UInt8(ascii: ":") {
                    #expect(read == ResponseFieldValues(), "byte \(place) of \(name) as \(byte)")
                }
            }
        }
    }
}

@Suite("Refused field blocks") struct FieldBlockRefusalTests {
    @Test(
        "what a block must not contain is refused with its reason and its offset",
        arguments: [
            ("A: b\r\n c\r\n", .lineFolding, 6), ("A: b\r\n\tc\r\n", .lineFolding, 6), (" A: b\r\n", .lineFolding, 0),
            ("A: b\r\n \r\n", .lineFolding, 6), ("A: b\rc\r\n", .bareCarriageReturn, 4),
            ("A: b\r\r\n", .bareCarriageReturn, 4), ("A: b\nB: c\r\n", .bareLineFeed, 4), ("A: b\n", .bareLineFeed, 4),
            ("A: b\n\r\n", .bareLineFeed, 4), ("A: b\u{0}\r\n", .nul, 4), ("A:\u{0}\r\n", .nul, 2),
            ("A\u{0}: b\r\n", .nul, 1), ("\u{0}", .nul, 0), ("A : b\r\n", .nameByte(0x20), 1),
            ("A\t: b\r\n", .nameByte(0x09), 1), ("A B: c\r\n", .nameByte(0x20), 1), (": b\r\n", .emptyName, 0),
            ("A: b\r\n: c\r\n", .emptyName, 6), ("Abc\r\n", .missingColon, 0),
            ("A: b\r\nHTTP/1.1 200\r\n", .nameByte(0x2F), 10),
            ("A: b", .unterminatedLine, 4), ("A: b\r", .bareCarriageReturn, 4), ("A", .unterminatedLine, 1),
            ("A:", .unterminatedLine, 2), ("A: b\r\n\r", .bareCarriageReturn, 6), ("\r", .bareCarriageReturn, 0),
            ("\rA: b\r\n", .bareCarriageReturn, 0), ("\nA: b\r\n", .bareLineFeed, 0),
            ("A\r: b\r\n", .bareCarriageReturn, 1),
            ("Cache\rControl: no-store\r\n", .bareCarriageReturn, 5), ("A\n: b\r\n", .bareLineFeed, 1),
            ("Ä: b\r\n", .nameByte(0xC3), 0), ("A\": b\r\n", .nameByte(0x22), 1), ("A(: b\r\n", .nameByte(0x28), 1),
            ("A\u{7F}: b\r\n", .nameByte(0x7F), 1), ("A{}: b\r\n", .nameByte(0x7B), 1),
            ("A[: b\r\n", .nameByte(0x5B), 1),
            ("A@: b\r\n", .nameByte(0x40), 1), ("A\u{1}: b\r\n", .nameByte(0x01), 1),
            ("Long-Name-Here,: b\r\n", .nameByte(0x2C), 14),
            ("A-Name-Of-Twenty/Bytes: b\r\n", .nameByte(0x2F), 16), ("Cache-Control\u{0}: no-store\r\n", .nul, 13),
            ("0123456789\rabc: d\r\n", .bareCarriageReturn, 10),
        ] as [(String, FieldBlockError.Reason, Int)])
    func refused(text: String, reason: FieldBlockError.Reason, offset: Int) throws {
        let error = #expect(throws: FieldBlockError.self) {
            try FieldBlock(parsing: ContiguousArray(text.utf8).span.bytes, now: now)
        }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.description.hasPrefix("field block, byte \(offset): ") == true)
        #expect(error?.description.contains("; ") == true, "no remedy")
        let same = #expect(throws: FieldBlockError.self) {
            try ResponseFieldValues.parse(ContiguousArray(text.utf8).span.bytes, now: now)
        }
        #expect(same == error)
    }

    @Test(
        "a block may be as large as its limits and no larger",
        arguments: [
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 8), nil), ("A: b\r\n\r\nbody", FieldBlockLimits(bytes: 8), nil),
            ("A: b\r\n", FieldBlockLimits(bytes: 6), nil),
            ("A: b\r\nC: d\r\n", FieldBlockLimits(bytes: 11), .tooManyBytes(limit: 11)),
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 7), .tooManyBytes(limit: 7)),
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 6), .tooManyBytes(limit: 6)),
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 5), .tooManyBytes(limit: 5)),
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 3), .tooManyBytes(limit: 3)),
            ("A: b\r\n\r\n", FieldBlockLimits(bytes: 1), .tooManyBytes(limit: 1)),
            ("A: b\r\n", FieldBlockLimits(bytes: 0), .tooManyBytes(limit: 0)),
            ("A: b\r\n", FieldBlockLimits(bytes: -5), .tooManyBytes(limit: -5)),
            ("", FieldBlockLimits(bytes: -5), nil),
            ("A: b\r\n", FieldBlockLimits(lineBytes: 4), nil),
            ("A: b \r\n", FieldBlockLimits(lineBytes: 4), .lineTooLong(limit: 4)),
            ("A: b\r\nC: d\r\n", FieldBlockLimits(lines: 2), nil),
            ("A: b\r\nC: d\r\n", FieldBlockLimits(lines: 1), .tooManyLines(limit: 1)),
            ("\r\n", FieldBlockLimits(lines: 0), nil),
            ("A: b\r\n", FieldBlockLimits(lines: -1), .tooManyLines(limit: -1)),
        ] as [(String, FieldBlockLimits, FieldBlockError.Reason?)])
    func limits(text: String, limits: FieldBlockLimits, reason: FieldBlockError.Reason?) {
        do {
            _ = try FieldBlock(parsing: ContiguousArray(text.utf8).span.bytes, now: now, limits: limits)
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
        }
    }
}
