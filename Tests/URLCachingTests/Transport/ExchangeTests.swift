import HTTPSemantics
import Testing

@testable import URLCaching

/// The parts of an exchange that the engine reads, by the events of URLSession.
@Suite struct ExchangeTests {
    private static let url = URL(string: "http://a.example/x")!

    private static func response(_ status: Int, _ fields: [String: String] = [:]) throws -> HTTPURLResponse {
        try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    }

    private static func exchange(longestBacklog: Int64 = 1 << 20) -> Exchange {
        Exchange(nil, longestBacklog: longestBacklog)
    }

    @Test("the first final answer is the answer: what is interim, comes later or is of another protocol is passed over")
    func firstFinalAnswer() async throws {
        let exchange = Self.exchange()
        exchange.receive(URLResponse(url: Self.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        exchange.receive(try Self.response(103, ["X-Number": "0"]))
        exchange.receive(try Self.response(199, ["X-Number": "1"]))
        exchange.receive(try Self.response(200, ["X-Number": "2"]))
        exchange.receive(try Self.response(404, ["X-Number": "3"]))
        exchange.receiveRedirection(try Self.response(302, ["X-Number": "4"]))
        exchange.complete(try Self.response(500, ["X-Number": "5"]), nil)
        let head = try await exchange.response()
        #expect(head.status == 200 && head.headerFields["X-Number"] == "2")
        #expect(try await exchange.next() == nil)
    }

    @Test("only a body that URLSession has decoded loses its coding and its length", arguments: ["identity", "GZip"])
    func decoded(coding: String) async throws {
        let exchange = Self.exchange()
        exchange.receive(try Self.response(200, ["Content-Encoding": coding, "Content-Length": "5"]))
        let fields = try await exchange.response().headerFields
        #expect(fields["Content-Encoding"] == (coding == "identity" ? "identity" : nil))
        #expect(fields["Content-Length"] == (coding == "identity" ? "5" : nil))
    }

    @Test("the parts of a body come in their order, then its end, and nothing that is told after the end")
    func parts() async throws {
        let exchange = Self.exchange()
        exchange.receive(try Self.response(200))
        for text in ["one", "two"] { exchange.receive(Data(text.utf8)) }
        exchange.receiveEnd()
        exchange.receive(Data("three".utf8))
        exchange.complete(nil, URLError(.networkConnectionLost))
        #expect(try await exchange.next() == Array("one".utf8))
        #expect(try await exchange.next() == Array("two".utf8))
        #expect(try await exchange.next() == nil)
    }

    @Test("a body that runs too far ahead ends with that error, behind the parts that fit")
    func tooFarAhead() async throws {
        let exchange = Self.exchange(longestBacklog: 300_000)
        exchange.receive(Data(count: 300_000))
        exchange.receive(Data(count: 1))
        exchange.receive(Data(count: 1))
        exchange.complete(nil, nil)
        #expect(try await exchange.next()?.count == 300_000)
        #expect(await thrown { _ = try await exchange.next() }?.code == .dataLengthExceedsMaximum)
    }

    @Test("an error ends the head that has not come, and the body behind a head that has") func errors() async throws {
        let (headless, broken) = (Self.exchange(), Self.exchange())
        headless.complete(try Self.response(200), URLError(.timedOut))
        #expect(await thrown { _ = try await headless.response() }?.code == .timedOut)
        broken.receive(try Self.response(201))
        broken.receive(Data("part".utf8))
        broken.complete(nil, URLError(.networkConnectionLost))
        #expect(try await broken.response().status == 201)
        #expect(try await broken.next() == Array("part".utf8))
        #expect(await thrown { _ = try await broken.next() }?.code == .networkConnectionLost)
    }

    @Test("an end without an answer takes the task's response, without its length; without one it is a bad answer")
    func unannounced() async throws {
        let (announced, nothing) = (Self.exchange(), Self.exchange())
        announced.complete(try Self.response(302, ["Content-Length": "5", "Location": "/y"]), nil)
        let head = try await announced.response()
        #expect(head.status == 302 && head.headerFields["Location"] == "/y")
        #expect(head.headerFields["Content-Length"] == nil)
        #expect(try await announced.next() == nil)
        nothing.complete(nil, nil)
        #expect(await thrown { _ = try await nothing.response() }?.code == .badServerResponse)
    }

    @Test("a redirection has no body, and no length") func redirection() async throws {
        let exchange = Self.exchange()
        exchange.receiveRedirection(try Self.response(307, ["Content-Length": "5", "Location": "/y"]))
        exchange.receive(Data("body".utf8))
        let head = try await exchange.response()
        #expect(head.status == 307 && head.headerFields["Location"] == "/y")
        #expect(head.headerFields["Content-Length"] == nil)
        #expect(try await exchange.next() == nil)
    }

    @Test("after a cancellation both ends are told of it, unless the exchange had ended")
    func cancelled() async throws {
        let (early, late) = (Self.exchange(), Self.exchange())
        early.cancel()
        early.complete(nil, URLError(.timedOut))
        await #expect(throws: CancellationError.self) { try await early.response() }
        await #expect(throws: CancellationError.self) { try await early.next() }
        late.complete(nil, URLError(.timedOut))
        late.cancel()
        #expect(await thrown { _ = try await late.response() }?.code == .timedOut)
    }
}
