import HTTPCache
import HTTPSemantics
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// A suspended task has no time-outs, and nothing is passed on (E10).
@Suite(.timeLimit(.minutes(60))) struct SuspendedTaskTests {
    private let delegate = LoggingDelegate()
    private let clock = VirtualClock(seconds: SessionBench.start)
    private let origin: VirtualOrigin
    private let configuration = URLSessionConfiguration.ephemeral
    private let session: CachingSession
    private let url: URL

    init() throws {
        origin = VirtualOrigin { _ in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "Content-Length": "10"]),
                chunks: [Array("hello".utf8), Array("world".utf8)])
        }
        configuration.timeoutIntervalForResource = 300
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        session = CachingSession(
            configuration: configuration, delegate: delegate, delegateQueue: delegate.queue, transport: origin,
            clock: clock)
        url = try #require(URL(string: "http://origin.test/a"))
    }

    /// Far more than any time-out passes.
    private func passTime() async {
        for _ in 0..<1_000 {
            clock.advance(by: 61)
            await Task.yield()
        }
    }

    @Test("no time is over for a request while its task is suspended", arguments: ["GET", "POST"])
    func head(method: String) async {
        origin.hold()
        var request = URLRequest(url: url)
        request.httpMethod = method
        let task: URLSessionDataTask = session.dataTask(with: request)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        task.suspend()
        await passTime()
        #expect(task.state == .suspended && delegate.log.isEmpty)
        task.resume()
        origin.release()
        await delegate.end()
        #expect(delegate.log.last == "end" && delegate.body == Data("helloworld".utf8))
        #expect(origin.requests.count == 1 && origin.cancelled == 0)
    }

    @Test("the time of a request begins anew when its task is resumed") func resumed() async {
        origin.hold()
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        task.suspend()
        await passTime()
        task.resume()
        clock.advance(by: 59)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(delegate.log.isEmpty)
        while delegate.log.isEmpty { await passTime() }
        #expect(delegate.log == ["failed -1001"])
    }

    @Test("a GET whose connection is lost while its task is suspended is sent again") func lost() async {
        let isFirst = Locked(true)
        origin.replyToReceived { _ in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return fails ? .none : .init(HTTPResponse(status: 204))
        }
        let lossy = Lossy(origin: origin)
        let session = CachingSession(
            configuration: configuration, delegate: delegate, delegateQueue: delegate.queue, transport: lossy,
            clock: clock)
        origin.hold()
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        task.suspend()
        origin.release()
        for _ in 0..<1_000 { await Task.yield() }
        task.resume()
        await delegate.end()
        #expect(delegate.log.first == "response 204" && delegate.log.last == "end" && origin.requests.count == 2)
    }

    /// Its failures are lost connections.
    private struct Lossy: Transport {
        let origin: VirtualOrigin

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            do {
                return try await origin.send(request)
            } catch is VirtualOrigin.Unreachable {
                throw URLError(.networkConnectionLost)
            }
        }
    }

    @Test("a body that stops while its task is suspended goes on") func body() async {
        origin.hold(bodies: true)
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while delegate.body.isEmpty {
            if origin.chunksSent == 0, origin.heldCount > 0 { origin.release(1) }
            await Task.yield()
        }
        task.suspend()
        await passTime()
        #expect(task.state == .suspended && !delegate.log.contains { $0.hasPrefix("failed") })
        task.resume()
        origin.release()
        await delegate.end()
        #expect(delegate.log.last == "end" && delegate.body == Data("helloworld".utf8))
        #expect(origin.requests.count == 1)
    }

    @Test("a download that was a data task is suspended as any other") func download() async throws {
        // By its number, since Foundation on Linux warns of the name: there it has no effect.
        let becomeDownload = try #require(URLSession.ResponseDisposition(rawValue: 2))
        let delegate = LoggingDelegate(.init(disposition: becomeDownload))
        let session = CachingSession(
            configuration: configuration, delegate: delegate, delegateQueue: delegate.queue, transport: origin,
            clock: clock)
        origin.hold(bodies: true)
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        origin.release(1)
        while delegate.log.last != "became a download" { await Task.yield() }
        let download = try #require(delegate.download.withLock { $0 })
        download.suspend()
        await passTime()
        origin.release()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(download.state == .suspended && delegate.log == ["response 200", "became a download"])
        download.resume()
        await delegate.end()
        #expect(delegate.log.dropFirst(2) == ["wrote 10 of 10", "file", "end"])
        #expect(delegate.file.withLock { $0 } == Data("helloworld".utf8))
    }

    @Test("a delegate is asked whether to cache an empty answer once it has that") func empty() async {
        origin.reply { _ in .init(HTTPResponse(status: 204, headerFields: ["Cache-Control": "max-age=60"])) }
        origin.hold()
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        task.suspend()
        origin.release()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(delegate.log.isEmpty)
        task.resume()
        await delegate.end()
        #expect(delegate.log == ["response 204", "will cache 0 of 0", "end"])
    }

    /// A suspended task whose exchange has failed.
    private func failed() async -> URLSessionDataTask {
        origin.reply { _ in .none }
        origin.hold()
        let task: URLSessionDataTask = session.dataTask(with: url)
        task.resume()
        while origin.heldCount == 0 { await Task.yield() }
        task.suspend()
        origin.release()
        for _ in 0..<1_000 { await Task.yield() }
        return task
    }

    @Test("a failure is passed on once the task is resumed") func failure() async {
        let task = await failed()
        #expect(task.state == .suspended && delegate.log.isEmpty)
        task.resume()
        await delegate.end()
        #expect(delegate.log.count == 1 && delegate.log.last?.hasPrefix("failed -100") == true)
    }

    @Test("a task that waits for its resumption after a failure can be cancelled") func cancelled() async {
        await failed().cancel()
        await delegate.end()
        #expect(delegate.log == ["failed -999"])
    }

    @Test("a task is not kept from a long body by another that is suspended, which then asks for itself")
    func sharedBody() async throws {
        let long = [UInt8](repeating: 7, count: 2 << 20)
        origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [long, Array("end".utf8)])
        }
        origin.hold(bodies: true)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin, clock: clock)
        let (ends, end) = AsyncStream<(Int?, URLError?)>.makeStream()
        let tasks = (0..<2).map { _ in
            session.dataTask(with: url) { data, _, error in end.yield((data?.count, error as? URLError)) }
        }
        for task in tasks { task.resume() }
        while session.underWay.requests < 2 || origin.heldCount == 0 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        tasks[1].suspend()
        // The first part is more than is kept for the one that lags.
        while tasks[0].countOfBytesReceived < Int64(long.count) {
            if origin.heldCount > 0 { origin.release(1) }
            await Task.yield()
        }
        clock.advance(by: 61)
        origin.release()
        var iterator = ends.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.0 == long.count + 3 && first?.1 == nil)
        tasks[1].resume()
        let second = await iterator.next()
        #expect(second?.0 == long.count + 3 && second?.1 == nil)
    }

    @Test("one that has some of the body by then asks for the rest, where that can be had", arguments: [true, false])
    func sharedBodyBegun(hasRanges: Bool) async throws {
        let body = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        // The first part is kept, so another may join. With the third, the body waits for the one that lags.
        let ends = [10_000, 400_000, 2 << 20, body.count]
        origin.reply { request in
            var fields: HTTPFields = ["Cache-Control": "max-age=60"]
            if hasRanges { fields["ETag"] = "\"a\"" }
            guard let range = request.headerFields["Range"] else {
                let parts = zip([0] + ends, ends).map { Array(body[$0..<$1]) }
                return .init(HTTPResponse(headerFields: fields), chunks: parts)
            }
            guard let first = ends.first(where: { range == "bytes=\($0)-" }) else { return .none }
            fields["Content-Range"] = "bytes \(first)-\(body.count - 1)/\(body.count)"
            return .init(HTTPResponse(status: 206, headerFields: fields), chunks: [Array(body[first...])])
        }
        origin.hold(bodies: true)
        let session = CachingSession(
            configuration: configuration, delegate: nil, delegateQueue: nil, transport: origin, clock: clock)
        let answers = (0..<2).map { _ in AsyncStream<(Data?, URLError?)>.makeStream() }
        let tasks = answers.map { answer in
            session.dataTask(with: url) { data, _, error in answer.continuation.yield((data, error as? URLError)) }
        }
        func receive(_ count: Int, _ task: URLSessionTask) async {
            while task.countOfBytesReceived < Int64(count) {
                if origin.heldCount > 0, tasks[0].countOfBytesReceived < Int64(count) { origin.release(1) }
                await Task.yield()
            }
        }
        tasks[0].resume()
        await receive(ends[0], tasks[0])
        tasks[1].resume()
        while tasks[1].countOfBytesReceived < Int64(ends[0]), origin.requests.count == 1 { await Task.yield() }
        try #require(origin.requests.count == 1)
        tasks[1].suspend()
        await receive(ends[2], tasks[0])
        clock.advance(by: 61)
        origin.release()
        var answer = answers[0].stream.makeAsyncIterator()
        #expect(await answer.next()?.0 == Data(body))
        tasks[1].resume()
        answer = answers[1].stream.makeAsyncIterator()
        let second = await answer.next()
        #expect(second?.0 == (hasRanges ? Data(body) : nil))
        #expect(second?.1?.code == (hasRanges ? nil : .networkConnectionLost))
    }
}
