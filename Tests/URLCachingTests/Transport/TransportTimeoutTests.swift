import LoopbackOrigin
import Testing

@testable import URLCaching

/// The time-outs of requests that a session sends.
@Suite(.timeLimit(.minutes(60))) struct TransportTimeoutTests {
    @Test(
        "an exchange that goes on for longer than timeoutIntervalForResource fails, although bytes come",
        arguments: [CachingSession.Configuration.Carrier.libcurl, .urlSession], ["GET", "POST"])
    func resourceTimeout(carrier: CachingSession.Configuration.Carrier, method: String) async throws {
        let origin = try RawOrigin { _ in
            [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .drip([UInt8](repeating: 0x61, count: 50_000_000))]
        }
        var configuration = CachingSession.Configuration.patient.with { $0.timeoutIntervalForResource = 0.3 }
        configuration.carrier = carrier
        let session = CachingSession(configuration: configuration, cache: SessionBench.memoryCache())
        var request = URLRequest(url: try #require(URL(string: origin.base)))
        request.httpMethod = method
        let error = await thrown { [request] in _ = try await session.data(for: request) }
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription.contains("timeoutIntervalForResource") == true)
        origin.stop()
    }

    @Test(
        "of two requests to an origin that hangs each fails after its own time-out, and the error names it",
        arguments: [
            ("GET", "not come within SECONDS s"),
            ("POST", "nothing came for SECONDS s; raise the request's timeoutInterval"),
        ])
    func idleTimeout(method: String, text: String) async throws {
        let origin = try RawOrigin { _ in [.hang] }
        defer { origin.stop() }
        let session = CachingSession(cache: nil)
        @Sendable func failure(_ path: String, after seconds: Double) async throws -> URLError? {
            var request = URLRequest(url: try #require(URL(string: origin.base + path)))
            request.timeoutInterval = seconds
            request.httpMethod = method
            let sent = request
            return await thrown { _ = try await session.data(for: sent) }
        }
        async let long = failure("/long", after: 0.3)
        let short = try await failure("/short", after: 0.1)
        for (error, seconds) in [(short, 0.1), (try await long, 0.3)] {
            #expect(error?.code == .timedOut)
            let named = text.replacing("SECONDS", with: "\(seconds)")
            #expect(error?.localizedDescription.contains(named) == true)
        }
    }

    @Test("a POST has no time-out while its task is suspended") func suspendedPost() async throws {
        let hold = Hold()
        let origin = try RawOrigin { path in
            guard path == "/post" else { return [.hang] }
            return [.wait(hold), .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8))]
        }
        defer { origin.stop() }
        let session = CachingSession(cache: nil)
        func request(_ path: String, _ seconds: Double) throws -> URLRequest {
            var request = URLRequest(url: try #require(URL(string: origin.base + path)))
            request.httpMethod = "POST"
            request.timeoutInterval = seconds
            return request
        }
        let (ends, end) = AsyncStream<String>.makeStream()
        let task = session.dataTask(with: try request("/post", 0.3)) { data, _, error in
            end.yield(data.map { String(decoding: $0, as: UTF8.self) } ?? "\(String(describing: error))")
        }
        task.resume()
        task.suspend()
        // Takes a second.
        let hanging = try request("/hang", 1)
        #expect(await thrown { _ = try await session.data(for: hanging) }?.code == .timedOut)
        hold.release()
        for _ in 0..<1_000_000 where task.response == nil { await Task.yield() }
        task.resume()
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == "hello")
    }

    @Test("a header whose lines come one by one has its time with each of them") func slowHeader() async throws {
        // More lines than the time-out has seconds, and it has twenty times what each takes: a busy machine is slow.
        let holds = (0..<24).map { _ in Hold() }
        let origin = try RawOrigin { path in
            guard path == "/slow" else { return [.hang] }
            let lines = holds.map { [.wait($0), .send(Array("X-Line: a\r\n".utf8))] as [RawOrigin.Step] }
            return [.send(Array("HTTP/1.1 200 OK\r\n".utf8))] + lines.flatMap { $0 }
                + [.send(Array("Content-Length: 5\r\n\r\nhello".utf8)), .hang]
        }
        defer { origin.stop() }
        let session = CachingSession(cache: SessionBench.memoryCache())
        func request(_ path: String, _ seconds: Double) throws -> URLRequest {
            var request = URLRequest(url: try #require(URL(string: origin.base + path)))
            request.timeoutInterval = seconds
            return request
        }
        let slow = try request("/slow", 20)
        let answer = Task { Got(try await session.data(for: slow)).body }
        for hold in holds {
            // Takes a second.
            let hanging = try request("/hang", 1)
            #expect(await thrown { _ = try await session.data(for: hanging) }?.code == .timedOut)
            hold.release()
        }
        #expect(try await answer.value == "hello")
    }

    @Test("a body that stops after its reader has kept it waiting fails after the time-out all the same")
    func idleAfterPause() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 30000000\r\n\r\n".utf8)
        let origin = try RawOrigin { _ in [.send(head + [UInt8](repeating: 0x61, count: 20_000_000)), .hang] }
        defer { origin.stop() }
        let session = CachingSession(cache: nil)
        var request = URLRequest(url: try #require(URL(string: origin.base)))
        request.timeoutInterval = 0.5
        let sent = request
        var count = 0
        // On a busy machine the time may be over before the header has come.
        let error = await thrown {
            let (stream, _) = try await session.bytes(for: sent)
            for try await part in stream { count += part.count }
        }
        #expect(error?.code == .timedOut && count <= 20_000_000)
    }
}
