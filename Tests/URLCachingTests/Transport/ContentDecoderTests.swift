import HTTPSemantics
import LoopbackOrigin
import Testing

@testable import CurlTransport

@Suite("Decoder of content codings") struct ContentDecoderTests {
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
