import LoopbackOrigin
import Testing
import URLCaching

/// `CachingURLProtocol` without a session of the application's, which may work for an ephemeral URLSession.
@Suite(.timeLimit(.minutes(60))) struct DefaultProtocolSessionTests {
    @Test("cookies are neither kept nor sent to another session, and nothing is written to disk")
    func leavesNothing() async throws {
        let origin = try LoopbackOrigin { request in
            OriginReply(
                [("Set-Cookie", "login=secret; Max-Age=1000"), ("Cache-Control", "max-age=1000000")],
                text: request["Cookie"] ?? "none")
        }
        defer { origin.stop() }
        let session = Untouched.session
        let cache = try #require(session.cache)
        #expect(cache.diskCapacity == 0 && cache.memoryCapacity == 4 << 20)
        #expect(session.configuration.urlSession.httpCookieStorage == nil)
        for _ in 0..<2 {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.protocolClasses = [Untouched.self]
            let outer = URLSession(configuration: configuration)
            for path in ["/a", "/b"] {
                let body = try await outer.data(from: origin.url(path)).0
                #expect(body == Data("none".utf8))
            }
            outer.finishTasksAndInvalidate()
        }
        #expect(origin.count() == 2)
        #expect(HTTPCookieStorage.shared.cookies(for: origin.url("/"))?.isEmpty ?? true)
    }

    /// The class whose session no test sets: `CachingURLProtocol.defaultSession` belongs to other tests of this
    /// process.
    private final class Untouched: CachingURLProtocol {
        private static let mine = CachingURLProtocol.sessionForAnyConfiguration()
        override class var session: CachingSession { mine }
    }
}
