import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// Challenges for Basic authentication: how they are put, and which credentials are tried and kept.
@Suite(.timeLimit(.minutes(60))) struct ChallengesTests {
    @Test(
        "a challenge names the host, port and scheme of the URL, and the realm",
        arguments: [
            ("http://a.example/x", "a.example", 80, "http"), ("https://a.example/x", "a.example", 443, "https"),
            ("HTTP://a.example/x", "a.example", 80, "http"), ("http://a.example:8443/x", "a.example", 8443, "http"),
            ("https://b.example:80/x", "b.example", 80, "https"),
        ])
    func space(url: String, host: String, port: Int, scheme: String) async throws {
        let (session, _) = try Self.session { _ in 401 }
        let asked = Answering(.performDefaultHandling)
        _ = try await session.data(for: URLRequest(url: #require(URL(string: url))), delegate: asked)
        let challenge = try #require(asked.challenges.withLock { $0.first })
        let space = challenge.protectionSpace
        #expect(space.host == host && space.port == port && space.protocol == scheme && space.realm == "r")
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(challenge.previousFailureCount == 0 && challenge.proposedCredential == nil)
        #expect((challenge.failureResponse as? HTTPURLResponse)?.statusCode == 401)
    }

    @Test(
        "credentials that the origin takes are kept, whatever it answers then, if they want to be",
        arguments: [
            (200, .forSession, true), (204, .forSession, true), (404, .forSession, true), (500, .forSession, true),
            (401, .forSession, false), (200, .none, false),
        ] as [(Int, URLCredential.Persistence, Bool)])
    func kept(status: Int, persistence: URLCredential.Persistence, isKept: Bool) async throws {
        let (session, origin) = try Self.session { $0 == nil ? 401 : status }
        let credential = URLCredential(user: "me", password: "secret", persistence: persistence)
        _ = try await session.data(for: Self.request(), delegate: Answering(.useCredential, credential))
        #expect(Self.stored(session) == (isKept ? [credential] : []))
        // A second time the credentials take the place of those before.
        _ = try await session.data(for: Self.request(), delegate: Answering(.useCredential, credential))
        #expect(Self.stored(session).count == (isKept ? 1 : 0))
        let authorization = "Basic " + Data("me:secret".utf8).base64EncodedString()
        #expect(origin.requests.prefix(2).map { $0.headerFields["Authorization"] } == [nil, authorization])
    }

    @Test(
        "a stored credential is tried once, unless the delegate rejects it",
        arguments: [(nil, 2), (.performDefaultHandling, 2), (.rejectProtectionSpace, 1)]
            as [(URLSession.AuthChallengeDisposition?, Int)])
    func storedCredential(answer: URLSession.AuthChallengeDisposition?, count: Int) async throws {
        let (session, origin) = try Self.session { _ in 401 }
        let wrong = URLCredential(user: "me", password: "wrong", persistence: .forSession)
        session.configuration.urlSession.urlCredentialStorage?.setDefaultCredential(wrong, for: Self.space)
        let asked = answer.map { Answering($0) }
        let response = try await session.data(for: Self.request(), delegate: asked).1
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
        #expect(origin.requests.count == count)
        let users = asked?.challenges.withLock { $0.map { $0.proposedCredential?.user } }
        #expect(users == (answer == nil ? nil : count == 1 ? ["me"] : ["me", nil]))
    }

    @Test("the credentials of two hosts are both tried where one redirects to the other")
    func redirectedStored() async throws {
        let session = Self.redirectingSession()
        let storage = try #require(session.configuration.urlSession.urlCredentialStorage)
        for host in ["a.example", "b.example"] {
            storage.setDefaultCredential(
                URLCredential(user: host, password: "secret", persistence: .forSession), for: Self.space(host))
        }
        #expect(try await Got(session.data(for: Self.request())).status == 200)
    }

    @Test("credentials that the origin answers with a redirection are kept, and count as no failure elsewhere")
    func redirectedAnswered() async throws {
        let session = Self.redirectingSession()
        let credential = URLCredential(user: "me", password: "secret", persistence: .forSession)
        let asked = Answering(.useCredential, credential)
        #expect(try await Got(session.data(for: Self.request(), delegate: asked)).status == 200)
        #expect(asked.challenges.withLock { $0.map(\.previousFailureCount) } == [0, 0])
        #expect(Self.stored(session) == [credential, credential])
    }

    @Test("a credential without a password has an empty one (RFC 7617, section 2)") func noPassword() async throws {
        let (session, origin) = try Self.session { $0 == nil ? 401 : 200 }
        let credential = URLCredential(user: "me", password: "", persistence: .none)
        _ = try await session.data(for: Self.request(), delegate: Answering(.useCredential, credential))
        let authorization = "Basic " + Data("me:".utf8).base64EncodedString()
        #expect(origin.requests.last?.headerFields["Authorization"] == authorization)
    }

    @Test("a session without a storage for credentials tries those of the delegate, and keeps none")
    func withoutStorage() async throws {
        let (session, origin) = try Self.session(hasStorage: false) { $0 == nil ? 401 : 200 }
        let credential = URLCredential(user: "me", password: "secret", persistence: .forSession)
        let response = try await session.data(for: Self.request(), delegate: Answering(.useCredential, credential)).1
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try await Got(session.data(for: Self.request())).status == 401)
        #expect(origin.requests.map { $0.headerFields["Authorization"] != nil } == [false, true, false])
    }

    @Test("messages to the sender of a challenge are no answer to it") func sender() async throws {
        let (session, origin) = try Self.session { $0 == nil ? 401 : 200 }
        let response = try await session.data(for: Self.request(), delegate: Messaging()).1
        #expect((response as? HTTPURLResponse)?.statusCode == 401 && origin.requests.count == 1)
    }

    private static let space = space("a.example")

    private static func space(_ host: String) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host, port: 80, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    }

    /// A session whose origin asks for credentials at two hosts, and redirects from the first to the second.
    private static func redirectingSession() -> CachingSession {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { request in
            guard request.headerFields["Authorization"] != nil else {
                return .init(HTTPResponse(status: 401, headerFields: ["WWW-Authenticate": "Basic realm=r"]))
            }
            return request.url.contains("a.example")
                ? .init(HTTPResponse(status: 302, headerFields: ["Location": "http://b.example/y"]))
                : .init(HTTPResponse(status: 200))
        }
        var configuration = CachingSession.Configuration.patient
        configuration.urlSession = .ephemeral
        return CachingSession(
            configuration: configuration, cache: SessionBench.memoryCache(), transport: origin, clock: clock)
    }

    private static func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://a.example/x")))
    }

    private static func stored(_ session: CachingSession) -> [URLCredential] {
        session.configuration.urlSession.urlCredentialStorage?.allCredentials.values.flatMap(\.values) ?? []
    }

    /// A session with a storage for credentials, whose origin answers by the status for an `Authorization`.
    private static func session(
        hasStorage: Bool = true, _ status: @escaping @Sendable (String?) -> Int
    ) throws -> (CachingSession, VirtualOrigin) {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { request in
            let status = status(request.headerFields["Authorization"])
            return .init(
                HTTPResponse(status: status, headerFields: status == 401 ? ["WWW-Authenticate": "Basic realm=r"] : [:]))
        }
        var configuration = CachingSession.Configuration.patient
        configuration.urlSession = .ephemeral
        if !hasStorage { configuration = configuration.with { $0.urlCredentialStorage = nil } }
        return (
            CachingSession(
                configuration: configuration, cache: SessionBench.memoryCache(), transport: origin, clock: clock),
            origin
        )
    }
}

/// Answers a challenge by messages to its sender alone.
private final class Messaging: CachingSessionDelegate {
    func session(
        _ session: CachingSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let sender = challenge.sender
        sender?.use(URLCredential(user: "me", password: "secret", persistence: .none), for: challenge)
        sender?.continueWithoutCredential(for: challenge)
        sender?.performDefaultHandling(for: challenge)
        sender?.rejectProtectionSpaceAndContinue(with: challenge)
        sender?.cancel(challenge)
        return (.performDefaultHandling, nil)
    }
}
