import HTTPCache
import HTTPSemantics
import LoopbackOrigin
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// What applications hang into a session (E).
@Suite(.timeLimit(.minutes(60))) struct SessionHookTests {
    @Test(
        "willCacheResponse is called for every kind of use, and what it makes of a response is stored (E1)",
        arguments: Use.allCases)
    func willCacheResponse(_ use: Use) async throws {
        let bench = try SessionBench(
            delegate: Editing { proposed in
                let edited = proposed.withField("Cache-Control", "max-age=60")
                return CachedURLResponse(
                    response: edited.response, data: edited.data + Data("!".utf8), userInfo: ["by": "me"],
                    storagePolicy: .allowedInMemoryOnly)
            })
        bench.serve(OriginResource("hello", [("Cache-Control", "no-cache")]))
        #expect(try await use.perform(bench) == "hello")
        let stored = try #require(bench.cache?.cachedResponse(for: bench.request()))
        #expect(stored.data == Data("hello!".utf8))
        #expect(stored.userInfo?["by"] as? String == "me")
        #expect(stored.storagePolicy == .allowedInMemoryOnly)
        #expect(try await bench.get().body == "hello!")
        #expect(bench.origin.count() == 1)
    }

    @Test("willCacheResponse refuses by nil, and what was stored before goes (E1)", arguments: Use.allCases)
    func refusal(_ use: Use) async throws {
        let bench = try SessionBench(delegate: Editing { $0.data.count == 3 ? nil : $0 })
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        #expect(bench.isStored())
        bench.at(60)
        bench.serve(OriginResource("bye", [("Cache-Control", "max-age=60")]))
        #expect(try await use.perform(bench) == "bye")
        #expect(!bench.isStored())
    }

    @Test("a field that a response repeats keeps all its values on the way through willCacheResponse (E1)")
    func repeatedField() async throws {
        let log = Seen()
        let bench = try SessionBench(
            delegate: Editing { proposed in
                let response = proposed.response as? HTTPURLResponse
                log.lines.withLock { $0.append(response?.value(forHTTPHeaderField: "X-List") ?? "-") }
                return proposed.withField("X-Edited", "yes")
            })
        bench.origin.reply { _ in
            OriginReply(
                [("X-List", "one"), ("Cache-Control", "max-age=60"), ("x-list", "two"), ("X-List", "three")],
                text: "hello")
        }
        _ = try await bench.get()
        #expect(log.lines.withLock { $0 } == ["one, two, three"])
        let hit = try await bench.get()
        #expect(hit["X-List"] == "one, two, three" && hit["X-Edited"] == "yes")
        #expect(bench.origin.count() == 1)
    }

    @Test("hits on an edited response that bytes cannot hold have the fields that were stored")
    func fieldsOfUnencodable() async throws {
        let bench = try SessionBench(
            delegate: Editing { proposed in
                CachedURLResponse(
                    response: proposed.response, data: proposed.data + Data("!".utf8), userInfo: ["lock": NSLock()],
                    storagePolicy: .allowed)
            })
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60"), ("Keep-Alive", "timeout=5")]))
        _ = try await bench.get()
        let hit = try await bench.get()
        #expect(hit.body == "hello!" && hit["Content-Length"] == "6" && hit["Keep-Alive"] == nil)
        #expect(bench.cache?.cachedResponse(for: bench.request())?.userInfo?["lock"] is NSLock)
        #expect(bench.origin.count() == 1)
    }

    @Test("a field that a response repeats is stored line by line where the delegate leaves it")
    func repeatedLines() async throws {
        let bench = try SessionBench(delegate: Editing { $0 })
        bench.origin.reply { _ in
            OriginReply([("X-List", "one"), ("Cache-Control", "max-age=60"), ("X-List", "two")], text: "hello")
        }
        _ = try await bench.get()
        let stored = bench.cache?.store.lookup(HTTPRequest(url: bench.origin.base + "/a"))?.response.headerFields
        #expect(stored?.fields.filter { $0.name == "X-List" }.map(\.value) == ["one", "two"])
    }

    @Test("rewriting may give a request a stream for its body") func rewrittenBody() async throws {
        let bench = try SessionBench { configuration in
            configuration.rewrite = { request in
                var request = request
                request.httpBody = nil
                request.httpBodyStream = InputStream(data: Data("stream".utf8))
                return request
            }
        }
        bench.origin.reply { OriginReply(body: $0.body) }
        #expect(try await bench.get(method: "POST").body == "stream")
    }

    @Test("the hits of a subclass that changes nothing share one body") func sharedBody() async throws {
        let bench = try SessionBench(cache: Recording())
        bench.serve(OriginResource(String(repeating: "hello ", count: 100), [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        let one = try await bench.session.data(for: bench.request()).0
        let other = try await bench.session.data(for: bench.request()).0
        #expect(bench.origin.count() == 1)
        let isShared = one.withUnsafeBytes { one in other.withUnsafeBytes { $0.baseAddress == one.baseAddress } }
        #expect(isShared)
    }

    @Test("a HEAD that has the GET refreshed is a GET to the storage, with the application's settings")
    func requestOfRefresh() throws {
        let bench = try SessionBench()
        var head = bench.request(method: "HEAD")
        head.mainDocumentURL = bench.origin.url("/page")
        var asked = CacheRequest(
            HTTPRequest(head), context: RequestContext(request: head, session: bench.session, delegate: nil))
        #expect(asked.urlRequest == head)
        asked.request.method = "GET"
        #expect(asked.urlRequest?.httpMethod == "GET" && asked.urlRequest?.mainDocumentURL == head.mainDocumentURL)
        asked.request.url = bench.origin.base + "/b"
        #expect(asked.urlRequest?.url == bench.origin.url("/b") && asked.urlRequest?.mainDocumentURL == nil)
    }

    @Test("userInfo that no property list can hold survives a 304 (E1)")
    func userInfoSurvivesConfirmation() async throws {
        let lock = NSLock()
        let box = Box(lock)
        let bench = try SessionBench(
            delegate: Editing { proposed in
                // The second time it is the confirmation, which has to bring it along.
                guard (proposed.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-New") == nil else {
                    return proposed
                }
                return CachedURLResponse(
                    response: proposed.response, data: proposed.data, userInfo: ["lock": box.value],
                    storagePolicy: .allowed)
            })
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        _ = try await bench.get()
        bench.at(60)
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=90"), ("X-New", "1")], entityTag: "\"1\""))
        _ = try await bench.get()
        #expect(bench.origin.conditionalCount() == 1)
        let stored = try #require(bench.cache?.cachedResponse(for: bench.request()))
        #expect(stored.userInfo?["lock"] as? NSLock === lock)
        #expect((stored.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-New") == "1")
    }

    @Test("a time to live counts from the moment at which the answer came, and anew from its confirmation (E2)")
    func timeToLiveBegins() async throws {
        let bench = try SessionBench { $0.timeToLive = 600 }
        let date = HTTPDate.format(SessionBench.start - 5_000)
        bench.origin.reply { request in
            // The answer takes 10 s, and says that it is old.
            bench.clock.advance(by: 10)
            let fields = [("Cache-Control", "max-age=0"), ("Age", "4000"), ("Date", date), ("ETag", "\"1\"")]
            return request.isConditional ? OriginReply(status: 304, fields) : OriginReply(fields, text: "hello")
        }
        _ = try await bench.get()
        bench.at(609)
        _ = try await bench.get()
        #expect(bench.origin.count() == 1, "it came at 10 s")
        _ = try await bench.get(policy: .reloadRevalidatingCacheData)
        #expect(bench.origin.conditionalCount() == 1)
        bench.at(619 + 599)
        _ = try await bench.get()
        #expect(bench.origin.count() == 2, "it was confirmed at 619 s")
        bench.at(619 + 600)
        #expect(
            await thrown { _ = try await bench.get(policy: .returnCacheDataDontLoad) }?.code == .resourceUnavailable)
    }

    @Test("willCacheResponse is asked about a 304, with the whole body and the new fields, and may refuse (E1)")
    func confirmationIsAsked() async throws {
        let log = Seen()
        let bench = try SessionBench(
            delegate: Editing { proposed in
                let response = proposed.response as? HTTPURLResponse
                let field = response?.value(forHTTPHeaderField: "X-New") ?? "-"
                log.lines.withLock { $0.append("\(field) \(String(decoding: proposed.data, as: UTF8.self))") }
                return field == "2" ? nil : proposed.withField("X-Edited", field)
            })
        for round in 0..<3 {
            bench.at(Int64(round) * 60)
            let fields = [("Cache-Control", "max-age=60")] + (round > 0 ? [("X-New", "\(round)")] : [])
            bench.serve(OriginResource("hello", fields, entityTag: "\"1\""))
            #expect(try await bench.get().body == "hello")
            let stored = bench.cache?.cachedResponse(for: bench.request())?.response as? HTTPURLResponse
            #expect(stored?.value(forHTTPHeaderField: "X-Edited") == ["-", "1", nil][round])
        }
        #expect(bench.origin.conditionalCount() == 2)
        #expect(log.lines.withLock { $0 } == ["- hello", "1 hello", "2 hello"])
    }

    @Test("a body that a subclass hands out with one byte changed is the answer, wherever the byte is (E2)")
    func editOfEqualLength() async throws {
        let cache = Recording()
        let bench = try SessionBench(cache: cache)
        let text = String(repeating: "a", count: 50_000)
        bench.serve(OriginResource(text, [("Cache-Control", "max-age=60")]))
        _ = try await bench.get()
        for place in [0, 63, 64, 25_000, 49_999] {
            let edited = text.prefix(place) + "b" + text.dropFirst(place + 1)
            cache.replacement = String(edited)
            #expect(try await bench.get().body == edited, "byte \(place)")
        }
        #expect(bench.origin.count() == 1)
    }

    @Test("of a subclass, lookup, store and removal are what the session calls (E2)")
    func subclassIsCalled() async throws {
        let cache = Recording()
        let bench = try SessionBench(cache: cache)
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        for use in Use.allCases { #expect(try await use.perform(bench) == "hello") }
        #expect(cache.log.filter { $0.hasPrefix("store") } == ["store /a"])
        #expect(cache.log.filter { $0.hasPrefix("lookup") }.count >= Use.allCases.count)
        #expect(bench.origin.count() == 1)
        _ = try await bench.get(method: "DELETE")
        #expect(cache.log.last == "remove /a")
        cache.replacement = "mine"
        _ = try await bench.get()
        #expect(try await bench.get().body == "mine", "what the subclass hands out is the answer")
    }

    @Test("a cache per session, with capacities of its own, or none (E3)") func cachePerSession() async throws {
        let origin = try LoopbackOrigin { _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") }
        let own = ResponseCache(memoryCapacity: 5_000_000, diskCapacity: 0, diskPath: nil)
        let first = try SessionBench(cache: own, origin: origin)
        let second = try SessionBench(origin: origin)
        let without = try SessionBench(cache: nil, origin: origin)
        for _ in 0..<2 { _ = try await first.get() }
        #expect(origin.count() == 1 && own.memoryCapacity == 5_000_000)
        _ = try await second.get()
        #expect(origin.count() == 2)
        for _ in 0..<2 { #expect(try await without.get().body == "hello") }
        #expect(origin.count() == 4)
        #expect(
            await thrown { _ = try await without.get(policy: .returnCacheDataDontLoad) }?.code == .resourceUnavailable)
    }

    @Test("a request is sent to another host under its old name and key (E5)") func rewriting() async throws {
        // The name cannot be resolved, and the rewriting is what makes it work.
        let origin = try LoopbackOrigin { _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") }
        let bench = try SessionBench(origin: origin) { configuration in
            configuration.rewrite = { request in
                var request = request
                var parts = URLComponents(url: request.url!, resolvingAgainstBaseURL: true)!
                parts.host = "127.0.0.1"
                parts.port = Int(origin.port)
                request.url = parts.url
                return request
            }
        }
        let request = URLRequest(url: URL(string: "http://news.invalid:8080/a?b=1")!)
        let first = try await bench.get(request)
        #expect(first.body == "hello" && first.response.url == request.url)
        #expect(origin.requests.first?["Host"] == "news.invalid:8080")
        #expect(try await bench.get(request).body == "hello")
        #expect(origin.count("/a?b=1") == 1)
        #expect(bench.cache?.cachedResponse(for: request) != nil)
        _ = try await bench.get(URLRequest(url: try #require(URL(string: "http://[::2]:8080/b"))))
        #expect(origin.requests.last?["Host"] == "[::2]:8080")
    }

    @Test("one URL, everything, or what was stored since a date is removed at the application's word (E7)")
    func removing() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=1000")]))
        for index in 0..<4 {
            bench.at(Int64(index) * 10)
            _ = try await bench.get("/\(index)")
        }
        func stored() -> [Bool] { (0..<4).map { bench.isStored("/\($0)") } }
        bench.session.removeCachedResponse(for: bench.request("/0"))
        #expect(stored() == [false, true, true, true])
        bench.session.removeCachedResponses(since: Date(timeIntervalSince1970: TimeInterval(SessionBench.start + 10)))
        #expect(stored() == [false, true, false, false])
        bench.session.removeAllCachedResponses()
        #expect(stored() == [false, false, false, false])
    }

    @Test("what is being fetched while the session removes everything, or since a date, is not stored (E7)")
    func removingDuringFetch() async throws {
        let removals: [@Sendable (SessionBench) -> Void] = [
            { $0.session.removeAllCachedResponses() },
            { $0.session.removeCachedResponses(since: .distantPast) },
            { $0.session.removeCachedResponse(for: $0.request()) },
        ]
        for (number, remove) in removals.enumerated() {
            let bench = try SessionBench()
            let hold = Hold()
            bench.origin.reply { _ in
                var reply = OriginReply([("Cache-Control", "max-age=60")], text: "hello")
                reply.holdHead = hold
                return reply
            }
            let fetch = Task { try await bench.get() }
            await hold.reached()
            remove(bench)
            hold.release()
            #expect(try await fetch.value.body == "hello")
            #expect(!bench.isStored(), "removal \(number)")
        }
    }
}

/// A subclass that writes down how it is asked.
///
/// `@unchecked Sendable`: its variables are touched under the lock alone.
private final class Recording: ResponseCache, @unchecked Sendable {
    private let lock = Lock()
    private var entries: [String] = []
    private var text: String?

    override init(
        memoryCapacity: Int = 1 << 20, diskCapacity: Int = 0, diskPath: String? = nil,
        keyHook: KeyHook? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        super.init(
            memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: diskPath, keyHook: keyHook, now: now)
    }

    var log: [String] { lock.withLock { entries } }
    /// What every lookup gives in the place of the body that is stored.
    var replacement: String? {
        get { lock.withLock { text } }
        set { lock.withLock { text = newValue } }
    }

    private func note(_ what: String, _ request: URLRequest) {
        lock.withLock { entries.append("\(what) \(request.url?.path ?? "?")") }
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        note("lookup", request)
        guard let found = super.cachedResponse(for: request), let replacement else {
            return super.cachedResponse(for: request)
        }
        return CachedURLResponse(response: found.response, data: Data(replacement.utf8))
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        note("store", request)
        super.storeCachedResponse(cachedResponse, for: request)
    }

    override func removeCachedResponse(for request: URLRequest) {
        note("remove", request)
        super.removeCachedResponse(for: request)
    }
}

/// The answers that a delegate was shown.
private final class Seen: Sendable {
    let lines = Locked<[String]>([])
}

/// `@unchecked Sendable`: holds what is only compared.
private struct Box<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
