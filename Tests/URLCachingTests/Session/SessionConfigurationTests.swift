import HTTPCache
import HTTPSemantics
import Platform
import Testing
import TestSupport
import VirtualOrigin

@testable import URLCaching

/// What a session shows of its configuration, and what it takes over of one.
@Suite(.timeLimit(.minutes(60))) struct SessionConfigurationTests {
    private let url = URL(string: "http://origin.test/a")!
    private let origin = VirtualOrigin { _ in
        .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=1000000"]), chunks: [Array("hello".utf8)])
    }

    private func session(of kind: Kind, _ delegate: (any URLSessionDelegate)? = nil) -> CachingSession {
        let configuration = URLSessionConfiguration.ephemeral
        switch kind {
        case .own:
            return CachingSession(
                configuration: .init(), cache: ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil),
                transport: origin)
        case .urlCache: configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        case .responseCache:
            configuration.urlCache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        case .ephemeral: break
        }
        configuration.httpAdditionalHeaders = ["X-Client": "usual"]
        return CachingSession(
            configuration: configuration, delegate: delegate, delegateQueue: nil, transport: origin,
            clock: SystemClock())
    }

    enum Kind: CaseIterable, Sendable { case own, urlCache, responseCache, ephemeral }

    @Test("the urlCache of a session's configuration, without a type, is the session's cache", arguments: Kind.allCases)
    func urlCache(kind: Kind) async throws {
        let session = session(of: kind)
        let cache = try #require(session.cache)
        let request = URLRequest(url: url)
        _ = try await session.data(for: request)
        #expect(session.configuration.urlCache?.cachedResponse(for: request)?.data == Data("hello".utf8))
        session.configuration.urlCache?.removeCachedResponse(for: request)
        #expect(cache.cachedResponse(for: request) == nil)
        _ = try await session.data(for: request)
        #expect(cache.cachedResponse(for: request) != nil)
        session.configuration.urlCache?.removeAllCachedResponses()
        #expect(cache.cachedResponse(for: request) == nil && cache.currentMemoryUsage == 0)
        session.configuration.urlCache?.memoryCapacity = 2 << 20
        #expect(cache.memoryCapacity == 2 << 20)
        let typed: URLSessionConfiguration = session.configuration
        let taken: ResponseCache? = typed.urlCache
        #expect(taken === cache)
        #expect(CachingSession(configuration: .init(), cache: nil).configuration.urlCache == nil)
    }

    #if canImport(FoundationNetworking)
    @Test("a delegate's URLSession has the session's cache, cookies and fields, and is answered from the cache once")
    func inDelegate() async throws {
        let delegate = LookingDelegate()
        let session = session(of: .responseCache, delegate)
        session.dataTask(with: url).resume()
        for await _ in delegate.ends {}
        let seen = try #require(delegate.seen.withLock { $0 })
        let cache: ResponseCache? = seen.urlCache
        #expect(cache != nil && cache === session.cache)
        #expect(seen.httpAdditionalHeaders?["X-Client"] as? String == "usual")
        #expect(seen.httpCookieStorage != nil)
        #expect(seen.httpCookieStorage === session.configuration.httpCookieStorage)
        // Foundation would look into a cache by itself, and a recorder would write down two hits.
        let recorder = RequestRecorder(keys: .plain)
        let recorded = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, recorder: recorder)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = recorded
        let other = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin, clock: SystemClock())
        let standIn = other.urlSession
        let (data, _) = try await standIn.data(from: url)
        #expect(data == Data("hello".utf8))
        let (again, _) = try await standIn.data(from: url)
        #expect(again == data && origin.requests.count == 2)
        #expect(recorder.requestCount == 0)
    }
    #endif

    // MARK: Settings that are taken over

    @Test("without a cache of its own, a session has that of its settings: none, or one that writes nothing")
    func takenCache() throws {
        var configuration = CachingSession.Configuration()
        configuration.urlSession = .ephemeral
        let ephemeral = CachingSession(configuration: configuration)
        #expect(ephemeral.cache !== ResponseCache.shared && ephemeral.cache?.diskCapacity == 0)
        let existing = URLSessionConfiguration.default
        existing.urlCache = URLCache?.none
        configuration.urlSession = CachingSession.URLSessionSettings(existing)
        #expect(CachingSession(configuration: configuration).cache == nil)
        existing.urlCache = URLCache(memoryCapacity: 3 << 20, diskCapacity: 0, diskPath: nil)
        configuration.urlSession = CachingSession.URLSessionSettings(existing)
        #expect(CachingSession(configuration: configuration).cache?.memoryCapacity == 3 << 20)
        // A cache that is passed counts.
        let passed = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(configuration: configuration, cache: passed)
        #expect(session.cache === passed && session.settingProblems.isEmpty)
        let copy = CachingSession(configuration: session.configuration)
        #expect(copy.cache === passed && copy.settingProblems.isEmpty)
    }

    #if canImport(FoundationNetworking)
    @Test("settings taken over that have no effect are told, in either kind of session") func problems() {
        let existing = URLSessionConfiguration.ephemeral
        existing.allowsCellularAccess = false
        existing.requestCachePolicy = .returnCacheDataDontLoad
        var configuration = CachingSession.Configuration()
        configuration.urlSession = CachingSession.URLSessionSettings(existing)
        let session = CachingSession(configuration: configuration, cache: nil)
        #expect(session.settingProblems.map(\.setting) == ["requestCachePolicy", "allowsCellularAccess"])
        configuration.requestCachePolicy = .returnCacheDataDontLoad
        let agreeing = CachingSession(configuration: configuration, cache: nil)
        #expect(agreeing.settingProblems.map(\.setting) == ["allowsCellularAccess"])
        let offline = CachingSession(configuration: existing)
        #expect(offline.settingProblems.map(\.setting) == ["allowsCellularAccess"])
        #expect(CachingSession(configuration: CachingSession.Configuration(), cache: nil).settingProblems.isEmpty)
    }

    @Test("what only libcurl knows is told where URLSession carries, and protocol classes where libcurl does")
    func carried() {
        var configuration = CachingSession.Configuration().with { $0.timeoutIntervalForResource = 5 }
        // The session keeps that itself.
        configuration.largestHeader = 7
        configuration.largestDecodedBody = 9
        #expect(CachingSession(configuration: configuration, cache: nil).settingProblems.isEmpty)
        configuration.carrier = .urlSession
        let problems = CachingSession(configuration: configuration, cache: nil).settingProblems
        #expect(problems.map(\.setting) == ["largestHeader", "largestDecodedBody"])
        let own = CachingSession(configuration: configuration, cache: nil, transport: origin)
        #expect(own.settingProblems.isEmpty)
        var mocked = CachingSession.Configuration().with { $0.protocolClasses = [Mock.self] }
        #expect(CachingSession(configuration: mocked, cache: nil).settingProblems.isEmpty)
        mocked.certificateFile = URL(fileURLWithPath: "/roots.pem")
        let unasked = CachingSession(configuration: mocked, cache: nil).settingProblems
        #expect(unasked.map(\.setting) == ["protocolClasses"])
    }
    #endif

    @Test("where URLSession would carry the requests, none goes out unchecked", arguments: 0..<3)
    func unchecked(demand: Int) async throws {
        var configuration = CachingSession.Configuration()
        configuration.carrier = .urlSession
        let file = URL(fileURLWithPath: "/roots.pem")
        switch demand {
        case 0: configuration.certificateFile = file
        case 1: configuration.pinnedPublicKeys = ["*": ["cf3GOTc8oyH9CHxFOiuTtkv3TubVdZndg2Dtd+Bq70E="]]
        default: configuration.clientCertificates = ["*": CachingSession.ClientCertificate(certificateFile: file)]
        }
        let session = CachingSession(configuration: configuration, cache: nil)
        let error = await thrown { _ = try await session.data(from: url) }
        #expect(error?.code == .secureConnectionFailed && error?.localizedDescription.contains("libcurl") == true)
    }

    // MARK: The time of a request

    @Test(
        "the time of a request is that of all its exchanges, and another request has its own",
        arguments: ["GET", "POST"])
    func wholeTime(method: String) async throws {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin { request in
            request.url.hasSuffix("/b")
                ? .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"]))
                : .init(HTTPResponse(status: 307, headerFields: ["Location": "/b", "Cache-Control": "no-store"]))
        }
        let configuration = CachingSession.Configuration.patient.with { $0.timeoutIntervalForResource = 10 }
        let session = CachingSession(configuration: configuration, cache: nil, transport: origin, clock: clock)
        var request = URLRequest(url: url)
        request.httpMethod = method
        for isLate in [true, false] {
            let before = origin.requests.count
            origin.hold()
            let answer = Task { [request] in try await session.data(for: request).1 as? HTTPURLResponse }
            while origin.heldCount == 0 { await Task.yield() }
            clock.advance(by: 6)
            origin.release(1)
            while origin.requests.count < before + 2 || origin.heldCount == 0 { await Task.yield() }
            if isLate {
                clock.advance(by: 4)
                let error = await thrown { _ = try await answer.value }
                #expect(error?.code == .timedOut && error?.localizedDescription.contains("10.0 s") == true)
            }
            origin.release()
            if !isLate { #expect(try await answer.value?.statusCode == 200) }
        }
    }
}

private final class Mock: URLProtocol {}

#if canImport(FoundationNetworking)
/// Reads the configuration of the URLSession that it is shown.
private final class LookingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let seen = Locked<URLSessionConfiguration?>(nil)
    let (ends, end) = AsyncStream<Void>.makeStream()

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        seen.withLock { $0 = session.configuration }
        end.finish()
    }
}
#endif
