import HTTPSemantics
import Testing

/// 21 November 2026.
private let now: Int64 = 1_795_233_600

@Suite struct FieldBlockTests {
    @Test(
        "what a block must not contain is refused with its reason and its offset",
        arguments: [
            ("A: b\r\n c\r\n", .lineFolding, 6), ("A: b\r\n\tc\r\n", .lineFolding, 6), (" A: b\r\n", .lineFolding, 0),
            ("A: b\rc\r\n", .bareCarriageReturn, 4), ("A: b\nB: c\r\n", .bareLineFeed, 4), ("A: b\n", .bareLineFeed, 4),
            ("A: b\u{0}\r\n", .nul, 4), ("A\u{0}: b\r\n", .nul, 1), ("A : b\r\n", .nameByte(0x20), 1),
            (": b\r\n", .emptyName, 0), ("Abc\r\n", .missingColon, 0), ("A: b", .unterminatedLine, 4),
            ("A: b\r", .bareCarriageReturn, 4), ("A", .unterminatedLine, 1), ("A: b\r\n\r", .bareCarriageReturn, 6),
            ("A\r: b\r\n", .bareCarriageReturn, 1), ("Cache\rControl: no-store\r\n", .bareCarriageReturn, 5),
            ("A\n: b\r\n", .bareLineFeed, 1), ("Ä: b\r\n", .nameByte(0xC3), 0), ("A\": b\r\n", .nameByte(0x22), 1),
        ] as [(String, FieldBlockError.Reason, Int)])
    func refused(text: String, reason: FieldBlockError.Reason, offset: Int) throws {
        let error = #expect(throws: FieldBlockError.self) {
            try FieldBlock(parsing: Array(text.utf8).span.bytes, now: now)
        }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }
}
