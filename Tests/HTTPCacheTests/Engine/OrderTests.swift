import HTTPCache
import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

/// Order belongs to the cache: two engines over one store behave as one (A4, A14).
@Suite struct OrderTests {
    private let bench: Bench
    private let other: CacheEngine

    init() throws {
        bench = try Bench()
        other = CacheEngine(
            responses: bench.store, transport: bench.origin, clock: bench.clock, options: bench.engine.options)
    }

    private func start(
        _ engine: CacheEngine, _ fields: HTTPFields = [:], method: String = "GET", url: String = Bench.url,
        policy: RequestPolicy = .useProtocolCachePolicy
    ) -> Started<Seen> {
        let request = CacheRequest(HTTPRequest(method: method, url: url, headerFields: fields), policy: policy)
        let started = bench.executor.start { try await Seen(engine.respond(to: request)) }
        bench.executor.drain()
        return started
    }

    /// Lets one of the answers held back go, counted from the first, with this content.
    private func release(_ fields: HTTPFields = ["Cache-Control": "max-age=600"], status: Int = 200, body: String) {
        bench.reply(fields, status: status, body: body)
        bench.origin.release(1)
        bench.executor.drain()
    }

    private var storedBody: String? {
        bench.store.lookup(HTTPRequest(url: Bench.url))?.withBody { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "an unsafe request of one session keeps the running GET of another from being stored",
        arguments: ["POST", "PUT"])
    func unsafe(method: String) {
        bench.origin.hold()
        let slow = start(bench.engine)
        let post = start(other, method: method)
        bench.reply(status: 204, body: "")
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(post.value?.status == 204)
        release(body: "old")
        #expect(slow.value?.body == "old")
        #expect(storedBody == nil)
    }

    @Test("an older 200 does not replace a newer one, whichever session asked", arguments: [true, false])
    func older(sameSession: Bool) {
        bench.origin.hold()
        // Not shared: the fields differ.
        let slow = start(bench.engine, ["X": "1"])
        let quick = start(sameSession ? bench.engine : other, ["X": "2"])
        bench.reply(["Cache-Control": "max-age=600"], body: "new")
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(quick.value?.body == "new")
        release(body: "old")
        #expect(slow.value?.body == "old")
        #expect(storedBody == "new")
    }

    @Test(
        "of two answers that overlapped the one with the later Date stays, and a clock that is ahead holds up nothing",
        arguments: [
            // Dates in seconds from now, of the answer asked for first and second, which comes first; what stays.
            (5, 0, "second"), (-1, -2, "first"), (-2, -1, "second"), (-1, -1, "second"), (0, 9_999, "second"),
        ])
    func dates(first: Int64, second: Int64, stays: String) {
        bench.origin.hold()
        _ = start(bench.engine, ["X": "1"])
        _ = start(other, ["X": "2"])
        func fields(_ offset: Int64) -> HTTPFields {
            ["Cache-Control": "max-age=600", "Date": .init(HTTPDate.format(Bench.start + offset))]
        }
        bench.reply(fields(second), body: "second")
        bench.origin.releaseLatest()
        bench.executor.drain()
        release(fields(first), body: "first")
        #expect(storedBody == stays)
        _ = start(other, policy: .reloadIgnoringLocalCacheData)
        release(fields(-60), body: "third")
        #expect(storedBody == "third")
    }

    enum Removal: CaseIterable { case all, one, since, engineOne, otherEngine, superseded }

    @Test("what was sent before a removal returned stores nothing, a 304 included", arguments: Removal.allCases)
    func removal(_ removal: Removal) throws {
        let request = HTTPRequest(url: Bench.url)
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=0"])
        _ = try bench.get()
        bench.origin.hold()
        let (confirming, fetching) = (start(bench.engine), start(other, policy: .reloadIgnoringLocalCacheData))
        switch removal {
        case .all: try bench.store.removeAll()
        case .one: try bench.store.remove(request)
        case .since: try bench.store.removeAll(since: 0)
        case .engineOne: bench.engine.remove(CacheRequest(request))
        case .otherEngine: other.remove(CacheRequest(request))
        case .superseded: break
        }
        guard removal != .superseded else { return try superseding(confirming, fetching) }
        bench.origin.release()
        bench.executor.drain()
        // The 304 confirmed what is stored no more, so the request was sent again, and that answer may be stored.
        #expect(confirming.value?.source == .fetched && confirming.value?.body == "body")
        #expect(fetching.value?.body == "body")
        #expect(bench.requestCount == 4)
        #expect(bench.origin.requests.last?.headerFields["If-None-Match"] == nil)
    }

    /// The second answer is not stored, and shows that the stored one is outdated: the 304 from before confirms
    /// nothing.
    private func superseding(_ confirming: Started<Seen>, _ fetching: Started<Seen>) throws {
        bench.reply(["Cache-Control": "no-store"], body: "new")
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(fetching.value?.body == "new" && !bench.isStored())
        bench.origin.reply { request in
            request.headerFields["If-None-Match"] == nil
                ? .init(HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), chunks: [Array("newest".utf8)])
                : .init(HTTPResponse(status: 304, headerFields: ["ETag": "\"1\"", "Cache-Control": "max-age=60"]))
        }
        bench.origin.release()
        bench.executor.drain()
        #expect(confirming.value?.source == .fetched && confirming.value?.body == "newest")
        #expect(storedBody == "newest")
    }

    @Test("an older 304 renews nothing that a newer answer has replaced (RFC 9111, 4.3.4)")
    func olderConfirmation() throws {
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=0"], body: "one")
        _ = try bench.get()
        bench.origin.hold()
        let slow = start(bench.engine)
        let quick = start(other, ["X": "2"])
        bench.reply(["Cache-Control": "max-age=600", "ETag": "\"2\""], body: "two")
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(quick.value?.body == "two" && storedBody == "two")
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=600"], body: "one")
        bench.origin.release()
        bench.executor.drain()
        // The 304 was about a response that is stored no more: asked again, later than the second.
        #expect(slow.value?.source == .fetched)
        #expect(bench.requestCount == 4)
    }

    @Test("two confirmations of one response at the same time both answer, and the later one stays")
    func twoConfirmations() throws {
        bench.replyByEntityTag("\"1\"", ["Cache-Control": "max-age=0"], body: "one")
        _ = try bench.get()
        bench.origin.hold()
        let (first, second) = (start(bench.engine), start(other))
        for (seconds, lifetime) in [(600, "600"), (601, "10")] as [(Int64, String)] {
            bench.at(seconds)
            bench.replyByEntityTag("\"1\"", ["Cache-Control": .init("max-age=\(lifetime)")], body: "one")
            if seconds == 600 { bench.origin.releaseLatest() } else { bench.origin.release() }
            bench.executor.drain()
        }
        #expect(first.value?.source == .revalidated && second.value?.source == .revalidated)
        #expect(bench.requestCount == 3)
        let stored = try #require(bench.store.lookup(HTTPRequest(url: Bench.url)))
        #expect(stored.response.headerFields["Cache-Control"] == "max-age=600")
    }

    @Test("an older HEAD changes nothing of a newer response") func head() throws {
        bench.reply(["Cache-Control": "max-age=0", "ETag": "\"1\""], body: "one")
        _ = try bench.get()
        bench.origin.hold()
        let head = start(bench.engine, method: "HEAD", policy: .reloadIgnoringLocalCacheData)
        _ = start(other, ["X": "2"])
        bench.reply(["Cache-Control": "max-age=600", "ETag": "\"2\""], body: "two")
        bench.origin.releaseLatest()
        bench.executor.drain()
        release(["ETag": "\"1\"", "Cache-Control": "max-age=5"], body: "")
        #expect(head.value?.status == 200)
        #expect(storedBody == "two")
        #expect(
            bench.store.lookup(HTTPRequest(url: Bench.url))?.response.headerFields["Cache-Control"] == "max-age=600")
    }

    @Test("an older variant does not come back over a newer answer without variants") func variants() throws {
        bench.origin.hold()
        _ = start(bench.engine, ["Accept": "a"])
        _ = start(other, ["Accept": "b"])
        bench.reply(["Cache-Control": "max-age=600"], body: "for all")
        bench.origin.releaseLatest()
        bench.executor.drain()
        release(["Cache-Control": "max-age=600", "Vary": "Accept"], body: "for a")
        #expect(storedBody == "for all")
    }

    @Test("what the application stores itself is not replaced by an answer to an earlier request")
    func ownStore() throws {
        bench.origin.hold()
        _ = start(bench.engine)
        let body = Array("mine".utf8)
        _ = body.withUnsafeBytes { body in
            bench.store.store(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), for: HTTPRequest(url: Bench.url),
                body: body,
                requestTime: Bench.start, responseTime: Bench.start,
                storedAt: CacheTime(seconds: Bench.start).microseconds)
        }
        release(body: "old")
        #expect(storedBody == "mine")
    }

    @Test("an application's storage of its own keeps the order, too") func ownStorage() throws {
        let storage = DictionaryStorage()
        let engines = (0..<2).map { _ in
            CacheEngine(
                responses: bench.store, storage: storage, transport: bench.origin, clock: bench.clock,
                options: bench.engine.options)
        }
        bench.origin.hold()
        _ = start(engines[0], ["X": "1"])
        _ = start(engines[1], ["X": "2"])
        bench.reply(["Cache-Control": "max-age=600"], body: "new")
        bench.origin.releaseLatest()
        bench.executor.drain()
        release(body: "old")
        #expect(storage.body == "new")
        _ = start(engines[0], ["X": "1"], policy: .reloadIgnoringLocalCacheData)
        engines[1].remove(CacheRequest(HTTPRequest(url: Bench.url)))
        release(body: "older")
        #expect(storage.body == nil)
    }
}

/// An application's storage that keeps one response and never asks the store behind it.
private final class DictionaryStorage: ResponseStoring {
    private let kept = Locked<StoredResponse?>(nil)

    var body: String? { kept.withLock { $0?.withBody { String(decoding: $0, as: UTF8.self) } } }

    func lookup(_ request: CacheRequest) -> StoredResponse? { kept.withLock { $0 } }

    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome? {
        let made = StoredResponse(response.response, body: response.body, receivedAt: times.response)
        kept.withLock { $0 = made }
        return nil
    }

    func remove(_ request: CacheRequest, _ reason: RemovalReason) { kept.withLock { $0 = nil } }
}
