import HTTPSemantics
import LoopbackOrigin
import Testing

@testable import CurlTransport

@Suite("Decoder of content codings") struct ContentDecoderTests {
    @Test("only a whole body of one known coding is decoded")
    func codings() {
        let decoded = ["gzip", "x-gzip", "deflate", "GZIP", "identity, gzip", " gzip ,", "gzip, identity"]
        for coding in decoded { #expect(Self.decodes(coding), "\(coding)") }
        let others = ["", "identity", "br", "gzip, gzip", "gzip, br", "deflate, gzip", "compress"]
        for coding in others { #expect(!Self.decodes(coding), "\(coding)") }
        #expect(!Self.decodes("gzip", status: 206))
    }

    @Test("the header of a decoded body says nothing of the coded bytes")
    func header() {
        let coded = HTTPResponse(headerFields: [
            "Content-Encoding": "gzip", "Content-Length": "20", "Accept-Ranges": "bytes", "ETag": "\"a\"",
        ])
        #expect(coded.decoded.headerFields == ["Accept-Ranges": "none", "ETag": "\"a\""])
    }

    @Test("output that filled its room has more behind it, though all input was taken")
    func filledRoom() throws {
        var decoder = try #require(ContentDecoder(HTTPResponse(headerFields: ["Content-Encoding": "gzip"])))
        Self.zeros.withUnsafeBytes { decoder.append($0) }
        var count = 0
        while decoder.hasInput { count += try decoder.decode(room: 1_000).count }
        #expect(count == 60_000)
        #expect(throws: ContentDecoder.Failure.self) { try decoder.finish() }
    }

    /// 60,000 zeros in a gzip file that breaks off behind its last compressed byte.
    private static let zeros: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5,
        0x4F, 0x6D, 0x0D, 0x0F, 0xA0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0xBE, 0x0C,
    ]

    private static func decodes(_ coding: String, status: Int = 200) -> Bool {
        ContentDecoder(HTTPResponse(status: status, headerFields: ["Content-Encoding": .init(coding)])) != nil
    }

    @Test("it decodes no more at once than there is room for", arguments: [1, 7, 59_999, 60_000, 1_000_000])
    func room(count: Int) throws {
        let body = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 / 100) }
        var decoder = try #require(ContentDecoder(HTTPResponse(headerFields: ["Content-Encoding": "gzip"])))
        gzip(body).withUnsafeBytes { decoder.append($0) }
        var decoded: [UInt8] = []
        while decoder.hasInput {
            let part = try decoder.decode(room: count)
            #expect(part.count <= count)
            decoded += part
        }
        try decoder.finish()
        #expect(decoded == body)
    }
}
