import HTTPSemantics
import Testing

@testable import CurlTransport

@Suite struct ResponseHeadReaderTests {
    private static func read(_ lines: [String], limit: Int) throws -> (status: Int?, fields: Int) {
        var reader = ResponseHeadReader(limit: limit, isHead: false, expectsContinue: false)
        for line in lines { _ = try Array("\(line)\r\n".utf8).withUnsafeBytes { try reader.read($0) } }
        return (reader.response?.status, reader.response?.headerFields.fields.count ?? 0)
    }

    private static func response(_ lines: String..., isHead: Bool = false) throws -> HTTPResponse? {
        var reader = ResponseHeadReader(limit: 1_000, isHead: isHead, expectsContinue: false)
        for line in lines + [""] { _ = try Array("\(line)\r\n".utf8).withUnsafeBytes { try reader.read($0) } }
        return reader.response
    }

    @Test("one usable Content-Length is left, or none (RFC 9112, section 6.3)") func lengths() throws {
        for (text, length) in [("5", "5"), ("05", "5"), ("5, 5", "5"), ("0", "0")] {
            #expect(
                try Self.response("HTTP/1.1 200 OK", "Content-Length: \(text)")?.headerFields["Content-Length"]
                    == length)
        }
        let both = try Self.response("HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked")
        #expect(both?.headerFields["Content-Length"] == nil && both != nil)
    }

    @Test("a body that cannot be framed is refused, unless there is none") func framing() throws {
        for field in ["Content-Length: x", "Content-Length: 5, 6", "Transfer-Encoding: gzip, chunked"] {
            #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response("HTTP/1.1 200 OK", field) }
            #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response("HTTP/1.1 404 No", field) }
            #expect(try Self.response("HTTP/1.1 200 OK", field, isHead: true) != nil)
            for status in [204, 304] { #expect(try Self.response("HTTP/1.1 \(status) No", field)?.status == status) }
        }
        for field in ["Transfer-Encoding: chunked", "Transfer-Encoding: , CHUNKED ,", "Transfer-Encoding: identity"] {
            #expect(try Self.response("HTTP/1.1 200 OK", field) != nil)
        }
    }

    @Test("a status has three digits, the first not 0, and does not change the protocol") func statuses() throws {
        for line in ["HTTP/1.1 200", "HTTP/2 200 ", "HTTP/1.0 200 Fine Indeed"] {
            #expect(try Self.response(line)?.status == 200)
        }
        for line in ["HTTP/1.1 099 No", "HTTP/1.1 20 No", "HTTP/1.1 2000", "HTTP/1.1 2x0", "HTTP/1.1", "ICY 200 OK"] {
            #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response(line) }
        }
        #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response("HTTP/1.1 101 Switching Protocols") }
        #expect(try Self.response("HTTP/1.1 100 Continue") == nil)
    }

    @Test("a folded line goes on with a space (RFC 9112, section 5.2), and blanks around a value go")
    func folding() throws {
        let fields = try Self.response("HTTP/1.1 200 OK", "A: \t1 ", " 2", "\t\t3\t", "B:4")?.headerFields
        #expect(fields == ["A": "1 2 3", "B": "4"])
        #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response("HTTP/1.1 200 OK", " folded") }
        for line in ["no colon", ": no name", "na me: x", "name : x"] {
            #expect(throws: ResponseHeadReader.Malformed.self) { try Self.response("HTTP/1.1 200 OK", line) }
        }
    }

    @Test("a hundred thousand folded lines take no longer each than a few") func manyFolds() throws {
        let count = 100_000
        var reader = ResponseHeadReader(limit: 1 << 20, isHead: false, expectsContinue: false)
        func read(_ line: String) throws -> Bool {
            try Array("\(line)\r\n".utf8).withUnsafeBytes { try reader.read($0) }
        }
        _ = try read("HTTP/1.1 200 OK")
        _ = try read("A: x")
        for _ in 0..<count { _ = try read(" x") }
        #expect(try read(""))
        #expect(reader.response?.headerFields["A"]?.utf8.count == 2 * count + 1)
    }

    @Test("behind a 417 to Expect, another answer takes its place until it is settled, and a trailer does not")
    func provisional() throws {
        var reader = ResponseHeadReader(limit: 1_000, isHead: false, expectsContinue: true)
        func read(_ lines: String...) throws -> Bool {
            try lines.map { try Array("\($0)\r\n".utf8).withUnsafeBytes { try reader.read($0) } }.contains(true)
        }
        #expect(try read("HTTP/1.1 417 No", "") && reader.isProvisional)
        #expect(try !read("Trailer: x", "") && reader.response?.status == 417)
        #expect(try read("HTTP/1.1 200 OK", "") && reader.response?.status == 200 && !reader.isProvisional)
        reader = ResponseHeadReader(limit: 1_000, isHead: false, expectsContinue: true)
        #expect(try read("HTTP/1.1 417 No", ""))
        reader.settle()
        #expect(try !reader.isProvisional && !read("HTTP/1.1 200 OK", "") && reader.response?.status == 417)
    }

    @Test("the bound counts the bytes of interim answers, of the header and of trailers together") func bound() throws {
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
