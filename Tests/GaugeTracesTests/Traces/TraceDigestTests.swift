import Testing

@testable import GaugeTraces

@Suite("Digest of a trace") struct TraceDigestTests {
    @Test(
        "its text has eight digits, and gives the digest again",
        arguments: ["00000000", "00000001", "0000abcd", "0fffffff", "10000000", "ffffffff"])
    func width(digits: String) throws {
        let digest = try #require(TraceDigest(text: "crc32c:\(digits)", count: 7))
        #expect(digest.text == "crc32c:\(digits)" && digest.count == 7)
        #expect(TraceDigest(text: digits, count: 7) == nil && TraceDigest(text: "crc32c:1\(digits)", count: 7) == nil)
    }

    @Test("that of a text is known, and one of two files differs from those of both, and with their order")
    func known() {
        func digest(_ text: String) -> TraceDigest {
            var digest = TraceDigest()
            Array(text.utf8).withUnsafeBytes { digest.add($0) }
            return digest
        }
        // RFC 3720, B.4, and the check value of CRC-32C.
        #expect(digest("123456789").text == "crc32c:e3069283" && digest("").text == "crc32c:00000000")
        let (one, other) = (digest("1"), digest("2"))
        let both = TraceDigest(of: [one, other])
        #expect(both.count == 2 && Set([one, other, both, TraceDigest(of: [other, one])].map(\.text)).count == 4)
        #expect(TraceDigest(of: [one]).text == one.text)
    }
}
