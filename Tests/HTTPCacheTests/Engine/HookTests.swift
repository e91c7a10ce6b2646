import HTTPCache
import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

/// What applications hang into the engine (E1, E2, E5, E6, E7).
@Suite struct HookTests {
    @Test("willStore injects a lifetime that the server did not send; the answer stays as it came (E1)")
    func injectedLifetime() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                var response = response
                response.response.headerFields["Cache-Control"] = "max-age=60"
                return response
            }
        }
        bench.reply(["ETag": "\"a\""])
        #expect(try bench.get().fields["Cache-Control"] == nil)
        bench.at(59)
        #expect(try bench.get().source == .memoryHit)
        bench.at(60)
        bench.reply(["Cache-Control": "no-cache"], status: 304, body: "")
        #expect(try bench.get().source == .revalidated)
        bench.at(119)
        #expect(try bench.get().source == .memoryHit)
    }

    @Test("willStore edits body, application data and storage policy, or refuses (E1)") func editing() throws {
        let bench = try Bench { options in
            options.willStore = { response, request in
                guard request.request.headerFields["X-Refuse"] == nil else { return nil }
                return ResponseToStore(
                    response.response, body: response.body + [0x21], applicationData: [7], policy: .allowedInMemoryOnly)
            }
        }
        bench.reply(["Cache-Control": "max-age=60", "Content-Length": "4"])
        #expect(try bench.get().body == "body")
        let edited = try bench.get()
        #expect(edited.body == "body!" && edited.fields["Content-Length"] == "5")
        let stored = try #require(bench.store.lookup(HTTPRequest(url: Bench.url)))
        #expect(stored.applicationData == [7] && stored.entry.policy == .allowedInMemoryOnly)
        _ = try bench.get(["X-Refuse": "1"], policy: .reloadIgnoringLocalCacheData)
        #expect(!bench.isStored())
    }

    @Test("willStore is not asked about what may not be stored, and its own no-store counts (E1)")
    func whenAsked() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                if response.response.headerFields["Cache-Control"] == "no-store" { Issue.record("was asked") }
                return ResponseToStore(HTTPResponse(headerFields: ["Cache-Control": "no-store"]), body: response.body)
            }
        }
        bench.reply(["Cache-Control": "no-store"])
        _ = try bench.get()
        #expect(!"\(NotStoredReason.responseNoStore)".contains("willCacheResponse"))
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(!bench.isStored())
    }

    @Test("a time to live of the application's own counts instead of the header; what has outlived it is removed (E2)")
    func timeToLive() throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.reply(["Cache-Control": "max-age=0", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(599)
        #expect(try bench.get().source == .memoryHit)
        bench.at(600)
        #expect(throws: EngineError.self) { try bench.get(policy: .returnCacheDataDontLoad) }
        #expect(!bench.isStored())
        _ = try bench.get()
        #expect(bench.origin.requests.last?.headerFields == [:])
    }

    @Test(
        "within the application's time to live the request's own limits count (C2)",
        arguments: [
            ("max-age=0", false), ("max-age=299", false), ("max-age=300", true), ("min-fresh=300", true),
            ("min-fresh=301", false), ("no-cache", false), ("max-age=300, min-fresh=300", true),
        ])
    func timeToLiveAndLimits(control: String, isHit: Bool) throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=0", "Age": "1000"])
        _ = try bench.get()
        bench.at(300)
        #expect(try bench.get(["Cache-Control": control]).source == (isHit ? .memoryHit : .revalidated))
    }

    @Test("after the clock was set back a time to live does not answer a reload (C2)")
    func timeToLiveAndClock() throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(-5)
        #expect(try bench.get(["Cache-Control": "max-age=0"]).source == .revalidated)
        #expect(try bench.get(["Cache-Control": "min-fresh=601"]).source == .revalidated)
    }

    @Test("a variant that has outlived the application's time to live goes, and the others stay (E2)")
    func timeToLiveOfVariants() throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.reply(["Cache-Control": "max-age=0", "Vary": "Accept"])
        _ = try bench.get(["Accept": "a"])
        bench.at(500)
        _ = try bench.get(["Accept": "b"])
        bench.at(601)
        #expect(throws: EngineError.self) { try bench.get(["Accept": "a"], policy: .returnCacheDataDontLoad) }
        #expect(try bench.get(["Accept": "b"]).source == .memoryHit)
    }

    @Test("a request is rewritten before it is sent, and its key stays (E5)") func rewriting() throws {
        let bench = try Bench { options in
            options.rewrite = { outgoing in
                var outgoing = outgoing
                outgoing.request.url = outgoing.request.url.replacing("example.org", with: "192.0.2.1")
                outgoing.request.headerFields["Host"] = "example.org"
                return outgoing
            }
        }
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(bench.origin.requests.first?.url == "https://192.0.2.1/a")
        #expect(bench.origin.requests.first?.headerFields["Host"] == "example.org")
        #expect(try bench.get().source == .memoryHit)
        #expect(bench.isStored() && !bench.isStored("https://192.0.2.1/a"))
    }

    @Test("where the application could not be asked, nothing is stored and nothing removed", arguments: [false, true])
    func notAsked(isConfirmed: Bool) throws {
        let mayAsk = Locked(true)
        let reasons = Locked<[NotStoredReason]>([])
        let bench = try Bench { options in
            options.willStore = { response, _ throws(CancellationError) in
                if !mayAsk.withLock({ $0 }) { throw CancellationError() }
                return response
            }
            options.onNotStored = { _, _, reason in reasons.withLock { $0.append(reason) } }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        mayAsk.withLock { $0 = false }
        if !isConfirmed { bench.replyByEntityTag("\"b\"", ["Cache-Control": "max-age=60"]) }
        #expect(try bench.get().source == (isConfirmed ? .revalidated : .fetched))
        #expect(bench.isStored() && reasons.withLock { $0 } == [.incomplete])
        mayAsk.withLock { $0 = true }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        #expect(try bench.get().source == .revalidated)
    }

    @Test("a response that may be stored in memory only may be stored there only when it is confirmed, too")
    func confirmedPolicy() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                var response = response
                if response.confirms == nil { response.policy = .allowedInMemoryOnly }
                return response
            }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        #expect(try bench.get().source == .revalidated)
        #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.entry.policy == .allowedInMemoryOnly)
    }

    @Test("a no-store that willStore adds to a new answer removes the response that it supersedes")
    func addedNoStore() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                var response = response
                if response.body == Array("new".utf8) { response.response.headerFields["Cache-Control"] = "no-store" }
                return response
            }
        }
        bench.reply(["Cache-Control": "max-age=60"], body: "old")
        _ = try bench.get()
        #expect(bench.isStored())
        bench.reply(["Cache-Control": "max-age=60"], body: "new")
        #expect(try bench.get(policy: .reloadIgnoringLocalCacheData).body == "new")
        #expect(!bench.isStored())
    }

    @Test("the application's data stay with a response that is confirmed, and no length is added to it")
    func confirmedData() throws {
        let bench = try Bench { options in
            options.willStore = { response, _ in
                var response = response
                if response.confirms == nil { response.applicationData = [1, 2, 3] }
                response.body = Array("edited".utf8)
                return response
            }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        #expect(try bench.get().source == .revalidated)
        let stored = try #require(bench.store.lookup(HTTPRequest(url: Bench.url)))
        #expect(stored.applicationData == [1, 2, 3])
        #expect(stored.response.headerFields["Content-Length"] == nil)
    }

    @Test("one URL, everything, or what was stored since a date is removed at the application's word (E7)")
    func removing() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=1000"])
        let urls = (0..<4).map { "https://example.org/\($0)" }
        for (index, url) in urls.enumerated() {
            bench.at(Int64(index) * 10)
            _ = try bench.get(url: url)
        }
        bench.engine.remove(CacheRequest(HTTPRequest(url: urls[0])))
        #expect(urls.map { bench.isStored($0) } == [false, true, true, true])
        try bench.store.removeAll(since: CacheTime(seconds: Bench.start + 10).microseconds)
        #expect(urls.map { bench.isStored($0) } == [false, true, false, false])
        try bench.store.removeAll()
        #expect(!bench.isStored(urls[1]))
    }

    @Test("an application's storage sees every lookup and store, and its entries are served") func ownStorage() throws {
        let bench = try Bench()
        let storage = RecordingStorage(bench.store)
        let engine = CacheEngine(
            responses: bench.store, storage: storage, transport: bench.origin, clock: bench.clock,
            options: bench.engine.options)
        bench.reply(["Cache-Control": "max-age=60"])
        let seen = bench.executor.start {
            let request = CacheRequest(HTTPRequest(url: Bench.url), context: "mine")
            _ = try await engine.respond(to: request).body.collect()
            return try await engine.respond(to: request).source
        }
        bench.executor.drain()
        #expect(seen.value == .memoryHit)
        #expect(storage.log == ["lookup mine", "store mine", "lookup mine"])
    }
}

/// `@unchecked Sendable`: used by the one thread that drains the executor.
private final class RecordingStorage: ResponseStoring, @unchecked Sendable {
    private let store: ResponseStore
    private(set) var log: [String] = []

    init(_ store: ResponseStore) { self.store = store }

    func lookup(_ request: CacheRequest) -> StoredResponse? {
        log.append("lookup \(request.context ?? "nobody")")
        return store.lookup(request)
    }

    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome? {
        log.append("store \(request.context ?? "nobody")")
        return store.store(response, for: request, times: times)
    }

    func remove(_ request: CacheRequest, _ reason: RemovalReason) {
        log.append("remove \(request.context ?? "nobody")")
        store.remove(request, reason)
    }
}
