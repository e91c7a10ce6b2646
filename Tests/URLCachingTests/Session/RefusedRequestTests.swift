import HTTPSemantics
import Testing
import VirtualOrigin

@testable import URLCaching

/// What a session says to requests that it cannot send, and that nothing is sent for them.
@Suite(.timeLimit(.minutes(60))) struct RefusedRequestTests {
    @Test(
        "a request without an http URL that names a host is refused in words",
        arguments: [
            (nil, .badURL, "the request has no URL"),
            ("ftp://a/", .unsupportedURL, "ftp://a/ is neither http nor https; use URLSession for other schemes"),
            ("/a", .unsupportedURL, "/a is neither http nor https; use URLSession for other schemes"),
            ("http:///a", .badURL, "http:///a names no host"), ("HTTPS:/a", .badURL, "HTTPS:/a names no host"),
        ] as [(String?, URLError.Code, String)])
    func refused(text: String?, code: URLError.Code, words: String) async throws {
        let origin = VirtualOrigin { _ in .init(HTTPResponse()) }
        let bench = try SessionBench(transport: origin)
        var request = URLRequest(url: try #require(URL(string: text ?? "http://a.example/")))
        if text == nil { request.url = nil }
        let (session, refused) = (bench.session, request)
        let url = try #require(URL(string: "http://a.example/"))
        let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
        let errors = [
            await thrown { _ = try await session.data(for: refused) },
            await thrown { _ = try await session.bytes(for: refused) },
            await thrown { _ = try await session.resume(refused, after: 1, of: head) },
        ]
        #expect(errors.map(\.?.code) == [code, code, code])
        #expect(errors.map(\.?.localizedDescription) == [words, words, words])
        #expect(errors.map(\.?.failingURL?.absoluteString) == [text, text, text])
        #expect(origin.requests.isEmpty)
    }
}
