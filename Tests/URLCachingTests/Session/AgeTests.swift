import LoopbackOrigin
import Testing
import URLCaching

/// `Age` on an answer from storage is the age at that moment (RFC 9111, sections 4 and 5.1; C15).
@Suite(.timeLimit(.minutes(60))) struct AgeTests {
    @Test(
        "a hit has its current age, for GET and HEAD and when it is stale; a fetched or confirmed answer has the origin's"
    )
    func ages() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60")], entityTag: "\"1\""))
        #expect(try await bench.get()["Age"] == nil)
        for seconds in [5, 5, 59] as [Int64] {
            bench.at(seconds)
            #expect(try await bench.get()["Age"] == "\(seconds)")
            #expect(try await bench.get(method: "HEAD")["Age"] == "\(seconds)")
        }
        bench.at(90)
        #expect(try await bench.get(policy: .returnCacheDataElseLoad)["Age"] == "90")
        #expect(try await bench.get()["Age"] == nil)
        bench.at(100)
        #expect(try await bench.get()["Age"] == "10")
    }

    @Test("the time on the way is part of the age, also where a subclass stores", arguments: [false, true])
    func onTheWay(isSubclass: Bool) async throws {
        final class Own: ResponseCache, @unchecked Sendable {
            // @unchecked Sendable: it adds nothing to what its superclass is.
            override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
                super.storeCachedResponse(cachedResponse, for: request)
            }
        }
        let own = Own(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let bench = try SessionBench(cache: isSubclass ? own : SessionBench.memoryCache())
        let clock = bench.clock
        bench.origin.reply { _ in
            clock.advance(by: 5)
            return OriginReply([("Cache-Control", "max-age=60"), ("Age", "10")], text: "hello")
        }
        #expect(try await bench.get()["Age"] == "10")
        #expect(try await bench.get()["Age"] == "15")
    }

    @Test("a confirmed answer has the fields and the age that came with the confirmation")
    func confirmed() async throws {
        let bench = try SessionBench()
        bench.origin.reply { request in
            let turn = request.isConditional ? "2" : "1"
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("Age", turn), ("X-Turn", turn)]
            return request.isConditional ? OriginReply(status: 304, fields) : OriginReply(fields, text: "hello")
        }
        #expect(try await bench.get()["X-Turn"] == "1")
        bench.at(100)
        let confirmed = try await bench.get()
        #expect(confirmed["X-Turn"] == "2" && confirmed["Age"] == "2" && confirmed.body == "hello")
        bench.at(110)
        let hit = try await bench.get()
        #expect(hit["X-Turn"] == "2" && hit["Age"] == "12" && bench.origin.count() == 2)
    }

    @Test("an age that the response came with is part of it") func received() async throws {
        let bench = try SessionBench()
        bench.serve(OriginResource("hello", [("Cache-Control", "max-age=60"), ("age", "30")]))
        #expect(try await bench.get()["Age"] == "30")
        bench.at(7)
        #expect(try await bench.get()["Age"] == "37")
    }
}
