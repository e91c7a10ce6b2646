import CacheTiers
import HTTPCache
import HTTPSemantics
import TestSupport
import Testing
import VirtualOrigin

/// Bodies on their way.
@Suite struct StreamingTests {
    static let chunk = [UInt8](repeating: 0x61, count: 100 << 10)

    @Test(
        "a body announced as too long to be kept streams through at its reader's pace, and removes what it supersedes")
    func announced() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        replyLong(bench, ["Cache-Control": "max-age=60", "Content-Length": "\(Self.chunk.count * 100)"])
        try expectPaced(bench)
        #expect(!bench.isStored())
    }

    @Test("5 % of the capacity is the longest body that is kept", arguments: [(0, true), (1, false)])
    func limit(excess: Int, isKept: Bool) throws {
        let bench = try Bench()
        let length = bench.store.tiers.memory.capacity / 20 + excess
        bench.reply(["Cache-Control": "max-age=60", "Content-Length": "\(length)"])
        let engine = bench.engine
        let answer = bench.executor.start {
            try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url)))
        }
        bench.executor.drain()
        #expect(try #require(answer.value).cacheStatus.isStored == isKept)
    }

    @Test("the larger of two tiers decides which body is kept", arguments: [4 << 20, 100_000])
    func limitOfTwoTiers(memory: Int) throws {
        let directory = try ScratchDirectory()
        let disk = try DiskTier(directory: directory.path, capacity: 1 << 20)
        let bench = try Bench(disk: disk, memoryCapacity: memory)
        let length = max(memory, 1 << 20) / 20 - 2_000
        bench.reply(["Cache-Control": "max-age=60"], body: String(repeating: "x", count: length))
        _ = try bench.get()
        #expect(bench.isStored())
    }

    @Test("a body that turns out too long is handed on all the same, whole") func unannounced() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        replyLong(bench, ["Cache-Control": "max-age=60"])
        try expectPaced(bench)
        #expect(!bench.isStored())
    }

    @Test("several readers of one such body all get the whole of it") func severalReaders() throws {
        let bench = try Bench()
        replyLong(bench, ["Cache-Control": "max-age=60"])
        bench.origin.hold(bodies: true)
        let readers = (0..<3).map { _ in bench.start() }
        // All have begun to read before the first part comes: too late for those who come after it.
        bench.origin.release(1)
        bench.executor.drain()
        bench.origin.release()
        bench.executor.drain()
        for reader in readers { #expect(reader.value?.body.utf8.count == Self.chunk.count * 100) }
        #expect(bench.requestCount == 1)
    }

    @Test("a body that is not to be stored is handed on part by part, without waiting for the rest")
    func events() throws {
        let bench = try Bench()
        bench.origin.reply { _ in .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"]), chunks: [[1], [2]]) }
        bench.origin.hold(bodies: true)
        let engine = bench.engine
        let first = bench.executor.start {
            guard
                case .stream(let stream) = try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url))).body
            else { return nil as [UInt8]? }
            return try await stream.next().map { [UInt8]($0) }
        }
        bench.executor.drain()
        bench.origin.release(1)
        bench.executor.drain()
        #expect(first.result == nil)
        bench.origin.release(1)
        bench.executor.drain()
        #expect(first.value == [1])
    }

    @Test("a response under a URL that cannot be a key is not said to be stored") func refusedKey() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        let engine = bench.engine
        let answer = bench.executor.start {
            try await engine.respond(to: CacheRequest(HTTPRequest(url: "https://user@example.org/a")))
        }
        bench.executor.drain()
        #expect(try #require(answer.value).cacheStatus.isStored == false)
    }

    @Test("an empty part does not end a body") func emptyPart() throws {
        let bench = try Bench()
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [], [0x62]])
        }
        #expect(try bench.get().body == "ab")
    }

    @Test("the body of a 2xx alone comes unread to a request that will read the whole", arguments: [200, 404])
    func readingWhole(status: Int) throws {
        let bench = try Bench()
        bench.origin.reply { _ in
            .init(
                HTTPResponse(status: status, headerFields: ["Cache-Control": "no-store"]),
                chunks: Array(repeating: Self.chunk, count: 100))
        }
        let engine = bench.engine
        let answer = bench.executor.start {
            var request = CacheRequest(HTTPRequest(url: Bench.url))
            request.readsWhole = true
            return try await engine.respond(to: request)
        }
        bench.executor.drain()
        #expect(answer.value != nil && (bench.origin.chunksSent == 100) == (status == 200))
    }

    @Test("a body that an application puts in the place of its transport's is the one that counts")
    func replacedBody() throws {
        let bench = try Bench()
        let engine = CacheEngine(
            responses: bench.store, transport: Replacing(origin: bench.origin), clock: bench.clock,
            options: bench.engine.options)
        bench.reply(["Cache-Control": "max-age=60"], body: "own")
        let seen = bench.executor.start {
            try await Seen(engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url)))).body
        }
        bench.executor.drain()
        #expect(seen.value == "own")
    }

    /// Takes a pushed body's place with that of another origin.
    private struct Replacing: Transport {
        let origin: VirtualOrigin

        func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
            let incoming = try await origin.send(outgoing)
            var replaced = IncomingResponse(incoming.response, pushed: EndingWhenCancelled(isPushed: true))
            replaced.body = incoming.body
            return replaced
        }
    }

    @Test("a body that breaks off is an error at the place where it does, and is not stored")
    func breakingOff() throws {
        let bench = try Bench()
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[1]], breaksOff: true)
        }
        let seen = bench.start()
        guard case .brokenOff = seen.error as? EngineError else {
            Issue.record("\(String(describing: seen.result))")
            return
        }
        #expect(!bench.isStored())
    }

    @Test("a cancelled reader stops waiting") func cancelledReader() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold(bodies: true)
        let reader = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        reader.cancel()
        bench.executor.drain()
        guard case .cancelled = reader.error as? EngineError else {
            Issue.record("\(String(describing: reader.result))")
            return
        }
        #expect(bench.origin.cancelled == 1)
    }

    @Test("a body whose end a transport tells only because it was cancelled is not stored", arguments: [false, true])
    func endAtCancellation(isPushed: Bool) throws {
        let bench = try Bench()
        var options = EngineOptions()
        options.executor = bench.executor
        let engine = CacheEngine(
            responses: bench.store, transport: EndingWhenCancelled(isPushed: isPushed), clock: bench.clock,
            options: options)
        let reader = bench.executor.start {
            try await Seen(engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url))))
        }
        bench.executor.drain()
        #expect(reader.result == nil)
        reader.cancel()
        bench.executor.drain()
        #expect(reader.error != nil)
        #expect(!bench.isStored())
    }

    /// Answers with a body that never comes, and takes its cancellation for the end.
    private struct EndingWhenCancelled: Transport, PushedBody {
        let isPushed: Bool
        let isComplete = false

        func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
            let response = HTTPResponse(headerFields: ["Cache-Control": "max-age=60"])
            return isPushed ? IncomingResponse(response, pushed: self) : IncomingResponse(response, body: self)
        }

        func deliver(to sink: any BodySink) async throws -> Bool { try await next() == nil }

        func next() async throws -> [UInt8]? {
            for await _ in AsyncStream(Never.self, { _ in }) {}
            return nil
        }

        func cancel() {}
    }

    private func replyLong(_ bench: Bench, _ fields: HTTPFields) {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: fields), chunks: Array(repeating: Self.chunk, count: 100))
        }
    }

    /// Before the body is read, few chunks may leave the origin; then all of them come.
    private func expectPaced(_ bench: Bench) throws {
        let engine = bench.engine
        let sentBefore = bench.origin.chunksSent
        let answer = bench.executor.start {
            try await engine.respond(
                to: CacheRequest(HTTPRequest(url: Bench.url), policy: .reloadIgnoringLocalCacheData))
        }
        bench.executor.drain()
        #expect(bench.origin.chunksSent - sentBefore <= 4)
        let body = try #require(answer.value).body
        let whole = bench.executor.start { try await body.collect().count }
        bench.executor.drain()
        #expect(whole.value == Self.chunk.count * 100)
    }
}
