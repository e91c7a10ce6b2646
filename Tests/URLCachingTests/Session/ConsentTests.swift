import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// `willCacheResponse` of a delegate of URLSession's kind, where the answer is not a whole that the task receives: the
/// question must neither wait for bytes that don't come, nor make others wait (E10, C7, C12, C14).
@Suite(.timeLimit(.minutes(60))) struct ConsentTests {
    private let delegate = LoggingDelegate()
    private let session: CachingSession
    private let origin: LoopbackOrigin

    init() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        session = CachingSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
        origin = try LoopbackOrigin()
    }

    /// Runs a task to its end, and returns what its delegate was told.
    private func run(_ method: String = "GET", _ fields: [String: String] = [:]) async -> [String] {
        var request = URLRequest(url: origin.url("/a"))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let before = delegate.log.count
        session.dataTask(with: request).resume()
        await delegate.end()
        return Array(delegate.log.dropFirst(before))
    }

    private var stored: CachedURLResponse? { session.cache?.cachedResponse(for: URLRequest(url: origin.url("/a"))) }

    @Test("a task whose answer is confirmed ends, and what is stored stays", arguments: ["GET", "HEAD"])
    func confirmation(method: String) async throws {
        origin.reply { request in
            let fields = [("Cache-Control", "max-age=0"), ("ETag", "\"1\""), ("Content-Length", "5")]
            if request["If-None-Match"] != nil, request.method == "GET" { return OriginReply(status: 304, fields) }
            return OriginReply(fields, text: request.method == "GET" ? "hello" : "")
        }
        #expect(await run() == ["response 200", "data", "will cache 5 of 5", "end"])
        for _ in 0..<2 {
            let log = await run(method)
            #expect(log.last == "end" && log.contains("response 200"))
            #expect(stored?.data == Data("hello".utf8))
        }
    }

    @Test(
        "a task that is cancelled before its delegate is asked leaves what is stored",
        arguments: ["GET", "HEAD", "new"])
    func cancelled(kind: String) async throws {
        let hold = Hold()
        let isNew = Locked(false)
        origin.reply { request in
            let hasNew = kind == "new" && isNew.withLock { $0 }
            let fields = [
                ("Cache-Control", "max-age=0"), ("ETag", hasNew ? "\"2\"" : "\"1\""), ("Content-Length", "5"),
            ]
            var reply =
                request["If-None-Match"] != nil && !hasNew
                ? OriginReply(status: 304, fields)
                : OriginReply(fields, text: request.method == "HEAD" ? "" : hasNew ? "world" : "hello")
            if isNew.withLock({ $0 }) { reply.holdHead = hold }
            return reply
        }
        #expect(await run() == ["response 200", "data", "will cache 5 of 5", "end"])
        isNew.withLock { $0 = true }
        var request = URLRequest(url: origin.url("/a"))
        request.httpMethod = kind == "HEAD" ? "HEAD" : "GET"
        let (session, before) = (session, delegate.log.count)
        let task: URLSessionDataTask = session.dataTask(with: request)
        task.resume()
        await hold.reached()
        delegate.queue.isSuspended = true
        hold.release()
        while delegate.queue.operationCount == 0 { await Task.yield() }
        task.cancel()
        while task.state != .completed { await Task.yield() }
        delegate.queue.isSuspended = false
        await delegate.end()
        while session.underWay.requests > 0 { await Task.yield() }
        #expect(!delegate.log.dropFirst(before).contains { $0.hasPrefix("will cache") })
        #expect(delegate.log.last == "failed -999" && stored?.data == Data("hello".utf8))
    }

    #if !canImport(Darwin)
    @Test("a request of CachingURLProtocol's that is cancelled before the session's delegate is asked leaves it, too")
    func cancelledOuter() async throws {
        let hold = Hold()
        let isNew = Locked(false)
        origin.reply { _ in
            let fields = [("Cache-Control", "max-age=0"), ("ETag", "\"1\""), ("Content-Length", "5")]
            guard isNew.withLock({ $0 }) else { return OriginReply(fields, text: "hello") }
            var reply = OriginReply(status: 304, fields)
            reply.holdHead = hold
            return reply
        }
        #expect(await run().last == "end")
        isNew.withLock { $0 = true }
        let request = URLRequest(url: origin.url("/a"))
        let session = session
        let outer = OuterDelegate(
            LoggingDelegate(), .shared, URLSession.shared.dataTask(with: request), inner: session.asked(nil, request))
        let loading = Task { try await session.data(for: request, delegate: outer).0 }
        await hold.reached()
        delegate.queue.isSuspended = true
        hold.release()
        while delegate.queue.operationCount == 0 { await Task.yield() }
        loading.cancel()
        #expect(await thrown { _ = try await loading.value }?.code == .cancelled)
        delegate.queue.isSuspended = false
        while session.underWay.requests > 0 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(stored?.data == Data("hello".utf8))
    }
    #endif

    @Test(
        "a request without anyone to be asked lets others share its answer while that arrives",
        arguments: [true, false])
    func nobody(isTask: Bool) async throws {
        let origin = VirtualOrigin { _ in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "Content-Length": "1"]), chunks: [[0x61]])
        }
        let configuration = URLSessionConfiguration.patient
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin, clock: SystemClock())
        origin.hold(bodies: true)
        let url = try #require(URL(string: "http://origin.test/a"))
        if isTask {
            session.dataTask(with: url).resume()
        } else {
            // Of CachingURLProtocol, for a session with a delegate.
            let outer = OuterDelegate(
                LoggingDelegate(), .shared, URLSession.shared.dataTask(with: url), inner: nil)
            Task { try await session.data(from: url, delegate: outer) }
        }
        while origin.heldCount == 0 { await Task.yield() }
        origin.release(1)
        while origin.heldCount == 0 { await Task.yield() }
        let other = Task { try await session.data(from: url).0 }
        while session.underWay.requests < 2 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(origin.requests.count == 1)
        origin.release()
        #expect(try await other.value == Data("a".utf8))
    }

    @Test("a task whose part completes the whole ends, and the whole is stored") func completion() async throws {
        origin.reply { request in
            let isFirst = request["Range"] == "bytes=0-2"
            return OriginReply(
                status: 206,
                [
                    ("Cache-Control", "max-age=1000000"), ("ETag", "\"1\""),
                    ("Content-Range", isFirst ? "bytes 0-2/5" : "bytes 3-4/5"),
                ], text: isFirst ? "hel" : "lo")
        }
        #expect(await run("GET", ["Range": "bytes=0-2"]).last == "end")
        #expect(await run("GET", ["Range": "bytes=3-4"]) == ["response 206", "will cache 5 of 5", "end"])
        #expect(stored?.data == Data("hello".utf8) && delegate.body == Data("hello".utf8))
    }

    @Test("a stale answer is refreshed after its task is over") func refresh() async throws {
        let text = Locked("old")
        origin.reply { _ in
            OriginReply([("Cache-Control", "max-age=0, stale-while-revalidate=1000000")], text: text.withLock { $0 })
        }
        #expect(await run().last == "end")
        text.withLock { $0 = "new" }
        #expect(await run().contains("end") && delegate.body == Data("oldold".utf8))
        for _ in 0..<1_000_000 where stored?.data == Data("old".utf8) { await Task.yield() }
        #expect(stored?.data == Data("new".utf8) && origin.count() == 2)
        // The application's answer counts for each response that is stored (A5, E1).
        #expect(delegate.log.filter { $0.hasPrefix("will cache") }.count == 2)
    }

    @Test("a suspended task keeps no answer from another that shares its fetch") func suspended() async throws {
        let hold = Hold()
        origin.reply { _ in
            var reply = OriginReply([("Cache-Control", "max-age=1000000")], text: "hello")
            reply.holdHead = hold
            return reply
        }
        let (session, request) = (session, URLRequest(url: origin.url("/a")))
        let task: URLSessionDataTask = session.dataTask(with: request)
        task.resume()
        await hold.reached()
        let other = Task { try await session.data(for: request).0 }
        while session.underWay.requests < 2 { await Task.yield() }
        task.suspend()
        hold.release()
        #expect(try await other.value == Data("hello".utf8) && origin.count() == 1)
        task.resume()
        await delegate.end()
        #expect(stored?.data == Data("hello".utf8))
    }

    @Test("an awaited request keeps the delegate of a session that is invalidated meanwhile")
    func invalidation() async throws {
        let hold = Hold()
        origin.reply { request in
            guard request.path == "/a" else { return OriginReply(text: "elsewhere") }
            var reply = OriginReply(status: 302, [("Location", "/b")])
            reply.holdHead = hold
            return reply
        }
        let refusing = LoggingDelegate(.init(followsRedirections: false))
        let session = CachingSession(configuration: .patient, delegate: refusing, delegateQueue: refusing.queue)
        let url = origin.url("/a")
        async let answer = session.data(from: url)
        await hold.reached()
        session.finishTasksAndInvalidate()
        hold.release()
        #expect(try await (answer.1 as? HTTPURLResponse)?.statusCode == 302 && origin.count("/b") == 0)
        for await _ in refusing.invalidated.stream {}
        #expect(refusing.log == ["redirected 302 to /b", "invalid"])
    }

    @Test("a task is cancelled by its progress") func progress() async throws {
        let hold = Hold()
        origin.reply { _ in
            var reply = OriginReply(text: "hello")
            reply.holdHead = hold
            return reply
        }
        defer { hold.release() }
        let task: URLSessionDataTask = session.dataTask(with: origin.url("/a"))
        task.resume()
        await hold.reached()
        task.progress.cancel()
        await delegate.end()
        #expect(delegate.log == ["failed -999"])
    }
}
