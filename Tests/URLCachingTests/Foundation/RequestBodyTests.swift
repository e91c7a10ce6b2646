import HTTPCache
import Testing

@testable import URLCaching

@Suite struct RequestBodyTests {
    @Test(
        "a stream has the length that its request announces, if that is one",
        arguments: [("5", 5), ("0", 0), ("-5", nil), ("x", nil), (nil, nil)] as [(String?, Int64?)])
    func length(field: String?, length: Int64?) throws {
        var request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        request.httpBodyStream = InputStream(data: Data("hello".utf8))
        request.setValue(field, forHTTPHeaderField: "Content-Length")
        guard case .stream(_, length) = RequestBody(request) else {
            Issue.record("another length, or no stream")
            return
        }
    }

    @Test("a stream that cannot be read, or was read before, is an error") func errors() async throws {
        let missing = InputStreamBody(try #require(InputStream(fileAtPath: "/nowhere/to/be/found")))
        await #expect(throws: (any Error).self) { try await missing.next() }
        let stream = InputStream(data: Data("hello".utf8))
        let first = InputStreamBody(stream)
        #expect(try await first.next() == Array("hello".utf8))
        #expect(try await first.next() == nil)
        await #expect(throws: URLError.self) { try await InputStreamBody(stream).next() }
    }
}
