import LoopbackOrigin
import Testing
import URLCaching

/// `Cache-Status` (RFC 9211), and the 504 of RFC 9111, section 5.2.2.2.
@Suite(.timeLimit(.minutes(60))) struct CacheStatusTests {
    @Test("each answer says how the cache has handled it, where the session is told to") func statuses() async throws {
        let bench = try SessionBench { $0.cacheStatusName = "app" }
        let fields = [("Cache-Control", "max-age=60"), ("Vary", "X-Kind"), ("Cache-Status", "proxy; hit")]
        bench.serve(OriginResource("hello", fields, entityTag: "\"1\""))
        func status(_ request: URLRequest? = nil) async throws -> String? {
            try await bench.get(request ?? bench.request())["Cache-Status"]
        }
        #expect(try await status() == "proxy; hit, \"app\"; fwd=uri-miss; fwd-status=200; stored")
        bench.at(20)
        #expect(try await status() == "proxy; hit, \"app\"; hit; ttl=40")
        #expect(
            try await status(bench.request("/a", ["X-Kind": "b"]))
                == "proxy; hit, \"app\"; fwd=vary-miss; fwd-status=200; stored")
        let reload = bench.request(policy: .reloadIgnoringLocalCacheData)
        #expect(try await status(reload) == "proxy; hit, \"app\"; fwd=request; fwd-status=200; stored")
        bench.at(90)
        #expect(try await status() == "proxy; hit, \"app\"; fwd=stale; fwd-status=304; stored")
        #expect(
            try await status(bench.request("/b", method: "POST")) == "proxy; hit, \"app\"; fwd=method; fwd-status=200")
        bench.at(200)
        let stored = bench.request(policy: .returnCacheDataDontLoad)
        #expect(try await status(stored) == "proxy; hit, \"app\"; hit; ttl=-50")
    }

    @Test("no field is added by default, and a name with quotes is escaped") func defaults() async throws {
        let plain = try SessionBench()
        plain.serve(OriginResource("hello"))
        #expect(try await plain.get()["Cache-Status"] == nil)
        let quoted = try SessionBench { $0.cacheStatusName = "a\"b\\c\r\nd" }
        quoted.serve(OriginResource("hello"))
        #expect(try await quoted.get()["Cache-Status"]?.hasPrefix("\"a\\\"b\\\\cd\"; fwd=") == true)
    }

    @Test(
        "after an error of the connection, must-revalidate and no-cache give a 504 on request, else the error",
        arguments: ["max-age=0, must-revalidate", "no-cache"], [true, false])
    func gatewayTimeout(directives: String, isAsked: Bool) async throws {
        let bench = try SessionBench { $0.answersGatewayTimeout = isAsked }
        bench.serve(OriginResource("hello", [("Cache-Control", directives)], entityTag: "\"1\""))
        _ = try await bench.get()
        bench.origin.reply { _ in OriginReply(cut: .withoutAnswer) }
        if isAsked {
            #expect(try await bench.get().status == 504)
        } else {
            #expect(await thrown { _ = try await bench.get() }?.code == .networkConnectionLost)
        }
        #expect(await thrown { _ = try await bench.get("/never") }?.code == .networkConnectionLost)
        #expect(bench.isStored())
    }
}
