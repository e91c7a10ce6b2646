import HTTPSemantics
import Testing

/// Field values as bytes (RFC 9110, section 5.5).
@Suite("Field values as bytes") struct FieldBytesTests {
    @Test("UTF-8 reads as it is written, and other bytes as escapes") func text() {
        #expect(field(Array("caf\u{E9} \u{1F600}".utf8)).value == "caf\u{E9} \u{1F600}")
        #expect(field([0x22, 0xE9, 0x22]).value == "\"\u{10FFE9}\"")
        #expect(field([]).value == "")
    }

    @Test("a value that looks like an escape is not taken for one") func escapeInValue() {
        let bytes = Array("\u{10FFE9}".utf8)
        #expect(field(bytes).value != "\u{10FFE9}")
        #expect(field(bytes).valueBytes == bytes)
    }

    @Test("any bytes survive", arguments: 0..<64)
    func anyBytes(seed: UInt64) {
        var state = seed
        // Lead bytes, continuation bytes and bytes of escapes are more frequent than others.
        let likely: [UInt8] = [
            0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF4, 0x8F, 0xBE, 0xBF, 0x80, 0xED, 0xA0, 0x61, 0xF0, 0x9F,
        ]
        for _ in 0..<200 {
            let bytes = (0..<Int(seed % 17 + 1)).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let pick = Int(state >> 33)
                return pick.isMultiple(of: 4) ? UInt8(truncatingIfNeeded: pick >> 2) : likely[pick % likely.count]
            }
            #expect(field(bytes).valueBytes == bytes)
        }
    }

    @Test("long values of one kind take time that grows with their length", arguments: [0x61, 0xE9, 0xF4] as [UInt8])
    func longValues(byte: UInt8) {
        let bytes = [UInt8](repeating: byte, count: 1 << 16)
        #expect(field(bytes).valueBytes == bytes)
    }

    private func field(_ bytes: [UInt8]) -> HTTPFields.Field { HTTPFields.Field(name: "X", valueBytes: bytes) }
}
