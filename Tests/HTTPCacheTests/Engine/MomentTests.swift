import CacheTiers
import HTTPSemantics
import Testing
import VirtualOrigin

@testable import HTTPCache

/// The moments that the engine records for a response: sent, received, stored.
@Suite struct MomentTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test("the age of a stored response counts from the sending of its request (RFC 9111, section 4.2.3)")
    func sending() throws {
        bench.reply(["Cache-Control": "max-age=60"], delay: 20)
        _ = try bench.get()
        bench.at(25)
        #expect(try bench.get().fields["Age"] == "25")
        bench.at(60)
        #expect(try bench.get().source == .fetched)
    }

    @Test("the age of a confirmed response counts from the sending of the request that confirmed it")
    func sendingOfConfirmation() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(60)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""], status: 304, body: "", delay: 20)
        #expect(try bench.get().source == .revalidated)
        bench.at(85)
        #expect(try bench.get().fields["Age"] == "25")
    }

    @Test("a response was received when its header came, not when its request was sent") func receiving() throws {
        bench.reply(["Cache-Control": "max-age=60"], delay: 20)
        #expect(try answer().receivedAt == Bench.start + 20)
        bench.at(30)
        let hit = try answer()
        #expect(hit.source == .memoryHit && hit.receivedAt == Bench.start + 20)
    }

    @Test("a confirmed response was received when it was confirmed") func confirmation() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        #expect(try answer().receivedAt == Bench.start)
        bench.at(61)
        let confirmed = try answer()
        #expect(confirmed.source == .revalidated && confirmed.receivedAt == Bench.start + 61)
        bench.at(70)
        let hit = try answer()
        #expect(hit.source == .memoryHit && hit.receivedAt == Bench.start + 61)
    }

    @Test("a confirmed response was received when the 304 came, not when the origin was asked")
    func delayedConfirmation() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try answer()
        bench.at(61)
        bench.reply(["ETag": "\"a\""], status: 304, body: "", delay: 20)
        let confirmed = try answer()
        #expect(confirmed.source == .revalidated && confirmed.receivedAt == Bench.start + 81)
    }

    @Test("the cache's own 504 was received at the moment of the request") func gatewayTimeout() throws {
        bench.at(7)
        let answered = try answer(["Cache-Control": "only-if-cached"])
        #expect(answered.response.status == 504 && answered.receivedAt == Bench.start + 7)
    }

    @Test("a response outlives no time to live, whatever its moments, and has less than one second too few")
    func timeToLive() throws {
        let response = HTTPResponse()
        for (receivedAt, now, timeToLive, isWithin) in [
            (100, 159, 60, true), (100, 160, 60, false), (100, 90, 60, true), (100, 100, 0, false),
            (.min + 1, .max, .max, false), (.max, .min, 60, false),
        ] as [(Int64, Int64, Int64, Bool)] {
            let stored = try #require(StoredResponse(response, body: [], receivedAt: receivedAt))
            #expect(stored.isWithin(timeToLive, now: now) == isWithin, "\(receivedAt), \(now)")
        }
    }

    @Test("a response is stored when its body is complete, not when its header comes") func storing() throws {
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold(bodies: true)
        let started = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        bench.at(10)
        bench.origin.release()
        bench.executor.drain()
        #expect(started.value?.body == "body")
        let stored = try #require(bench.store.lookup(HTTPRequest(url: Bench.url)))
        #expect(stored.entry.storedAt == (Bench.start + 10) * 1_000_000)
        #expect(stored.facts.receivedAt == Bench.start)
    }

    private func answer(_ fields: HTTPFields = [:]) throws -> Answer {
        let engine = bench.engine
        let started = bench.executor.start {
            let answer = try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url, headerFields: fields)))
            _ = try await answer.body.collect()
            return answer
        }
        bench.executor.drain()
        return try #require(started.result).get()
    }
}
