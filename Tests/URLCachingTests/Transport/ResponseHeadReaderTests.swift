import Testing

@testable import CurlTransport

@Suite struct ResponseHeadReaderTests {
    private static func read(_ lines: [String], limit: Int) throws -> (status: Int?, fields: Int) {
        var reader = ResponseHeadReader(limit: limit, isHead: false, expectsContinue: false)
        for line in lines { _ = try Array("\(line)\r\n".utf8).withUnsafeBytes { try reader.read($0) } }
        return (reader.response?.status, reader.response?.headerFields.fields.count ?? 0)
    }

    @Test("the bound counts the bytes of interim answers, of the header and of trailers together")
    func bound() throws {
        let interim = ["HTTP/1.1 103 Early Hints", "Link: a", ""]
        let final = ["HTTP/1.1 200 OK", "X: a", ""]
        let all = interim + interim + final + ["Trailer: b"]
        let bytes = all.reduce(0) { $0 + $1.utf8.count + 2 }
        #expect(try Self.read(all, limit: bytes) == (200, 1))
        #expect(throws: ResponseHeadReader.Malformed.self) { try Self.read(all, limit: bytes - 1) }
        let endless = Array(repeating: interim, count: 1_000).flatMap(\.self)
        #expect(throws: ResponseHeadReader.Malformed.self) { try Self.read(endless, limit: 10_000) }
    }
}
