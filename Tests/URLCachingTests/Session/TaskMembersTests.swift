import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// Members of tasks and sessions that URLSession has: state, suspension, lists, invalidation.
@Suite(.timeLimit(.minutes(60))) struct TaskMembersTests {
    /// A session on an origin in memory, whose answers are a body of two parts.
    private static func bench(
        _ delegate: LoggingDelegate? = nil, holds: Bool = false
    ) throws -> (CachingSession, VirtualOrigin, URL) {
        let clock = VirtualClock(seconds: SessionBench.start)
        let origin = VirtualOrigin(clock: clock) { _ in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "no-store", "Content-Length": "10"]),
                chunks: [Array("hello".utf8), Array("world".utf8)])
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = CachingSession(
            configuration: configuration, delegate: delegate, delegateQueue: delegate?.queue, transport: origin,
            clock: clock)
        return (session, origin, try #require(URL(string: "http://origin.test/a")))
    }

    @Test("a task is suspended, running and completed, and its counts and progress go along")
    func states() async throws {
        let delegate = LoggingDelegate()
        let (session, origin, url) = try Self.bench(delegate)
        let task: URLSessionDataTask = session.dataTask(with: url)
        #expect(task.state == .suspended && task.response == nil && task.countOfBytesReceived == 0)
        #expect(origin.requests.isEmpty)
        task.resume()
        await delegate.end()
        #expect(task.state == .completed && task.countOfBytesReceived == 10)
        #expect(task.countOfBytesExpectedToReceive == 10 && task.progress.fractionCompleted == 1)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        let times = try #require((task as? any CachingSessionTask)?.times)
        let (start, response, end) = try (
            #require(times.start), #require(times.responseStart), #require(times.end)
        )
        #expect(start <= response && response <= end && times.redirectCount == 0)
    }

    @Test("a suspended task passes nothing on until it was resumed as often as it was suspended")
    func suspended() async throws {
        let delegate = LoggingDelegate()
        let (session, _, url) = try Self.bench(delegate)
        let task = session.dataTask(with: url)
        // The queue takes the calls later, so that what is told is what was told before.
        delegate.queue.isSuspended = true
        task.resume()
        task.suspend()
        task.suspend()
        #expect(task.state == .suspended)
        task.resume()
        delegate.queue.isSuspended = false
        await Task.yield()
        #expect(task.state == .suspended && !delegate.log.contains("end"))
        task.resume()
        await delegate.end()
        #expect(delegate.log.last == "end" && delegate.body == Data("helloworld".utf8))
    }

    @Test("a suspended task can be cancelled, and ends with the error") func cancelled() async throws {
        let delegate = LoggingDelegate()
        let (session, _, url) = try Self.bench(delegate)
        let task = session.dataTask(with: url)
        task.resume()
        task.suspend()
        task.cancel()
        await delegate.end()
        #expect(delegate.log.last == "failed -999" && task.state == .completed)
        #expect((task.error as URLError?)?.code == .cancelled)
    }

    @Test("the session lists its tasks by kind until they are over") func lists() async throws {
        let (session, _, url) = try Self.bench()
        let data = session.dataTask(with: url)
        let upload = session.uploadTask(with: URLRequest(url: url), from: Data("a".utf8))
        let download = session.downloadTask(with: url)
        let all = await session.allTasks
        #expect(all.count == 3 && all.first === data && all.last === download)
        let tasks = await session.tasks
        #expect(tasks.0.first === data && tasks.0.count == 1)
        #expect(tasks.1.first === upload && tasks.2.first === download)
        let (lists, list) = AsyncStream<Int>.makeStream()
        session.getAllTasks { list.yield($0.count) }
        for await count in lists {
            #expect(count == 3)
            break
        }
    }

    @Test("finishTasksAndInvalidate lets tasks end, refuses new ones, and tells the delegate once, which it lets go of")
    func finishes() async throws {
        let delegate = LoggingDelegate()
        let (session, origin, url) = try Self.bench(delegate)
        let task = session.dataTask(with: url)
        task.resume()
        session.finishTasksAndInvalidate()
        session.finishTasksAndInvalidate()
        await delegate.end()
        for await _ in delegate.invalidated.stream {}
        #expect(delegate.log == ["response 200", "data", "end", "invalid"])
        await session.delegateQueueIsDone()
        #expect(session.sessionDelegate == nil)
        let count = origin.requests.count
        let error = await thrown { _ = try await session.data(from: url) }
        #expect(error?.code == .cancelled && error?.localizedDescription.contains("invalidated") == true)
        let (errors, failed) = AsyncStream<URLError.Code?>.makeStream()
        session.dataTask(with: url) { failed.yield(($2 as? URLError)?.code) }.resume()
        for await code in errors {
            #expect(code == .cancelled)
            break
        }
        #expect(origin.requests.count == count)
    }

    @Test("invalidateAndCancel cancels tasks, begun or not") func invalidates() async throws {
        let delegate = LoggingDelegate()
        let (session, _, url) = try Self.bench(delegate)
        let task = session.dataTask(with: url)
        session.invalidateAndCancel()
        await delegate.end()
        for await _ in delegate.invalidated.stream {}
        #expect(delegate.log == ["failed -999", "invalid"] && task.state == .completed)
        CachingSession.shared.invalidateAndCancel()
        let refused = await thrown { _ = try await CachingSession.shared.data(from: URL(string: "ftp://a/b")!) }
        #expect(refused?.code == .unsupportedURL)
    }

    @Test("invalidateAndCancel cancels what is awaited, before its header and in its body", arguments: [false, true])
    func awaited(isInBody: Bool) async throws {
        let origin = VirtualOrigin { _ in
            .init(HTTPResponse(headerFields: ["Content-Length": "2"]), chunks: [Array("a".utf8), Array("b".utf8)])
        }
        origin.hold(bodies: true)
        let bench = try SessionBench(transport: origin)
        async let error = thrown { _ = try await bench.get() }
        while origin.heldCount == 0 { await Task.yield() }
        if isInBody {
            origin.release(1)
            while origin.heldCount == 0 { await Task.yield() }
        }
        bench.session.invalidateAndCancel()
        #expect(await error?.code == .cancelled)
        let later = await thrown { _ = try await bench.get() }
        #expect(later?.code == .cancelled && origin.requests.count == 1)
    }

    @Test("reset removes what is stored, cookies and credentials, and calls its handler on the queue")
    func reset() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let queue = OperationQueue()
        let session = CachingSession(configuration: configuration, delegate: nil, delegateQueue: queue)
        let origin = try LoopbackOrigin { _ in
            OriginReply([("Cache-Control", "max-age=1000000"), ("Set-Cookie", "a=1")], text: "hello")
        }
        _ = try await session.data(from: origin.url("/a"))
        #expect(session.cache?.currentMemoryUsage ?? 0 > 0)
        #expect(configuration.httpCookieStorage?.cookies?.isEmpty == false)
        let (calls, call) = AsyncStream<Bool>.makeStream()
        session.reset { call.yield(OperationQueue.current === queue) }
        for await isOnQueue in calls {
            #expect(isOnQueue)
            break
        }
        #expect(session.cache?.cachedResponse(for: URLRequest(url: origin.url("/a"))) == nil)
        #expect(session.configuration.httpCookieStorage?.cookies?.isEmpty != false)
    }

    @Test("lines end where URLSession's do, across parts of the body, and empty ones are left out", arguments: 1...4)
    func lines(partCount: Int) async throws {
        let text = "one\r\ntwo\n\n\nth\rree\u{e9}\r\n\u{b}a\u{c}b\u{85}\u{a9}c\u{2028}\u{2029}\u{2027}d\u{2028}end"
        let bytes = Array(text.utf8)
        let parts = stride(from: 0, to: bytes.count, by: partCount).map { bytes[$0...].prefix(partCount) }
        let origin = VirtualOrigin(clock: VirtualClock(seconds: SessionBench.start)) { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"]), chunks: parts.map { Array($0) })
        }
        let session = CachingSession(cache: nil, transport: origin)
        let (body, _) = try await session.bytes(from: #require(URL(string: "http://origin.test/a")))
        var lines: [String] = []
        for try await line in body.lines { lines.append(line) }
        #expect(lines == ["one", "two", "th", "ree\u{e9}", "a", "b", "\u{a9}c", "\u{2027}d", "end"])
    }
}

extension CachingSession {
    /// Returns when what is on the delegate queue now has run.
    fileprivate func delegateQueueIsDone() async {
        await withCheckedContinuation { continuation in delegateQueue.addOperation { continuation.resume() } }
    }
}
