import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// A delegate that implements nothing changes nothing.
@Suite(.timeLimit(.minutes(60))) struct DefaultDelegateTests {
    private final class Silent: CachingSessionDelegate {}

    private static func bench(_ credential: URLCredential? = nil) throws -> (SessionBench, VirtualOrigin) {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { request in
            if request.url.hasSuffix("/a") {
                return .init(HTTPResponse(status: 302, headerFields: ["Location": "/b"]))
            }
            guard request.headerFields["Authorization"] != nil else {
                return .init(HTTPResponse(status: 401, headerFields: ["WWW-Authenticate": "Basic realm=r"]))
            }
            return .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Array("hello".utf8)])
        }
        let bench = try SessionBench(clock: clock, transport: origin) { configuration in
            configuration.urlSession = .ephemeral
            let storage = configuration.urlSession.urlCredentialStorage
            let space = URLProtectionSpace(
                host: "127.0.0.1", port: URL(string: "http://127.0.0.1:81")?.port ?? 0, protocol: "http", realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
            if let credential { storage?.setDefaultCredential(credential, for: space) }
        }
        return (bench, origin)
    }

    @Test("it follows redirections, tries the stored credential, and lets responses be stored")
    func defaults() async throws {
        let credential = URLCredential(user: "me", password: "secret", persistence: .forSession)
        let (bench, origin) = try Self.bench(credential)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:81/a")))
        let (data, response) = try await bench.session.data(for: request, delegate: Silent())
        #expect(data == Data("hello".utf8) && response.url?.absoluteString == "http://127.0.0.1:81/b")
        #expect(origin.requests.map { $0.url.suffix(2) } == ["/a", "/b", "/b"])
        let kept = URLRequest(url: try #require(URL(string: "http://127.0.0.1:81/b")))
        #expect(bench.cache?.cachedResponse(for: kept)?.data == Data("hello".utf8))
    }

    @Test("a task with it runs to its end") func task() async throws {
        let (bench, _) = try Self.bench()
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:81/a")))
        let task = bench.session.dataTask(with: request, delegate: Silent())
        task.resume()
        while task.state != .completed { await Task.yield() }
        #expect(task.error == nil && task.response?.statusCode == 401)
        #expect(task.currentRequest.url?.path == "/b" && task.originalRequest.url?.path == "/a")
    }

    @Test("a task of a URL is a GET of it, and hands data and response to its handler") func taskOfURL() async throws {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in .init(HTTPResponse(status: 404), chunks: [Array("hello".utf8)])
        }
        let bench = try SessionBench(clock: clock, transport: origin)
        let url = try #require(URL(string: "http://a.example/a"))
        let (body, status, hasFailed) = await withCheckedContinuation { continuation in
            bench.session.dataTask(with: url) { data, response, error in
                continuation.resume(returning: (data, (response as? HTTPURLResponse)?.statusCode, error != nil))
            }.resume()
        }
        #expect(body == Data("hello".utf8) && status == 404 && !hasFailed)
        #expect(origin.requests.map(\.method) == ["GET"] && origin.requests.map(\.url) == ["http://a.example/a"])
    }

    @Test("the context of a request passes a challenge to its delegate, and without one leaves it to the default")
    func contextChallenge() async throws {
        let (bench, _) = try Self.bench()
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        let challenge = URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "a.example", port: 80, protocol: "http", realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: Refusing())
        let asked = Refusing()
        for (delegate, expected) in [
            (nil, URLSession.AuthChallengeDisposition.performDefaultHandling), (asked, .rejectProtectionSpace),
        ] as [(Refusing?, URLSession.AuthChallengeDisposition)] {
            let context = RequestContext(request: request, session: bench.session, delegate: delegate)
            let (disposition, credential) = await context.answer(challenge)
            #expect(disposition == expected && credential == nil)
        }
        #expect(asked.sessions.withLock { $0 } == [ObjectIdentifier(bench.session)])
    }
}

/// Rejects challenges, and notes the sessions that put them.
private final class Refusing: NSObject, CachingSessionDelegate, URLAuthenticationChallengeSender {
    let sessions = Locked<[ObjectIdentifier]>([])

    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        sessions.withLock { $0.append(ObjectIdentifier(session)) }
        return (.rejectProtectionSpace, nil)
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
