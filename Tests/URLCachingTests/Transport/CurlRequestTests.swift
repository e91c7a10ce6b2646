import HTTPCache
import HTTPSemantics
import Testing

@testable import CurlTransport

@Suite struct CurlRequestTests {
    private static func lines(
        _ fields: HTTPFields, method: String = "GET", body: RequestBody? = nil
    ) throws -> [String] {
        let request = HTTPRequest(method: method, url: "http://a.example/", headerFields: fields)
        return try CurlRequest(OutgoingRequest(request, body: body), defaults: DefaultLines(userAgent: "test")).lines
            .map { line in
                #expect(line.last == 0)
                return String(decoding: line.dropLast(), as: UTF8.self)
            }
    }

    private static let accepted = ContentDecoder.acceptEncoding.map { ["Accept-Encoding: \($0)"] } ?? []

    @Test("the lines are the request's fields in their order, then the usual ones in theirs") func order() throws {
        let lines = try Self.lines(["X-B": "1", "X-A": "2", "X-Empty": " ", "x-b": "3", "X-A": "4"])
        #expect(
            lines == ["X-B: 1", "X-A: 2", "X-Empty;", "x-b: 3", "X-A: 4", "Accept: */*"] + Self.accepted
                + ["User-Agent: test", "Expect:"])
    }

    @Test("a field of the request takes the place of the usual one, and stands where the request has it")
    func own() throws {
        let lines = try Self.lines(["user-agent": "me", "X-A": "1", "ACCEPT": "text/html", "Expect": "100-continue"])
        #expect(
            lines == ["user-agent: me", "X-A: 1", "ACCEPT: text/html", "Expect: 100-continue"] + Self.accepted)
    }

    @Test(
        "the codings that cannot be undone are taken out of Accept-Encoding",
        arguments: [
            ("br;q=1.0, gzip;q=0.9, deflate;q=0.8", "gzip;q=0.9, deflate;q=0.8"), ("gzip, br", "gzip"),
            ("br", "identity"), ("zstd , *;q=0", "identity"), ("GZIP;q=0", "GZIP;q=0"), ("identity", "identity"),
            ("x-gzip,, deflate", "x-gzip,, deflate"),
        ])
    func acceptedCodings(own: String, sent: String) throws {
        guard ContentDecoder.acceptEncoding != nil else { return }
        let lines = try Self.lines(["Accept-Encoding": own])
        #expect(lines.filter { $0.hasPrefix("Accept-Encoding") } == ["Accept-Encoding: \(sent)"])
    }

    @Test("a POST with a body has a Content-Type behind all others, and the fields that frame a body are left out")
    func body() throws {
        let fields: HTTPFields = ["Content-Length": "7", "X-A": "1", "transfer-encoding": "chunked"]
        let usual = ["X-A: 1", "Accept: */*"] + Self.accepted + ["User-Agent: test", "Expect:"]
        #expect(try Self.lines(fields, method: "POST") == usual)
        #expect(try Self.lines(fields, method: "PUT", body: .bytes([1])) == usual)
        #expect(
            try Self.lines(fields, method: "POST", body: .bytes([1]))
                == usual + ["Content-Type: application/x-www-form-urlencoded"])
    }
}
