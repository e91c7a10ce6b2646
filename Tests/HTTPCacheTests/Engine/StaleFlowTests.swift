import HTTPSemantics
import Testing
import VirtualOrigin

@testable import HTTPCache

/// Stale answers (C12; RFC 5861), and those without the origin.
@Suite struct StaleFlowTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test("while-revalidate serves the stale response at once and asks once in the background")
    func whileRevalidating() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""], body: "one")
        _ = try bench.get()
        bench.at(70)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"b\""], body: "two")
        bench.origin.hold()
        for _ in 0..<3 {
            let seen = try bench.get()
            #expect(seen.body == "one" && seen.source == .stale && seen.fields["Age"] == "70")
        }
        #expect(bench.requestCount == 2)
        #expect(bench.origin.requests.last?.headerFields["If-None-Match"] == "\"a\"")
        bench.origin.release()
        bench.executor.drain()
        let fresh = try bench.get()
        #expect(fresh.body == "two" && fresh.source == .memoryHit)
        #expect(bench.requestCount == 2)
    }

    @Test("while-revalidate without a validator stores what the background fetch brings, but not for no-store")
    func whileRefetching() throws {
        let control: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=30"]
        bench.reply(control, body: "one")
        _ = try bench.get()
        bench.at(70)
        bench.reply(control, body: "two")
        #expect(try bench.get().body == "one")
        #expect(try bench.get().body == "two")
        #expect(bench.requestCount == 2)
        bench.at(140)
        bench.reply(control, body: "three")
        #expect(try bench.get(["Cache-Control": "no-store"]).body == "three")
    }

    @Test("a refresh that shares another request's fetch is over at once, and a later one is begun")
    func sharedRefresh() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""]
        bench.reply(fields, body: "one")
        _ = try bench.get()
        // Too stale to be served, so that this one waits for the origin. Then the clock is set back.
        bench.at(95)
        bench.origin.hold()
        let waiting = bench.start(CacheRequest(HTTPRequest(url: Bench.url)))
        bench.at(70)
        #expect(try bench.get().source == .stale)
        #expect(bench.requestCount == 2)
        bench.origin.release()
        bench.executor.drain()
        #expect(waiting.value != nil)
        bench.at(140)
        #expect(try bench.get().source == .stale)
        #expect(bench.requestCount == 3)
    }

    @Test("two variants that are served stale are each refreshed, at the same time") func refreshedVariants() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30", "Vary": "Accept"])
        for accept in ["x", "y"] { _ = try bench.get(["Accept": .init(accept)]) }
        bench.at(70)
        bench.origin.hold()
        for accept in ["x", "y", "x", "y"] { #expect(try bench.get(["Accept": .init(accept)]).source == .stale) }
        #expect(bench.origin.requests.suffix(2).map { $0.headerFields["Accept"] } == ["x", "y"])
        #expect(bench.requestCount == 4)
    }

    @Test("a background fetch whose answer may not be stored is not read") func unstorableRefresh() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30"])
        _ = try bench.get()
        bench.at(70)
        let chunk = [UInt8](repeating: 0x61, count: SharedBody.window)
        bench.origin.reply { _ in
            .init(HTTPResponse(headerFields: ["Cache-Control": "no-store"]), chunks: Array(repeating: chunk, count: 9))
        }
        let before = bench.origin.chunksSent
        #expect(try bench.get().source == .stale)
        #expect(bench.origin.chunksSent - before <= 2 && bench.origin.cancelled == 1)
    }

    @Test("a 304 that a background fetch did not ask for confirms nothing") func unaskedConfirmation() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30"], body: "one")
        _ = try bench.get()
        bench.at(70)
        bench.reply(["Cache-Control": "max-age=60"], status: 304, body: "")
        #expect(try bench.get().source == .stale)
        #expect(bench.origin.requests.last?.headerFields == [:])
        #expect(try bench.get().source == .stale)
    }

    @Test("a refresh in the background is given up after the request's time") func unansweredRefresh() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30"])
        _ = try bench.get()
        bench.at(70)
        bench.origin.hold()
        let stale = bench.start(CacheRequest(HTTPRequest(url: Bench.url), timeout: 5))
        #expect(stale.value?.source == .stale && bench.requestCount == 2)
        for (seconds, cancelled) in [(4, 0), (1, 1)] as [(Int64, Int)] {
            bench.clock.advance(by: seconds)
            bench.executor.drain()
            #expect(bench.origin.cancelled == cancelled)
        }
    }

    @Test("a good answer takes the place of the response that might have stood in for a failure")
    func goodAnswer() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-if-error=600"], body: "one")
        _ = try bench.get()
        bench.at(61)
        bench.reply(["Cache-Control": "max-age=60"], body: "two")
        #expect(try bench.get().body == "two")
        let hit = try bench.get()
        #expect(hit.body == "two" && hit.source == .memoryHit)
    }

    @Test("a cancelled request gets no stale response") func cancelled() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-if-error=600"], body: "one")
        _ = try bench.get()
        bench.at(61)
        bench.origin.hold()
        let started = bench.start()
        started.cancel()
        bench.executor.drain()
        guard case .cancelled = started.error as? EngineError else {
            Issue.record("\(String(describing: started.result))")
            return
        }
    }

    @Test(
        "without an origin, 504 answers for a response that must be confirmed, where that is asked for",
        arguments: [
            (.useProtocolCachePolicy, "must-revalidate", true), (.reloadRevalidatingCacheData, "must-revalidate", true),
            (.reloadRevalidatingCacheData, "max-age=1", false),
            (.reloadIgnoringLocalCacheData, "must-revalidate", false),
        ] as [(RequestPolicy, String, Bool)])
    func gatewayTimeout(policy: RequestPolicy, control: String, isAnswered: Bool) throws {
        let bench = try Bench { $0.answersGatewayTimeout = true }
        bench.reply(["Cache-Control": .init("max-age=1, \(control)"), "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(61)
        bench.origin.reply { _ in .none }
        let seen = bench.start(policy: policy)
        #expect((seen.value?.status == 504) == isAnswered && (seen.error == nil) == isAnswered)
    }

    @Test("a HEAD served stale has the GET revalidated") func headWhileRevalidating() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(70)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"b\""], body: "two")
        #expect(try bench.get(method: "HEAD").source == .stale)
        #expect(bench.origin.requests.last?.method == "GET")
        #expect(try bench.get().body == "two")
    }

    @Test(
        "if-error serves the stale response for a failing origin, within its time",
        arguments: [
            (500, 89, true), (502, 89, true), (503, 89, true), (504, 89, true), (nil, 89, true), (500, 90, false),
            (nil, 90, false), (501, 70, false), (404, 70, false),
        ] as [(Int?, Int64, Bool)])
    func ifError(status: Int?, seconds: Int64, isServed: Bool) throws {
        bench.reply(["Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(seconds)
        bench.origin.reply { _ in
            .init(status.map { HTTPResponse(status: $0, headerFields: ["Cache-Control": "max-age=5"]) })
        }
        if isServed {
            let seen = try bench.get()
            #expect(seen.body == "body" && seen.source == (status == nil ? .offline : .stale))
            // The failure did not take its place.
            #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.status == 200)
        } else if let status {
            #expect(try bench.get().status == status)
        } else {
            #expect(throws: EngineError.self) { try bench.get() }
        }
    }

    @Test("whether a stale response stands in for a failure is judged when the answer comes, not when it is asked for")
    func ifErrorWhenAnswered() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-if-error=30"])
        _ = try bench.get()
        bench.at(85)
        bench.reply(["Cache-Control": "max-age=5"], status: 503, body: "down", delay: 10)
        #expect(try bench.get().body == "down")
        #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.status == 503)
    }

    @Test("never against must-revalidate or no-cache", arguments: ["must-revalidate", "no-cache"])
    func forbidden(directive: String) throws {
        bench.reply([
            "Cache-Control": "max-age=60, stale-while-revalidate=30, stale-if-error=30, \(directive)", "ETag": "\"a\"",
        ])
        _ = try bench.get()
        bench.at(70)
        bench.origin.reply { _ in .none }
        #expect(throws: EngineError.self) { try bench.get() }
        bench.reply(status: 503, body: "")
        #expect(try bench.get().status == 503)
    }

    @Test(
        "on request a connection that fails is answered with 504 where a stale answer is forbidden",
        arguments: [("must-revalidate", true), ("no-cache", true), ("private", false)])
    func gatewayTimeout(directive: String, isAnswered: Bool) throws {
        let bench = try Bench { $0.answersGatewayTimeout = true }
        bench.reply(["Cache-Control": "max-age=60, \(directive)", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(61)
        bench.origin.reply { _ in .none }
        if isAnswered {
            let seen = try bench.get()
            #expect(seen.status == 504 && seen.source == .offline && seen.body.isEmpty)
            #expect(bench.isStored())
        } else {
            #expect(throws: EngineError.self) { try bench.get() }
        }
        #expect(throws: EngineError.self) { try bench.get(url: "https://example.org/none") }
        bench.reply(status: 503, body: "")
        #expect(try bench.get().status == 503)
    }

    @Test("a client that takes stale answers gets one without a request") func maxStale() throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(70)
        #expect(try bench.get(["Cache-Control": "max-stale=10"]).source == .stale)
        #expect(bench.requestCount == 1)
        _ = try bench.get(["Cache-Control": "max-stale=9"])
        #expect(bench.requestCount == 2)
    }

    @Test("while-revalidate asks nothing in the background for a request that is only-if-cached")
    func onlyIfCachedWhileRevalidating() throws {
        bench.reply(["Cache-Control": "max-age=60, stale-while-revalidate=30"])
        _ = try bench.get()
        bench.at(70)
        #expect(try bench.get(["Cache-Control": "only-if-cached"]).source == .stale)
        #expect(bench.requestCount == 1)
    }

    @Test("only-if-cached is answered from the store, or with 504 and no request") func onlyIfCached() throws {
        #expect(try bench.get(["Cache-Control": "only-if-cached"]).status == 504)
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        #expect(try bench.get(["Cache-Control": "only-if-cached"]).source == .memoryHit)
        bench.at(61)
        #expect(try bench.get(["Cache-Control": "only-if-cached"]).status == 504)
        #expect(bench.requestCount == 1)
    }
}
