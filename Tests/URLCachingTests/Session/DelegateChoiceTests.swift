import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// Which delegate is asked, and how much of an answer that is not the last one is read.
@Suite(.timeLimit(.minutes(60))) struct DelegateChoiceTests {
    @Test("the delegate of a request is asked in the place of the session's", arguments: 0..<4, [false, true])
    func choice(way: Int, hasOwn: Bool) async throws {
        let (ofSession, own) = (Asked(), Asked())
        let (bench, _) = try Self.bench(ofSession) { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Array("hello".utf8)])
        }
        let (session, request, delegate) = (bench.session, bench.request(), hasOwn ? own : nil)
        switch way {
        case 0: _ = try await session.data(for: request, delegate: delegate)
        case 1: for try await _ in try await session.bytes(for: request, delegate: delegate).0 {}
        case 2: for try await _ in session.storedThenRefreshed(for: request, delegate: delegate) {}
        default:
            session.dataTask(with: request, delegate: delegate).resume()
            for await _ in (hasOwn ? own : ofSession).ends {}
        }
        #expect(own.count.withLock { $0 } == (hasOwn ? 1 : 0) && ofSession.count.withLock { $0 } == (hasOwn ? 0 : 1))
    }

    /// Answers `/a` with `count` chunks of 16 KiB, and everything else with a word.
    private static func reply(_ status: Int, chunks count: Int) -> @Sendable (HTTPRequest) -> VirtualOrigin.Reply {
        { request in
            guard request.url.hasSuffix("/a"), request.headerFields["Authorization"] == nil else {
                return .init(HTTPResponse(), chunks: [Array("hello".utf8)])
            }
            let fields: HTTPFields = [
                "Location": "/b", "WWW-Authenticate": "Basic realm=r", "Cache-Control": "no-store",
            ]
            let chunk = [UInt8](repeating: 0x61, count: 16 << 10)
            return .init(
                HTTPResponse(status: status, headerFields: fields), chunks: Array(repeating: chunk, count: count))
        }
    }

    @Test("the short body of a redirection or a challenge is read to its end", arguments: [302, 401])
    func readToTheEnd(status: Int) async throws {
        let (bench, origin) = try Self.bench(Asked(), Self.reply(status, chunks: 1))
        #expect(try await bench.get("/a").body == "hello")
        #expect(origin.cancelled == 0 && origin.chunksSent == 2)
    }

    /// The origin waits after ten chunks or so, which is more than is read.
    @Test(
        "the long body of a redirection or a challenge is given up, and its end not waited for", arguments: [302, 401])
    func givenUp(status: Int) async throws {
        let (bench, origin) = try Self.bench(Asked(), Self.reply(status, chunks: 400))
        origin.hold(bodies: true)
        let deliveries = Task {
            while origin.chunksSent < 10, origin.requests.count < 2 {
                origin.release(1)
                await Task.yield()
            }
            while origin.requests.count < 2 { await Task.yield() }
            origin.release()
        }
        #expect(try await bench.get("/a").body == "hello")
        await deliveries.value
        #expect(origin.chunksSent < 20 && origin.cancelled > 0)
    }

    private static func bench(
        _ delegate: Asked, _ reply: @escaping @Sendable (HTTPRequest) -> VirtualOrigin.Reply
    ) throws -> (SessionBench, VirtualOrigin) {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock, reply)
        return (try SessionBench(clock: clock, delegate: delegate, transport: origin), origin)
    }
}

/// Counts the responses that it is asked about, and answers challenges.
private final class Asked: CachingSessionDelegate {
    let count = Locked(0)
    let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init() { (ends, end) = AsyncStream<Void>.makeStream() }

    func session(
        _ session: CachingSession, willCacheResponse proposed: CachedURLResponse, for request: URLRequest
    ) async -> CachedURLResponse? {
        count.withLock { $0 += 1 }
        return proposed
    }

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (.useCredential, URLCredential(user: "me", password: "secret", persistence: .none))
    }

    func session(_ session: CachingSession, task: CachingTask, didCompleteWithError error: URLError?) async {
        end.finish()
    }
}
