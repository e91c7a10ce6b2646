@testable import HTTPSemantics
import Testing

@Suite("Stored facts as bytes") struct StoredFactsBytesTests {
    static let responses = [
        "", "Cache-Control: max-age=60\nETag: \"x\"", "Cache-Control: no-cache, must-revalidate, immutable",
        "Expires: Fri, 31 Dec 9999 23:59:59 GMT\nDate: {-100}\nAge: 99999999999", "Vary: a\nLast-Modified: {-1000}",
        "Cache-Control: stale-while-revalidate=99999999999, stale-if-error=1\nDate: Sun, 06 Nov 1994 08:49:37 GMT",
    ]

    @Test("what was encoded is decoded", arguments: responses, [200, 404, 599])
    func whatWasEncodedIsDecoded(fields: String, status: Int) throws {
        let facts = stored(fields, status: status)
        #expect(facts.encoded.count == StoredFacts.encodedSize)
        #expect(facts.encoded.withUnsafeBytes { StoredFacts(decoding: $0) } == facts)
        let unaligned = [0xFF] + facts.encoded + [0xFF]
        let decoded = unaligned.withUnsafeBytes { StoredFacts(decoding: .init(rebasing: $0.dropFirst())) }
        #expect(decoded == facts)
    }

    @Test("the form is the documented one") func theFormIsTheDocumentedOne() {
        var facts = stored("Cache-Control: max-age=3600, stale-while-revalidate=30\nETag: \"x\"\nAge: 5\nDate: {-2}")
        let form: [UInt8] = [
            0x00, 0xD2, 0x49, 0x6B, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x0E, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 0, 0,
            0,
            0, 0x04, 0x10, 200, 0, 0xFE, 0xFF, 0xFF, 0xFF,
        ]
        #expect(facts.encoded == form)
        facts = stored("Cache-Control: stale-if-error=258", status: 404)
        #expect(Array(facts.encoded[28..<36]) == [2, 1, 0, 0, 0x20, 0x10, 0x94, 1])
    }

    @Test("too few bytes are no facts", arguments: 0..<StoredFacts.encodedSize)
    func tooFewBytesAreNoFacts(count: Int) {
        let bytes = Array(stored("Cache-Control: max-age=60").encoded.prefix(count))
        #expect(bytes.withUnsafeBytes { StoredFacts(decoding: $0) } == nil)
    }

    @Test(
        "bytes that break a rule of the form are no facts",
        arguments: [
            // offset, byte that breaks a rule
            (15, 0x80), (23, 0x80), (27, 0x81), (31, 0xFF), (32, 0x80), (33, 0x11), (33, 0x00), (33, 0x20), (33, 0x18),
            (34, 199), (35, 0xFF),
        ] as [(Int, UInt8)])
    func bytesThatBreakARule(offset: Int, byte: UInt8) {
        var bytes = stored("").encoded
        bytes[offset] = byte
        #expect(bytes.withUnsafeBytes { StoredFacts(decoding: $0) } == nil)
    }

    @Test("any bytes give nothing, or facts that are the same again when encoded and decoded, and no trap")
    func anyBytesGiveNothingOrFacts() {
        var state: UInt64 = 0x5EED
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32
        }
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = stored("Cache-Control: max-age=60").encoded
            for _ in 0..<next() % 8 { bytes[Int(next() % 40)] = UInt8(truncatingIfNeeded: next()) }
            guard let facts = bytes.withUnsafeBytes({ StoredFacts(decoding: $0) }) else { continue }
            accepted += 1
            #expect(facts.encoded == bytes)
            #expect(facts.initialAge >= 0 && facts.lifetime >= 0)
            _ = Reuse.decide(RequestFacts(), facts, now: .min)
            _ = Reuse.decide(RequestFacts(), facts, now: .max)
            _ = facts.generatedAt
        }
        #expect(accepted > 1_000)
    }
}
