import CacheTiers
import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// Each waiter of a shared fetch keeps its own time-out (C14).
@Suite struct TimeoutTests {
    let bench: Bench

    init() throws {
        bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"], body: "shared")
    }

    @Test(
        "of two that share a fetch, the one with 2 s fails at 2 s and the one with 18 s gets the answer",
        arguments: [true, false])
    func ownTimes(shortIsFirst: Bool) {
        bench.origin.hold()
        let first = start(timeout: shortIsFirst ? 2 : 18)
        let second = start(timeout: shortIsFirst ? 18 : 2)
        let (short, long) = shortIsFirst ? (first, second) : (second, first)
        advance(by: 1)
        #expect(short.result == nil)
        advance(by: 1)
        expectTimeOut(short, 2)
        #expect(long.result == nil && bench.origin.cancelled == 0)
        advance(by: 10)
        bench.origin.release()
        bench.executor.drain()
        #expect(long.value?.body == "shared")
        #expect(bench.requestCount == 1)
    }

    @Test("of two that share a fetch, each has all of its own time for the whole answer", arguments: [false, true])
    func ownLimits(isArriving: Bool) {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let first = start(limit: 10)
        if isArriving {
            bench.origin.release(1)
            bench.executor.drain()
        }
        advance(by: 9)
        let second = start(limit: 10)
        #expect(bench.requestCount == 1 && first.result == nil)
        advance(by: 1)
        expectTookTooLong(first)
        advance(by: 8)
        #expect(second.result == nil && bench.origin.cancelled == 0)
        bench.origin.release()
        bench.executor.drain()
        bench.origin.release()
        bench.executor.drain()
        #expect(second.value?.body == "ab" && bench.requestCount == 1)
    }

    @Test("the time for the whole answer is over although bytes come") func limitOfLongBody() {
        bench.origin.reply { _ in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: Array(repeating: [0x61], count: 9))
        }
        bench.origin.hold(bodies: true)
        let started = start(limit: 10)
        for _ in 0..<5 {
            #expect(started.result == nil)
            bench.origin.release(1)
            bench.executor.drain()
            advance(by: 2)
        }
        expectTookTooLong(started)
        #expect(bench.origin.cancelled == 1)
    }

    @Test("when the time of the last waiter is over, the fetch is cancelled") func last() {
        bench.origin.hold()
        let both = [start(timeout: 2), start(timeout: 4)]
        advance(by: 4)
        for (one, seconds) in zip(both, [2.0, 4.0]) { expectTimeOut(one, seconds) }
        #expect(bench.origin.cancelled == 1)
    }

    @Test("one who joins late has all of its own time") func joiningLate() {
        bench.origin.hold()
        let first = start(timeout: 5)
        advance(by: 4)
        let second = start(timeout: 5)
        advance(by: 1)
        expectTimeOut(first, 5)
        advance(by: 3)
        #expect(second.result == nil)
        advance(by: 1)
        expectTimeOut(second, 5)
    }

    @Test("every chunk of the body begins the time again") func chunks() {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62], [0x63]])
        }
        bench.origin.hold(bodies: true)
        let slow = start(timeout: 10)
        let fast = start(timeout: 3)
        for _ in 0..<3 {
            advance(by: 2)
            bench.origin.release(1)
            bench.executor.drain()
        }
        #expect(slow.result == nil && fast.result == nil)
        advance(by: 3)
        expectTimeOut(fast, 3)
        bench.origin.release()
        bench.executor.drain()
        #expect(slow.value?.body == "abc")
    }

    @Test("of a whole body, the time begins again with the bytes that came, not with the look at the clock")
    func wholeBody() {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let started = start(timeout: 10)
        bench.origin.release(1)
        bench.executor.drain()
        advance(by: 6)
        bench.origin.release(1)
        bench.executor.drain()
        advance(by: 4)
        advance(by: 5)
        #expect(started.result == nil)
        advance(by: 1)
        expectTimeOut(started, 10)
    }

    @Test("a chunk without bytes does not begin the time again") func emptyChunk() {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let started = start(timeout: 10)
        for _ in 0..<3 {
            bench.origin.release(1)
            bench.executor.drain()
            advance(by: 5)
        }
        expectTimeOut(started, 10)
    }

    @Test("the time for the whole answer is kept for any method", arguments: ["HEAD", "POST"])
    func limitOfAnyMethod(method: String) {
        bench.origin.hold()
        let started = start(limit: 10, method)
        advance(by: 9)
        #expect(started.result == nil)
        advance(by: 1)
        expectTookTooLong(started)
        #expect(bench.origin.cancelled == 1)
    }

    @Test("a body's time begins anew for one who was suspended, also that for the whole answer") func restart() throws {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let engine = bench.engine
        var request = CacheRequest(HTTPRequest(url: Bench.url), timeout: 1_000)
        request.limit = TimeLimit(seconds: 10, from: bench.clock.uptime)
        request.secondsRunning = { [clock = bench.clock] in min(max(clock.uptime - 100, 0), 100) }
        let body = bench.executor.start { [request] in try await engine.respond(to: request).body }
        bench.executor.drain()
        bench.origin.release(1)
        bench.executor.drain()
        guard case .stream(let stream) = try #require(body.value) else { throw CancellationError() }
        let reading = bench.executor.start { try await stream.next()?.count }
        bench.executor.drain()
        advance(by: 100)
        advance(by: 9)
        #expect(reading.result == nil)
        advance(by: 1)
        guard case .tookTooLong(10) = reading.error as? EngineError else {
            Issue.record("\(String(describing: reading.result))")
            return
        }
    }

    @Test("where the transport keeps the time, the engine keeps none") func ownFetch() {
        bench.origin.hold()
        let started = bench.start(CacheRequest(HTTPRequest(method: "POST", url: Bench.url), timeout: 2))
        advance(by: 100)
        #expect(started.result == nil)
        bench.origin.release()
        bench.executor.drain()
        #expect(started.value?.body == "shared")
    }

    @Test("a GET does not leave its time to the transport, and others do", arguments: [true, false])
    func transportsTime(hasCache: Bool) throws {
        let seen = Timeouts()
        var options = EngineOptions()
        options.executor = bench.executor
        let none = TwoTierCache(memory: MemoryTier(clamping: 0), disk: nil, hasher: KeyHasher())
        let engine = CacheEngine(
            responses: hasCache ? bench.store : ResponseStore(tiers: none), transport: seen, clock: bench.clock,
            options: options)
        for (method, timeout) in [("POST", 7.0 as Double?), ("GET", nil)] {
            let request = CacheRequest(HTTPRequest(method: method, url: Bench.url), timeout: 7)
            let started = bench.executor.start { try await engine.respond(to: request).response.status }
            bench.executor.drain()
            #expect(started.result != nil && seen.last == timeout)
        }
    }

    @Test("bytes of a header that is not complete begin the time again") func headerLines() {
        let telling = Telling(origin: bench.origin)
        var options = EngineOptions()
        options.executor = bench.executor
        let engine = CacheEngine(responses: bench.store, transport: telling, clock: bench.clock, options: options)
        bench.origin.hold()
        let request = CacheRequest(HTTPRequest(url: Bench.url), timeout: 10)
        let started = bench.executor.start { try await engine.respond(to: request).response.status }
        bench.executor.drain()
        advance(by: 6)
        telling.seen.onProgress?()
        advance(by: 9)
        #expect(started.result == nil)
        advance(by: 1)
        guard case .timedOut(10) = started.error as? EngineError else {
            Issue.record("\(String(describing: started.result))")
            return
        }
    }

    @Test("a reader that comes late has no more than the rest of the time since the last byte")
    func lateReader() throws {
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [[0x61], [0x62]])
        }
        bench.origin.hold(bodies: true)
        let engine = bench.engine
        let request = CacheRequest(HTTPRequest(url: Bench.url), timeout: 10)
        let body = bench.executor.start { try await engine.respond(to: request).body }
        bench.executor.drain()
        bench.origin.release(1)
        bench.executor.drain()
        let answer = try #require(body.value)
        guard case .stream(let stream) = answer else { throw CancellationError() }
        bench.origin.release(1)
        let first = bench.executor.start { try await stream.next()?.count }
        bench.executor.drain()
        #expect(first.value == 1)
        advance(by: 8)
        let second = bench.executor.start { try await stream.next()?.count }
        bench.executor.drain()
        advance(by: 1)
        #expect(second.result == nil)
        advance(by: 1)
        guard case .timedOut(10) = second.error as? EngineError else {
            Issue.record("\(String(describing: second.result))")
            return
        }
    }

    @Test("the time that is over counts as a failure that a stale response may stand in for (C12)")
    func standingIn() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"a\""], body: "old")
        _ = try bench.get()
        bench.at(61)
        bench.origin.hold()
        let seen = start(timeout: 2)
        advance(by: 2)
        #expect(seen.value?.body == "old" && seen.value?.source == .offline)
    }

    private func start(timeout: Double) -> Started<Seen> {
        bench.start(CacheRequest(HTTPRequest(url: Bench.url), timeout: timeout))
    }

    private func start(limit: Double, _ method: String = "GET") -> Started<Seen> {
        var request = CacheRequest(HTTPRequest(method: method, url: Bench.url), timeout: 1_000)
        request.limit = TimeLimit(seconds: limit, from: bench.clock.uptime)
        return bench.start(request)
    }

    private func expectTookTooLong(_ started: Started<Seen>) {
        guard case .tookTooLong(10) = started.error as? EngineError else {
            Issue.record("\(String(describing: started.result))")
            return
        }
    }

    private func advance(by seconds: Int64) {
        bench.clock.advance(by: seconds)
        bench.executor.drain()
    }

    private func expectTimeOut(_ started: Started<Seen>, _ seconds: Double) {
        guard case .timedOut(seconds) = started.error as? EngineError else {
            Issue.record("\(String(describing: started.result))")
            return
        }
    }

    /// Remembers the time-out of the last request.
    private final class Timeouts: Transport {
        private let origin = VirtualOrigin { _ in .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"])) }
        private let seen = SeenTimeout()

        var last: Double? { seen.value }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            seen.value = request.timeout
            return try await origin.send(request)
        }
    }

    /// Keeps what a request has to be told.
    private struct Telling: Transport {
        let origin: VirtualOrigin
        let seen = SeenTimeout()

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            seen.onProgress = request.onProgress
            return try await origin.send(request)
        }
    }

    /// `@unchecked Sendable`: used by one task at a time.
    private final class SeenTimeout: @unchecked Sendable {
        var value: Double?
        var onProgress: (@Sendable () -> Void)?
    }
}
