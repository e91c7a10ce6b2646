import HTTPCache
import Testing

@testable import URLCaching

@Suite struct SessionErrorTests {
    private struct Other: Error {}

    @Test(
        "a failure keeps the transport's code, and one without a code says where the exchange ended",
        arguments: [
            (URLError(.dnsLookupFailed), .dnsLookupFailed, .dnsLookupFailed),
            (URLError(.unknown), .cannotConnectToHost, .networkConnectionLost),
            (Other(), .cannotConnectToHost, .networkConnectionLost),
            (CancellationError(), .cancelled, .cancelled),
        ] as [(any Error, URLError.Code, URLError.Code)])
    func codes(cause: any Error, unanswered: URLError.Code, brokenOff: URLError.Code) throws {
        let request = URLRequest(url: try #require(URL(string: "http://a.example/x")))
        let errors = [URLError(EngineError.noAnswer(cause), request), URLError(EngineError.brokenOff(cause), request)]
        #expect(errors.map(\.code) == [unanswered, brokenOff])
        #expect(errors.allSatisfy { $0.failingURL?.absoluteString == "http://a.example/x" })
        #expect(URLError(EngineError.timedOut(seconds: 3), request).code == .timedOut)
        #expect(URLError(EngineError.tookTooLong(seconds: 3), request).code == .timedOut)
        #expect(URLError(EngineError.cancelled, request).code == .cancelled)
        #expect(URLError(EngineError.notStored(url: "u"), request).code == .resourceUnavailable)
        var nowhere = request
        nowhere.url = nil
        #expect(URLError(.badURL, nowhere, "no URL").failingURL == nil)
        // Of other errors as well.
        let known = (cause as? URLError)?.code ?? .unknown
        #expect(URLError(cause, request).code == (cause is CancellationError ? .cancelled : known))
    }
}
