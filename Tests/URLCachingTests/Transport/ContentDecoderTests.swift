import HTTPSemantics
import LoopbackOrigin
import Testing

@testable import CurlTransport

@Suite("Decoder of content codings") struct ContentDecoderTests {
    @Test("only a whole body of one known coding is decoded") func codings() {
        let decoded = ["gzip", "x-gzip", "deflate", "GZIP", "identity, gzip", " gzip ,", "gzip, identity"]
        for coding in decoded { #expect(Self.decodes(coding), "\(coding)") }
        let others = ["", "identity", "br", "gzip, gzip", "gzip, br", "deflate, gzip", "compress"]
        for coding in others { #expect(!Self.decodes(coding), "\(coding)") }
        #expect(!Self.decodes("gzip", status: 206))
    }

    @Test("bytes behind the end of a zlib stream are left out, whatever they are", arguments: [0x00, 0x1F, 0x78])
    func behindTheEnd(byte: UInt8) throws {
        var decoder = try #require(ContentDecoder(HTTPResponse(headerFields: ["Content-Encoding": "deflate"])))
        let hello: [UInt8] = [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 6, 0x2C, 2, 0x15]
        (hello + [byte, 1, 2]).withUnsafeBytes { decoder.append($0) }
        #expect(try decoder.decode(room: 100) == Array("hello".utf8) && !decoder.hasInput)
        try decoder.finish()
    }

    @Test("the header of a decoded body says nothing of the coded bytes") func header() {
        let coded = HTTPResponse(headerFields: [
            "Content-Encoding": "gzip", "Content-Length": "20", "Accept-Ranges": "bytes", "ETag": "\"a\"",
        ])
        #expect(coded.decoded.headerFields == ["Accept-Ranges": "none", "ETag": "\"a\""])
    }

    @Test("output that filled its room has more behind it, though all input was taken") func filledRoom() throws {
        var decoder = try #require(ContentDecoder(HTTPResponse(headerFields: ["Content-Encoding": "gzip"])))
        Self.zeros.withUnsafeBytes { decoder.append($0) }
        var count = 0
        while decoder.hasInput { count += try decoder.decode(room: 100).count }
        #expect(count == 58_568)
        #expect(throws: ContentDecoder.Failure.self) { try decoder.finish() }
    }

    /// A gzip file of zeros that breaks off behind a symbol that stands for 258 of them.
    private static let zeros: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5,
        0x4F, 0x6D, 0x0D, 0x0F, 0xA0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
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
