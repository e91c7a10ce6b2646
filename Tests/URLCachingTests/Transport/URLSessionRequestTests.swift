import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Testing

@testable import URLCaching

/// The requests that the transport over URLSession makes of those of the engine.
@Suite(.timeLimit(.minutes(60))) struct URLSessionRequestTests {
    private struct Context: URLSessionRequestContext {
        let request: URLRequest

        func answer(
            _ challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
    }

    private struct Unreadable: RequestBodyStream {
        func next() async throws -> [UInt8]? { nil }
    }

    private let transport = URLSessionTransport(.ephemeral, longestBacklog: 1 << 20)

    @Test("what the engine sends takes the place of all that the application's request says", arguments: [false, true])
    func replaced(hasOriginal: Bool) async throws {
        let origin = try LoopbackOrigin()
        origin.reply { OriginReply([("X-Method", $0.method)], body: $0.body) }
        var original = URLRequest(url: origin.url("/other"))
        original.httpMethod = "PATCH"
        original.httpBody = Data("other".utf8)
        original.setValue("1", forHTTPHeaderField: "X-Other")
        let request = HTTPRequest(
            method: "PUT", url: origin.base.replacing("http:", with: "HTTP:") + "/a", headerFields: ["X-Field": "a"])
        let incoming = try await transport.send(
            OutgoingRequest(
                request, body: .bytes(Array("text".utf8)), context: hasOriginal ? Context(request: original) : nil))
        #expect(incoming.response.headerFields["X-Method"] == "PUT")
        let received = try #require(origin.requests.first)
        #expect(received.path == "/a" && received.method == "PUT" && received.body == Array("text".utf8))
        #expect(received["X-Field"] == "a" && received["X-Other"] == nil)
    }

    @Test("a body of the application's request does not go out where the engine sends none")
    func withoutBody() async throws {
        let origin = try LoopbackOrigin()
        var original = URLRequest(url: origin.url("/a"))
        original.httpMethod = "POST"
        original.httpBody = Data("text".utf8)
        let request = HTTPRequest(method: "DELETE", url: origin.base + "/a")
        _ = try await transport.send(OutgoingRequest(request, context: Context(request: original)))
        #expect(origin.requests.map(\.method) == ["DELETE"] && origin.requests.map(\.body) == [[]])
    }

    @Test("an input stream is sent, and any other stream is refused with the remedy") func streams() async throws {
        let origin = try LoopbackOrigin()
        let request = HTTPRequest(method: "PUT", url: origin.base + "/a", headerFields: ["Content-Length": "4"])
        let stream = InputStreamBody(InputStream(data: Data("text".utf8)))
        _ = try await transport.send(OutgoingRequest(request, body: .stream(stream, length: 4)))
        #expect(origin.requests.map(\.body) == [Array("text".utf8)])
        let refused = OutgoingRequest(request, body: .stream(Unreadable(), length: nil))
        let error = await thrown { _ = try await transport.send(refused) }
        #expect(error?.code == .cannotOpenFile && error?.failingURL?.absoluteString == origin.base + "/a")
        #expect(
            error?.localizedDescription
                == "URLSession cannot send a RequestBodyStream; set the URLRequest's httpBodyStream")
        #expect(origin.count() == 1)
    }

    @Test("what is no URL is an error before anything is sent") func badURL() async {
        let refused = OutgoingRequest(HTTPRequest(url: "http://[x"))
        #expect(await thrown { _ = try await transport.send(refused) }?.code == .badURL)
    }
}
