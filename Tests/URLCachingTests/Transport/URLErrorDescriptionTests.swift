import Foundation
import Testing

@testable import CurlTransport

@Suite("Errors about a URL") struct URLErrorDescriptionTests {
    private struct Cause: Error, Equatable { let number: Int }

    @Test("an error has its code, its text, its URL and its cause, each under the key of Foundation") func whole() {
        let error = URLError(.timedOut, url: "http://a.example/x?y", "it took too long", cause: Cause(number: 7))
        #expect(error.code == .timedOut && error.localizedDescription == "it took too long")
        #expect(error.failingURL == URL(string: "http://a.example/x?y"))
        #expect(error.userInfo[NSUnderlyingErrorKey] as? Cause == Cause(number: 7))
        #expect(error.userInfo.count == 3)
    }

    @Test("an error without a cause, about text that is no URL, has its text alone") func few() {
        let error = URLError(.badURL, url: "", "no URL")
        #expect(error.code == .badURL && error.localizedDescription == "no URL" && error.failingURL == nil)
        #expect(Array(error.userInfo.keys) == [NSLocalizedDescriptionKey])
    }
}
