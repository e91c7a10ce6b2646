import HTTPCache
import LoopbackOrigin
import Platform
import Testing
import URLCaching
import VirtualOrigin

/// Nobody gets another's answer, whichever transport and session it goes through (A4, A14, C14). Over libcurl.
@Suite(.timeLimit(.minutes(60))) struct OwnAnswerTests {
    /// Answers that a cache may not give to another account by its own rules, and some that it may, once stored.
    static let answers: [[(String, String)]] = [
        [], [("Cache-Control", "private")], [("Cache-Control", "max-age=0")], [("Cache-Control", "must-revalidate")],
        [("ETag", "\"1\"")], [("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")], [("Pragma", "no-cache")],
        [("Cache-Control", "no-cache")], [("Cache-Control", "no-store")], [("Cache-Control", "max-age=600")],
    ]

    @Test(
        "two who ask for one URL at the same moment and differ in a field each get their own answer",
        arguments: answers,
        ["Authorization", "Cookie", "Accept", "X-Tenant", "Referer"])
    func ownAnswer(fields: [(String, String)], name: String) async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        let holds = ["anna": Hold(), "bert": Hold()]
        bench.origin.reply { request in
            let who = request[name] ?? "nobody"
            var reply = OriginReply(fields, text: "mail of \(who)")
            reply.holdHead = holds[who]
            return reply
        }
        async let anna = bench.get("/inbox", [name: "anna"])
        await holds["anna"]?.reached()
        // Goes out at once, and waits for nothing of the first.
        async let bert = bench.get("/inbox", [name: "bert"])
        await holds["bert"]?.reached()
        for hold in holds.values { hold.release() }
        #expect(try await anna.body == "mail of anna")
        #expect(try await bert.body == "mail of bert")
    }

    @Test(
        "equal requests share one fetch, unless the answer is no-store; then the next do not wait for a header either")
    func equal() async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        for (control, count) in [("max-age=0", 1), ("no-store", 8)] {
            let path = "/\(control)"
            let hold = Hold()
            bench.origin.reply { _ in
                var reply = OriginReply([("Cache-Control", control)], text: "page")
                reply.holdHead = hold
                return reply
            }
            let session = bench.session
            let request = bench.request(path)
            let all = (0..<8).map { _ in Task { try await Got(session.data(for: request)).body } }
            while session.underWay.requests < 8 { await Task.yield() }
            await hold.reached()
            hold.release()
            for one in all { #expect(try await one.value == "page") }
            #expect(bench.origin.count(path) == count, "\(control)")
        }
        // Two at once now: neither waits for the other's header.
        let holds = [Hold(), Hold()]
        let next = Locked(0)
        bench.origin.reply { _ in
            var reply = OriginReply([("Cache-Control", "no-store")], text: "page")
            reply.holdHead =
                holds[
                    next.withLock { number in
                        defer { number += 1 }; return number
                    }]
            return reply
        }
        async let first = bench.get("/no-store")
        async let second = bench.get("/no-store")
        for hold in holds { await hold.reached() }
        for hold in holds { hold.release() }
        #expect(try await [first.body, second.body] == ["page", "page"])
    }

    @Test("a page asked for after a login is not the page from before it, although all that goes out is equal")
    func login() async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        let hold = Hold()
        let isLoggedIn = Locked(false)
        bench.origin.reply { request in
            if request.method == "POST" {
                isLoggedIn.withLock { $0 = true }
                return OriginReply(status: 204)
            }
            guard !isLoggedIn.withLock({ $0 }) else { return OriginReply(text: "hello anna") }
            var reply = OriginReply(text: "please log in")
            reply.holdHead = hold
            return reply
        }
        async let before = bench.get("/page", ["Cookie": "session=1"])
        await hold.reached()
        _ = try await bench.get("/login", method: "POST", ["Cookie": "session=1"])
        #expect(try await bench.get("/page", ["Cookie": "session=1"]).body == "hello anna")
        hold.release()
        #expect(try await before.body == "please log in")
    }

    /// A session whose requests get the credential of whoever uses it at the moment.
    private static func bench(_ account: @escaping @Sendable () -> String) throws -> SessionBench {
        try SessionBench { configuration in
            configuration.rewrite = { request in
                var request = request
                request.setValue(account(), forHTTPHeaderField: "Authorization")
                return request
            }
        }
    }

    @Test("a rewriting that adds an account's credential tells requests apart that are equal before it")
    func rewriting() async throws {
        let account = Locked("anna")
        let bench = try Self.bench { account.withLock { $0 } }
        defer { bench.origin.stop() }
        let hold = Hold()
        bench.origin.reply { request in
            var reply = OriginReply(text: "mail of \(request["Authorization"] ?? "nobody")")
            if request["Authorization"] == "anna" { reply.holdHead = hold }
            return reply
        }
        async let anna = bench.get("/inbox")
        await hold.reached()
        account.withLock { $0 = "bert" }
        #expect(try await bench.get("/inbox").body == "mail of bert")
        hold.release()
        #expect(try await anna.body == "mail of anna")
    }

    @Test("what a rewriting adds and Vary names tells stored answers apart, whether a 200, a part or a 304 names it")
    func rewritingAndVary() async throws {
        let account = Locked("anna")
        let bench = try Self.bench { account.withLock { $0 } }
        defer { bench.origin.stop() }
        bench.origin.reply { request in
            let who = request["Authorization"] ?? "nobody"
            switch request.path {
            case "/parts":
                return OriginReply(
                    status: 206,
                    [
                        ("Cache-Control", "max-age=600"), ("Vary", "Authorization"), ("ETag", "\"1\""),
                        ("Content-Range", "bytes 0-3/9"),
                    ], text: who)
            case "/confirmed":
                let isKnown = request["If-None-Match"] != nil
                let fields = [("Cache-Control", isKnown ? "max-age=600" : "max-age=0"), ("ETag", "\"1\"")]
                return OriginReply(
                    status: isKnown ? 304 : 200, fields + (isKnown ? [("Vary", "Authorization")] : []),
                    text: isKnown ? "" : "page")
            case "/other":
                return OriginReply([("Cache-Control", "max-age=600"), ("Vary", "Accept")], text: "page")
            default:
                return OriginReply(
                    [("Cache-Control", "max-age=600"), ("Vary", "Authorization")], text: "mail of \(who)")
            }
        }
        for path in ["/inbox", "/confirmed", "/confirmed", "/other"] { _ = try await bench.get(path) }
        #expect(try await bench.get("/parts", ["Range": "bytes=0-3"]).body == "anna")
        account.withLock { $0 = "bert" }
        #expect(try await bench.get("/inbox").body == "mail of bert")
        #expect(try await bench.get("/parts", ["Range": "bytes=0-3"]).body == "bert")
        #expect(!bench.isStored("/inbox") && !bench.isStored("/confirmed") && bench.isStored("/other"))
        #expect(bench.cache?.notStoredCounts["rewritten"] == 3)
    }

    @Test("what the session itself adds to a request is no rewriting (C11)") func rewritingAndRanges() async throws {
        let bench = try SessionBench { configuration in
            configuration.rewrite = { request in
                var request = request
                request.setValue("1", forHTTPHeaderField: "X-Added")
                return request
            }
        }
        defer { bench.origin.stop() }
        bench.origin.reply { _ in
            OriginReply(
                status: 206,
                [
                    ("Cache-Control", "max-age=600"), ("Vary", "Accept-Encoding"), ("ETag", "\"1\""),
                    ("Content-Range", "bytes 0-3/9"),
                ], text: "part")
        }
        for _ in 0..<2 { #expect(try await bench.get("/a", ["Range": "bytes=0-3"]).body == "part") }
        #expect(bench.origin.count() == 1)
    }

    @Test("a removal by the session finds what the session stored under a key hook that reads what it adds (A4, E7)")
    func removalUnderHook() async throws {
        let cache = ResponseCache(
            memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil,
            keyHook: { "\($0.headerFields["Authorization"] ?? "") \($0.headerFields["Cookie"] ?? "")" })
        let bench = try SessionBench(cache: cache) { configuration in
            configuration.urlSession.httpAdditionalHeaders = ["Authorization": "anna"]
            configuration.urlSession.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        }
        bench.origin.reply { _ in OriginReply([("Cache-Control", "max-age=60"), ("Set-Cookie", "a=1")], text: "page") }
        _ = try await bench.get("/first")
        for _ in 0..<2 { _ = try await bench.get() }
        #expect(bench.origin.count("/a") == 1)
        bench.session.removeCachedResponse(for: bench.request())
        _ = try await bench.get()
        #expect(bench.origin.count("/a") == 2)
    }

    enum Asker: CaseIterable { case session, urlProtocol }

    @Test("a POST of one session keeps the running GET of another from being stored", arguments: Asker.allCases)
    func post(of asker: Asker) async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        let other = CachingSession(configuration: .patient, cache: bench.cache, clock: bench.clock)
        let hold = Hold()
        let value = Locked("old")
        bench.origin.reply { request in
            if request.method == "POST" {
                value.withLock { $0 = "new" }
                return OriginReply(status: 204)
            }
            let value = value.withLock { $0 }
            var reply = OriginReply([("Cache-Control", "max-age=600")], text: value)
            if value == "old" { reply.holdHead = hold }
            return reply
        }
        async let slow = bench.get("/a")
        await hold.reached()
        switch asker {
        case .session: _ = try await other.data(for: bench.request("/a", method: "POST"))
        case .urlProtocol:
            let configuration = URLSessionConfiguration.default
            configuration.protocolClasses = [Inner.self]
            Inner.inner.withLock { $0 = other }
            let outer = URLSession(configuration: configuration)
            _ = try await outer.data(for: bench.request("/a", method: "POST"))
            outer.finishTasksAndInvalidate()
        }
        hold.release()
        #expect(try await slow.body == "old")
        #expect(try await bench.get("/a").body == "new")
        #expect(Got(try await other.data(for: bench.request("/a"))).body == "new")
    }

    @Test(
        "a removal by the cache's own methods is final: a 304 under way stores nothing",
        arguments: ["all", "one", "since"])
    func removal(_ way: String) async throws {
        let bench = try SessionBench()
        defer { bench.origin.stop() }
        let resource = OriginResource("secret", [("Cache-Control", "max-age=0")], entityTag: "\"1\"")
        bench.serve(resource)
        _ = try await bench.get()
        let hold = Hold()
        bench.origin.reply { request in
            guard request.isConditional else { return OriginReply([("Cache-Control", "no-store")], text: "new") }
            var reply = resource.reply(to: request)
            reply.fields = [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")]
            reply.holdHead = hold
            return reply
        }
        async let slow = bench.get()
        await hold.reached()
        switch way {
        case "all": bench.cache?.removeAllCachedResponses()
        case "one": bench.cache?.removeCachedResponse(for: bench.request())
        default: bench.cache?.removeCachedResponses(since: .distantPast)
        }
        hold.release()
        // What it confirmed is stored no more, so it was asked again, for all of it.
        #expect(try await slow.body == "new")
        #expect(!bench.isStored())
    }
}

/// Answers by a session of the test's.
private final class Inner: CachingURLProtocol {
    static let inner = Locked<CachingSession?>(nil)

    override class var session: CachingSession { inner.withLock { $0 } ?? defaultSession }
}
