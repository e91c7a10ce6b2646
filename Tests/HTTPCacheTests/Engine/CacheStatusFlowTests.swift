import HTTPCache
import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

/// What each answer says of the cache (RFC 9211).
@Suite struct CacheStatusFlowTests {
    @Test("misses, hits, confirmations, shared fetches and failures have their own status") func statuses() throws {
        let bench = try Bench()
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60, stale-if-error=600"])
        #expect(status(bench) == "\"C\"; fwd=uri-miss; fwd-status=200; stored")
        bench.at(10)
        #expect(status(bench) == "\"C\"; hit; ttl=50")
        #expect(status(bench, ["Range": "bytes=0-1"]) == "\"C\"; hit; ttl=50")
        #expect(status(bench, ["Range": "bytes=0-1,3-3"]) == "\"C\"; fwd=request; fwd-status=200; stored")
        #expect(status(bench, method: "POST") == "\"C\"; fwd=method; fwd-status=200")
        #expect(status(bench) == "\"C\"; fwd=uri-miss; fwd-status=200; stored")
        bench.at(80)
        #expect(status(bench, ["Range": "bytes=0-1"]) == "\"C\"; fwd=stale; fwd-status=200; stored")
        bench.at(141)
        #expect(status(bench) == "\"C\"; fwd=stale; fwd-status=304; stored")
        #expect(status(bench, policy: .reloadIgnoringLocalCacheData) == "\"C\"; fwd=request; fwd-status=200; stored")
        bench.at(211)
        bench.reply(status: 503)
        #expect(status(bench) == "\"C\"; fwd=stale; fwd-status=503; ttl=-10")
        #expect(status(bench, url: "https://u@example.org/") == "\"C\"; fwd=bypass; fwd-status=503")
        #expect(status(bench, ["Cache-Control": "only-if-cached"], url: "https://example.org/x") == "\"C\"")
    }

    @Test(
        "a fresh response that the request does not accept is told from one that is stale or must be confirmed",
        arguments: [("max-age=60", 10, "request"), ("max-age=60", 60, "stale"), ("max-age=60, no-cache", 10, "stale")])
    func freshOrStale(control: String, seconds: Int64, reason: String) throws {
        let requests: [(HTTPFields, RequestPolicy)] = [
            (["Cache-Control": "no-cache"], .useProtocolCachePolicy),
            (["Cache-Control": "max-age=0"], .useProtocolCachePolicy),
            (["If-Match": "\"x\""], .useProtocolCachePolicy), (["Range": "bytes=0-0,2-2"], .useProtocolCachePolicy),
            ([:], .reloadRevalidatingCacheData), ([:], .reloadIgnoringLocalCacheData),
        ]
        for (fields, policy) in requests {
            let bench = try Bench()
            bench.reply(["Cache-Control": control])
            _ = try bench.get()
            bench.at(seconds)
            #expect(status(bench, fields, policy: policy) == "\"C\"; fwd=\(reason); fwd-status=200; stored")
        }
    }

    @Test("within the application's time to live a stored response counts as fresh") func timeToLive() throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.reply()
        _ = try bench.get()
        bench.at(10)
        let reload: HTTPFields = ["Cache-Control": "no-cache"]
        #expect(status(bench, reload) == "\"C\"; fwd=request; fwd-status=200; stored")
    }

    @Test(
        "a confirmation that is not stored says so, and why",
        arguments: [
            ("no-store", "*", false, [:], .responseNoStore), ("max-age=60", "*", false, [:], .variesOnEverything),
            ("max-age=60", "X", true, [:], .application),
            ("max-age=60", "X", false, ["Cache-Control": "no-store"], .requestNoStore),
            ("max-age=60", "X", false, [:], nil),
        ] as [(String, String, Bool, HTTPFields, NotStoredReason?)])
    func confirmation(
        control: String, vary: String, isRefused: Bool, request: HTTPFields, reason: NotStoredReason?
    ) throws {
        let reasons = Locked<[NotStoredReason]>([])
        let bench = try Bench { options in
            options.willStore = { response, _ in isRefused && response.confirms != nil ? nil : response }
            options.onNotStored = { _, _, reason in reasons.withLock { $0.append(reason) } }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=10"])
        _ = try bench.get()
        bench.at(20)
        bench.replyByEntityTag("\"a\"", ["Cache-Control": .init(control), "Vary": .init(vary)])
        let stored = reason == nil ? "; stored" : ""
        #expect(status(bench, request) == "\"C\"; fwd=stale; fwd-status=304" + stored)
        #expect(reasons.withLock { $0 } == (reason.map { [$0] } ?? []))
        #expect(bench.isStored() == (reason == nil || reason == .requestNoStore))
    }

    @Test("of a confirmation of what is stored no more, too") func confirmationOfEvicted() throws {
        let reasons = Locked<[NotStoredReason]>([])
        let bench = try Bench { options in
            options.onNotStored = { _, _, reason in reasons.withLock { $0.append(reason) } }
        }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=10"])
        _ = try bench.get()
        bench.at(20)
        bench.origin.hold()
        let asked = start(bench)
        bench.store.removeExpired(HTTPRequest(url: Bench.url))
        bench.origin.release()
        bench.executor.drain()
        #expect(asked.value == "\"C\"; fwd=stale; fwd-status=304")
        #expect(reasons.withLock { $0 } == [.superseded] && !bench.isStored())
    }

    @Test("parts say so, and of a whole that a part completed the status is that of the part") func parts() throws {
        let bench = try Bench()
        let fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"a\""]
        func reply(_ range: String, _ body: String) {
            var fields = fields
            fields["Content-Range"] = "bytes \(range)/4"
            bench.reply(fields, status: 206, body: body)
        }
        reply("0-1", "bo")
        #expect(status(bench, ["Range": "bytes=0-1"]) == "\"C\"; fwd=uri-miss; fwd-status=206")
        #expect(status(bench, ["Range": "bytes=1-1"]) == "\"C\"; hit; ttl=60")
        reply("1-2", "od")
        #expect(status(bench, ["Range": "bytes=1-2"]) == "\"C\"; fwd=partial; fwd-status=206")
        bench.at(60)
        #expect(status(bench, ["Range": "bytes=1-2"]) == "\"C\"; fwd=stale; fwd-status=206")
        reply("3-3", "y")
        #expect(status(bench) == "\"C\"; fwd=partial; fwd-status=206; stored")
        #expect(status(bench) == "\"C\"; hit; ttl=60")
    }

    @Test("a variant that is missing is told from a URL that is") func variants() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60", "Vary": "X"])
        #expect(status(bench, ["X": "1"]) == "\"C\"; fwd=uri-miss; fwd-status=200; stored")
        #expect(status(bench, ["X": "2"]) == "\"C\"; fwd=vary-miss; fwd-status=200; stored")
    }

    @Test("one who joins a fetch says so") func collapsed() throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold()
        let both = [start(bench), start(bench)]
        bench.origin.release()
        bench.executor.drain()
        #expect(
            both.map(\.value) == [
                "\"C\"; fwd=uri-miss; fwd-status=200; stored", "\"C\"; fwd=uri-miss; fwd-status=200; stored; collapsed",
            ])
    }

    private func status(
        _ bench: Bench, _ fields: HTTPFields = [:], method: String = "GET", url: String = Bench.url,
        policy: RequestPolicy = .useProtocolCachePolicy
    ) -> String? {
        start(bench, fields, method: method, url: url, policy: policy).value
    }

    private func start(
        _ bench: Bench, _ fields: HTTPFields = [:], method: String = "GET", url: String = Bench.url,
        policy: RequestPolicy = .useProtocolCachePolicy
    ) -> Started<String> {
        let engine = bench.engine
        let request = CacheRequest(HTTPRequest(method: method, url: url, headerFields: fields), policy: policy)
        let started = bench.executor.start {
            let answer = try await engine.respond(to: request)
            _ = try await answer.body.collect()
            return answer.cacheStatus.member(cacheName: "C")
        }
        bench.executor.drain()
        return started
    }
}
