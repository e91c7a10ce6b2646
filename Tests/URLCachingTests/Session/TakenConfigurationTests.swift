import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// What a session takes over of a URLSessionConfiguration.
@Suite(.timeLimit(.minutes(60))) struct TakenConfigurationTests {
    @Test("the configuration's cache: none, a forwarding one, the shared one, any other once") func cache() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        #expect(CachingSession(configuration: configuration).cache == nil)
        let responses = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = ForwardingURLCache(responses)
        #expect(CachingSession(configuration: configuration).cache === responses)
        let other = URLCache(memoryCapacity: 3 << 20, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = other
        let first = CachingSession(configuration: configuration)
        #expect(first.cache?.memoryCapacity == 3 << 20 && first.cache?.diskCapacity == 0)
        #expect(CachingSession(configuration: configuration).cache === first.cache)
        #expect(first.settingProblems.isEmpty)
        configuration.urlCache = responses
        #expect(CachingSession(configuration: configuration).cache === responses)
        let taken: ResponseCache? = configuration.urlCache
        #expect(taken === responses)
        configuration.urlCache = ResponseCache?.none
        #expect(CachingSession(configuration: configuration).cache == nil)
    }

    @Test("overrides that are never called are reported, also those of a forwarding cache's subclass")
    func overrides() {
        let responses = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let configuration = URLSessionConfiguration.ephemeral
        for (cache, isReported) in [(ForwardingURLCache(responses), false), (Overriding(responses), true)] {
            configuration.urlCache = cache
            let session = CachingSession(configuration: configuration)
            #expect(session.cache === responses)
            #expect(session.settingProblems.map(\.setting) == (isReported ? ["urlCache"] : []))
        }
    }

    @Test("a delegate of both kinds is told of the methods that are never called") func delegatesOfBothKinds() {
        let both = DelegateOfBothKinds()
        let sessions = [
            CachingSession(configuration: .ephemeral, delegate: both, delegateQueue: nil),
            CachingSession(configuration: CachingSession.Configuration(), cache: nil, delegate: both),
        ]
        for (session, methods) in zip(sessions, ["CachingSessionDelegate", "URLSessionDelegate"]) {
            #expect(session.settingProblems.map(\.setting) == ["delegate"])
            let reason = session.settingProblems.first?.reason ?? ""
            #expect(reason.hasPrefix("the methods of \(methods) ") && reason.contains("DelegateOfBothKinds"))
        }
        let usual = CachingSession(configuration: .ephemeral, delegate: LoggingDelegate(), delegateQueue: nil)
        #expect(usual.settingProblems.isEmpty)
    }

    @Test("the policy, the additional fields and the cookies of the configuration take effect")
    func settings() async throws {
        let origin = try LoopbackOrigin { _ in
            OriginReply([("Cache-Control", "max-age=1000000"), ("Set-Cookie", "a=1")], text: "hello")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 2 << 20, diskCapacity: 0, diskPath: nil)
        configuration.httpAdditionalHeaders = ["X-Added": "yes"]
        let session = CachingSession(configuration: configuration)
        _ = try await session.data(from: origin.url("/a"))
        _ = try await session.data(from: origin.url("/b"))
        #expect(origin.requests.map { $0["X-Added"] } == ["yes", "yes"])
        #expect(origin.requests.map { $0["Cookie"] } == [nil, "a=1"])
        configuration.requestCachePolicy = .returnCacheDataDontLoad
        let offline = CachingSession(configuration: configuration)
        #expect(String(decoding: try await offline.data(from: origin.url("/a")).0, as: UTF8.self) == "hello")
        let error = await thrown { _ = try await offline.data(from: origin.url("/c")) }
        #expect(error?.code == .resourceUnavailable)
        #expect(offline.configuration.requestCachePolicy == .returnCacheDataDontLoad)
    }

    #if canImport(FoundationNetworking)
    @Test("a setting without effect is told with its reason and remedy") func problems() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.allowsCellularAccess = false
        let deprecated: any DeprecatedSettings = configuration
        deprecated.httpShouldUsePipelining = true
        deprecated.shouldUseExtendedBackgroundIdleMode = true
        configuration.connectionProxyDictionary = ["HTTPProxy": "127.0.0.1"]
        configuration.urlCache = CountingURLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let problems = CachingSession(configuration: configuration).settingProblems
        #expect(
            Set(problems.map(\.setting)) == [
                "allowsCellularAccess", "httpShouldUsePipelining", "shouldUseExtendedBackgroundIdleMode",
                "connectionProxyDictionary[HTTPProxy]", "urlCache",
            ])
        #expect(problems.allSatisfy { !$0.reason.isEmpty && !$0.remedy.isEmpty })
        #expect(CachingSession(configuration: .ephemeral).settingProblems.isEmpty)
        #expect(CachingSession(configuration: .default).settingProblems.isEmpty)
    }

    @Test("a session's URLSession answers by the session, whichever member is called") func standIn() async throws {
        let origin = try LoopbackOrigin { request in
            OriginReply([("Cache-Control", "max-age=1000000")], text: "\(request.method) \(request.body.count)")
        }
        let url = origin.url("/a")
        let session = CachingSession(configuration: .ephemeral)
        let other: URLSession = session.urlSession
        #expect(other === session.urlSession && other.delegateQueue === session.delegateQueue)
        _ = try await session.data(from: url)
        #expect(String(decoding: try await other.data(from: url).0, as: UTF8.self) == "GET 0")
        #expect(String(decoding: try await other.data(for: URLRequest(url: url)).0, as: UTF8.self) == "GET 0")
        #expect(origin.count() == 1)
        var post = URLRequest(url: url)
        post.httpMethod = "POST"
        let sent = try await other.upload(for: post, from: Data("four".utf8))
        #expect(String(decoding: sent.0, as: UTF8.self) == "POST 4")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString)")
        try Data("seven!!".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (texts, text) = AsyncStream<String>.makeStream()
        let data: CachingSession.DataHandler = { data, _, error in
            text.yield(error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self))
        }
        let place: CachingSession.FileHandler = { file, _, error in
            text.yield(
                (error as? URLError).map { "\($0.code.rawValue)" }
                    ?? file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "none")
        }
        let tasks: [(URLSessionTask, String)] = [
            (other.dataTask(with: url, completionHandler: data), "GET 0"),
            (other.dataTask(with: URLRequest(url: url), completionHandler: data), "GET 0"),
            (other.uploadTask(with: post, from: Data("abc".utf8), completionHandler: data), "POST 3"),
            (other.uploadTask(with: post, fromFile: file, completionHandler: data), "POST 7"),
            (other.downloadTask(with: url, completionHandler: place), "GET 0"),
            (other.downloadTask(with: URLRequest(url: url), completionHandler: place), "GET 0"),
            (other.downloadTask(withResumeData: Data(), completionHandler: place), "-1015"),
        ]
        var iterator = texts.makeAsyncIterator()
        for (task, expected) in tasks {
            task.resume()
            #expect(await iterator.next() == expected)
            #expect(task is any CachingSessionTask)
        }
        let silent: [URLSessionTask] = [
            other.dataTask(with: url), other.dataTask(with: URLRequest(url: url)),
            other.uploadTask(with: post, from: Data()), other.uploadTask(with: post, fromFile: file),
            other.uploadTask(withStreamedRequest: post), other.downloadTask(with: url),
            other.downloadTask(with: URLRequest(url: url)), other.downloadTask(withResumeData: Data()),
        ]
        #expect(silent.allSatisfy { $0 is any CachingSessionTask })
        #expect(other.configuration.timeoutIntervalForRequest == 60 && other.delegate == nil)
        other.sessionDescription = "other"
        #expect(session.sessionDescription == "other")
        other.getAllTasks { text.yield("\($0.count)") }
        #expect(await iterator.next() == "8")
        other.getTasksWithCompletionHandler { text.yield("\($0.count) \($1.count) \($2.count)") }
        #expect(await iterator.next() == "2 3 3")
        other.flush { text.yield("flushed") }
        #expect(await iterator.next() == "flushed")
        other.reset { text.yield("reset") }
        #expect(await iterator.next() == "reset" && session.cache?.currentMemoryUsage == 0)
        other.finishTasksAndInvalidate()
        let error = await thrown { _ = try await session.data(from: url) }
        #expect(error?.code == .cancelled)
        other.invalidateAndCancel()
        withExtendedLifetime(silent) {}
    }
    #endif
}

private final class DelegateOfBothKinds: NSObject, URLSessionDataDelegate, CachingSessionDelegate {}

/// A subclass that does not forward.
private final class CountingURLCache: URLCache, @unchecked Sendable {}

/// Its override is never called by a session, which asks the cache behind it.
private final class Overriding: ForwardingURLCache, @unchecked Sendable {
    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? { nil }
}

#if canImport(FoundationNetworking)
/// To name them is a warning.
private protocol DeprecatedSettings: AnyObject {
    var httpShouldUsePipelining: Bool { get set }
    var shouldUseExtendedBackgroundIdleMode: Bool { get set }
}

extension URLSessionConfiguration: DeprecatedSettings {}
#endif
