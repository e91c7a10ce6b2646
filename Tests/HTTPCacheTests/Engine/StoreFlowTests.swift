import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// Responses that are stored, removed and left alone (C9, C10, C11, A12).
@Suite struct StoreFlowTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test(
        """
        an error that is stale at once is not stored, and the good response goes only if the resource is gone (E6); \
        an error with a lifetime takes its place, unless it concerns one request
        """,
        arguments: [
            ("no-cache, private", 503, "good"), ("private", 500, "good"), ("max-age=0", 425, "good"),
            ("no-cache, max-age=60", 403, "good"), ("private", 405, "good"), ("public", 414, "good"),
            ("no-transform", 501, "good"), ("max-age=60", 503, "down"), ("max-age=60", 405, "down"),
            ("max-age=60", 404, "down"), ("private", 404, nil), ("no-cache, max-age=60", 410, nil),
            ("public, max-age=60", 428, "good"), ("public, max-age=60", 429, "good"),
            ("public, max-age=60", 431, "good"), ("public, max-age=60", 511, "good"),
        ] as [(String, Int, String?)])
    func errors(control: String, status: Int, stored: String?) throws {
        for timeToLive in [nil, 600] as [Int64?] {
            let bench = try Bench { $0.timeToLive = timeToLive }
            bench.reply(["Cache-Control": "no-cache", "ETag": "\"a\""], body: "good")
            _ = try bench.get()
            bench.reply(["Cache-Control": control], status: status, body: "down")
            _ = try bench.get(policy: .reloadIgnoringLocalCacheData)
            let body = try? bench.get(policy: .returnCacheDataDontLoad).body
            #expect(body == stored)
        }
    }

    @Test("an error without a lifetime answers nobody who takes a stored response of any age", arguments: [404, 410])
    func errorsOfAnyAge(status: Int) throws {
        bench.reply(status: status, body: "not there yet")
        _ = try bench.get()
        bench.reply(body: "there")
        #expect(try bench.get(policy: .returnCacheDataElseLoad).body == "there")
    }

    @Test("a time to live is for answers, and an error keeps its own", arguments: [404, 405, 410, 501, 503])
    func errorsWithinTimeToLive(status: Int) throws {
        let bench = try Bench { $0.timeToLive = 600 }
        bench.reply(["Cache-Control": "max-age=60"], status: status, body: "down")
        _ = try bench.get()
        bench.reply(["Cache-Control": "max-age=60"], body: "good")
        #expect(try bench.get().body == "down")
        bench.at(61)
        #expect(try bench.get().body == "good")
    }

    @Test("what is stored has a Date: the origin's, else when it or its last confirmation came (RFC 9110, 6.6.1)")
    func dates() throws {
        let bench = try Bench()
        func date(_ seconds: Int64) -> String { HTTPDate.format(Bench.start + seconds) }
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60", "Date": date(-5)])
        _ = try bench.get()
        bench.at(10)
        #expect(try bench.get().fields["Date"] == date(-5))
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        bench.at(100)
        let confirmed = try bench.get()
        #expect(confirmed.source == .revalidated && confirmed.fields["Date"] == date(100))
        bench.at(159)
        let hit = try bench.get()
        #expect(hit.source == .memoryHit && hit.fields["Date"] == date(100) && hit.fields["Age"] == "59")
        #expect(try bench.get(url: "https://example.org/b").fields["Date"] == nil)
        #expect(try bench.get(url: "https://example.org/b").fields["Date"] == date(159))
        _ = try bench.get(method: "HEAD", url: "https://example.org/b", policy: .reloadIgnoringLocalCacheData)
        bench.at(170)
        _ = try bench.get(method: "HEAD", url: "https://example.org/b", policy: .reloadIgnoringLocalCacheData)
        #expect(try bench.get(url: "https://example.org/b").fields["Date"] == date(170))
    }

    @Test("a 304 to a request that forbids storing leaves what is stored", arguments: ["GET", "HEAD"])
    func confirmedWithNoStore(method: String) throws {
        let bench = try Bench()
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=0"])
        _ = try bench.get()
        bench.at(5)
        #expect(try bench.get(["Cache-Control": "no-store"], method: method).status == 200)
        #expect(bench.isStored() && bench.store.lookup(HTTPRequest(url: Bench.url))?.facts.receivedAt == Bench.start)
    }

    @Test(
        "a HEAD that says nothing else about the stored response leaves it: a length that it has not, a tag without W/",
        arguments: [
            (["ETag": "\"x\"", "Content-Length": "5120"], true), (["ETag": "\"y\""], false),
            (["ETag": "W/\"x\""], true),
        ] as [(HTTPFields, Bool)])
    func head(fields: HTTPFields, stays: Bool) throws {
        let bench = try Bench()
        bench.reply(["Cache-Control": "max-age=0", "ETag": "W/\"x\""])
        _ = try bench.get()
        bench.reply(fields, body: "")
        _ = try bench.get(method: "HEAD", policy: .reloadIgnoringLocalCacheData)
        #expect(bench.isStored() == stays)
    }

    @Test("variants of one URL are kept apart by what Vary names, and absence is a value (C9)") func variants() throws {
        bench.origin.reply { request in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "vary": "accept-LANGUAGE"]),
                chunks: [Array((request.headerFields["Accept-Language"] ?? "none").utf8)])
        }
        for language in ["en", "de", nil] as [String?] {
            var fields = HTTPFields()
            fields["Accept-Language"] = language
            #expect(try bench.get(fields).body == language ?? "none")
            let again = try bench.get(fields)
            #expect(again.body == language ?? "none" && again.source == .memoryHit)
        }
        #expect(bench.requestCount == 3)
    }

    @Test("what varies on everything is not stored (C9)") func varyStar() throws {
        bench.reply(["Cache-Control": "max-age=60", "Vary": "Accept, *"])
        _ = try bench.get()
        _ = try bench.get()
        #expect(bench.requestCount == 2)
    }

    @Test(
        "an unsafe method invalidates its URL on a non-error answer only (C10)",
        arguments: [
            ("POST", 200), ("PUT", 204), ("DELETE", 303), ("PATCH", 200), ("FROB", 200), ("POST", 304), ("POST", 400),
            ("POST", 500), ("OPTIONS", 200),
        ])
    func invalidation(method: String, status: Int) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.reply(status: status)
        let seen = try bench.get(method: method)
        #expect(seen.source == .bypass)
        #expect(bench.isStored() == (status >= 400 || method == "OPTIONS"))
    }

    @Test("Location and Content-Location of the same origin are invalidated too, others are not (C10)")
    func locations() throws {
        let same = "https://example.org/b"
        let other = "https://example.com/b"
        bench.reply(["Cache-Control": "max-age=60"])
        for url in [same, other, "https://example.org/c"] { _ = try bench.get(url: url) }
        bench.reply(["Location": "/b", "Content-Location": "https://example.com/b"], status: 201)
        _ = try bench.get(method: "POST")
        #expect(!bench.isStored(same))
        #expect(bench.isStored(other) && bench.isStored("https://example.org/c"))
    }

    @Test("what was being fetched when its URL was invalidated is not stored") func invalidatedInFlight() throws {
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold()
        let early = bench.start()
        let post = bench.start(method: "POST")
        // The answer to the POST overtakes that to the GET.
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(post.value != nil && early.result == nil)
        bench.origin.release()
        bench.executor.drain()
        #expect(early.value?.body == "body")
        #expect(!bench.isStored())
    }

    @Test("what was being fetched when the application removed its URL is not stored") func removedInFlight() throws {
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold()
        let early = bench.start()
        bench.engine.remove(CacheRequest(HTTPRequest(url: Bench.url)))
        // The next request makes another fetch, whose answer is stored.
        let late = bench.start()
        #expect(bench.requestCount == 2)
        bench.origin.release(1)
        bench.executor.drain()
        #expect(early.value?.body == "body" && late.result == nil)
        #expect(!bench.isStored())
        bench.origin.release()
        bench.executor.drain()
        #expect(late.value?.body == "body")
        #expect(bench.isStored())
    }

    @Test(
        "what was being fetched when everything was removed, also since a date, is not stored",
        arguments: [false, true])
    func allRemovedInFlight(sinceDate: Bool) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        bench.origin.hold()
        let early = bench.start()
        if sinceDate {
            try bench.store.removeAll(since: CacheTime(seconds: Bench.start - 1).microseconds)
        } else {
            try bench.store.removeAll()
        }
        let late = bench.start()
        #expect(bench.requestCount == 2)
        bench.origin.release(1)
        bench.executor.drain()
        #expect(early.value?.body == "body" && !bench.isStored())
        bench.origin.release()
        bench.executor.drain()
        #expect(late.value?.body == "body" && bench.isStored())
    }

    @Test("an answer to an earlier request does not take the place of one to a later request") func overtaken() throws {
        bench.reply(["Cache-Control": "max-age=60"], body: "old")
        bench.origin.hold(bodies: true)
        let early = bench.start()
        bench.origin.release(1)
        bench.executor.drain()
        bench.reply(["Cache-Control": "max-age=60"], body: "new")
        let late = bench.start(policy: .reloadIgnoringLocalCacheData)
        // Its head, then its body, while the earlier body is held back.
        for _ in 0..<2 {
            bench.origin.releaseLatest()
            bench.executor.drain()
        }
        #expect(late.value?.body == "new")
        #expect(early.result == nil)
        bench.origin.release()
        bench.executor.drain()
        #expect(early.value?.body == "old")
        #expect(try bench.get().body == "new")
    }

    @Test(
        "an answer to an earlier request does not come back after a later one that removed what was stored",
        arguments: ["GET", "HEAD"])
    func overtakenByRemoval(method: String) throws {
        if method == "HEAD" {
            bench.reply(["Cache-Control": "max-age=0", "ETag": "\"0\""])
            _ = try bench.get()
        }
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"1\""], body: "old")
        bench.origin.hold(bodies: true)
        let early = bench.start(policy: .reloadIgnoringLocalCacheData)
        bench.origin.release(1)
        bench.executor.drain()
        bench.reply(["Cache-Control": method == "HEAD" ? "max-age=60" : "no-store", "ETag": "\"2\""], body: "")
        let late = bench.start(
            method: method, policy: method == "HEAD" ? .useProtocolCachePolicy : .reloadIgnoringLocalCacheData)
        for _ in 0..<2 {
            bench.origin.releaseLatest()
            bench.executor.drain()
        }
        #expect(late.value?.status == 200)
        bench.origin.release()
        bench.executor.drain()
        #expect(early.value?.body == "old" && !bench.isStored())
    }

    @Test("an answer to a condition or a range does not take the place of the whole", arguments: [412, 416])
    func ofOneRequest(status: Int) throws {
        bench.reply(["Cache-Control": "max-age=60"], body: "whole")
        _ = try bench.get()
        bench.reply(["Cache-Control": "max-age=60"], status: status, body: "")
        let fields: HTTPFields = status == 416 ? ["Range": "bytes=99-"] : ["If-Match": "\"x\""]
        #expect(try bench.get(fields, policy: .reloadIgnoringLocalCacheData).status == status)
        #expect(try bench.get().body == "whole")
    }

    @Test(
        "an interim answer of a transport is an error, and neither stored nor an invalidation", arguments: [100, 103])
    func interimAnswer(status: Int) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.reply(["Cache-Control": "max-age=60"], status: status)
        for method in ["GET", "POST"] {
            #expect(throws: EngineError.self) { try bench.get(method: method, policy: .reloadIgnoringLocalCacheData) }
        }
        #expect(bench.isStored())
    }

    @Test("nothing but GET is stored", arguments: ["POST", "PUT", "OPTIONS", "HEAD"])
    func onlyGet(method: String) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get(method: method)
        #expect(!bench.isStored())
    }

    @Test("a part is not stored, and does not poison the whole (C11)") func parts() throws {
        bench.reply(["Cache-Control": "max-age=60"], body: "whole")
        _ = try bench.get()
        bench.reply(["Cache-Control": "max-age=60", "Content-Range": "bytes 0-1/5"], status: 206, body: "wh")
        _ = try bench.get(["Range": "bytes=0-1"], policy: .reloadIgnoringLocalCacheData)
        let part = try bench.get(["Range": "bytes=0-1"])
        #expect(part.body == "wh" && part.source == .memoryHit)
        #expect(try bench.get().body == "whole")
    }

    @Test("a download goes on where it broke off: 206 continues, 200 starts over (C11)", arguments: [true, false])
    func resuming(continues: Bool) throws {
        let tag: HTTPFields = ["ETag": "\"a\"", "Content-Length": "6"]
        bench.origin.reply { request in
            if request.headerFields["Range"] == nil {
                return .init(HTTPResponse(headerFields: tag), chunks: [Array("abc".utf8)], breaksOff: true)
            }
            return continues
                ? .init(
                    HTTPResponse(status: 206, headerFields: ["Content-Range": "bytes 3-5/6", "ETag": "\"a\""]),
                    chunks: [Array("def".utf8)])
                : .init(HTTPResponse(headerFields: ["ETag": "\"b\""]), chunks: [Array("uvwxyz".utf8)])
        }
        let engine = bench.engine
        let first = bench.executor.start {
            let answer = try await engine.respond(to: CacheRequest(HTTPRequest(url: Bench.url)))
            await #expect(throws: EngineError.self) { try await answer.body.collect() }
            return PartialBody(byteCount: 3, response: answer.response, receivedAt: answer.receivedAt)
        }
        bench.executor.drain()
        let partial = try #require(first.value)
        #expect(!bench.isStored())
        let rest = bench.executor.start {
            let resumed = try await engine.resume(CacheRequest(HTTPRequest(url: Bench.url)), after: partial)
            let text = String(decoding: try await resumed.answer.body.collect(), as: UTF8.self)
            return (resumed.continues, resumed.response.status, text)
        }
        bench.executor.drain()
        let (went, status, body) = try #require(rest.value)
        #expect(went == continues && status == 200)
        #expect(body == (continues ? "def" : "uvwxyz"))
        #expect(
            bench.origin.requests.last?.headerFields
                == ["Range": "bytes=3-", "If-Range": "\"a\"", "Accept-Encoding": "identity"])
        // The part received before and the rest are the whole.
        #expect(try bench.get(policy: .returnCacheDataDontLoad).body == (continues ? "abcdef" : "uvwxyz"))
    }

    @Test("the whole of two parts has the fields of both, and where both have one, the later part's (RFC 9111, 3.4)")
    func combinedFields() throws {
        bench.origin.reply { request in
            let isFirst = request.headerFields["Range"] == "bytes=0-2"
            var fields: HTTPFields = ["ETag": "\"a\"", "Cache-Control": "max-age=60"]
            fields["Content-Range"] = isFirst ? "bytes 0-2/6" : "bytes 3-5/6"
            fields["X-Both"] = isFirst ? "first" : "second"
            fields[isFirst ? "X-First" : "X-Second"] = "yes"
            return .init(
                HTTPResponse(status: 206, headerFields: fields), chunks: [Array((isFirst ? "abc" : "def").utf8)])
        }
        for range in ["bytes=0-2", "bytes=3-5"] { _ = try bench.get(["Range": range]) }
        let whole = try bench.get(policy: .returnCacheDataDontLoad)
        #expect(whole.status == 200 && whole.body == "abcdef")
        #expect(["X-First", "X-Second", "X-Both"].map { whole.fields[$0] } == ["yes", "yes", "second"])
    }

    @Test("parts of representations of two lengths are not joined, even under one entity tag")
    func partsOfTwoLengths() throws {
        bench.origin.reply { request in
            let isFirst = request.headerFields["Range"] == "bytes=0-2"
            let range = isFirst ? "bytes 0-2/6" : "bytes 3-5/8"
            return .init(
                HTTPResponse(status: 206, headerFields: ["ETag": "\"a\"", "Content-Range": range]),
                chunks: [Array((isFirst ? "abc" : "def").utf8)])
        }
        for range in ["bytes=0-2", "bytes=3-5"] { _ = try bench.get(["Range": range]) }
        #expect(throws: EngineError.self) { try bench.get(policy: .returnCacheDataDontLoad) }
    }

    @Test(
        "a new answer that is not stored removes the one it supersedes (A12)",
        arguments: [
            ("no-store", 200, false), ("no-store", 404, false), ("no-store", 500, true), ("no-store", 403, true),
        ])
    func superseding(cacheControl: String, status: Int, isStored: Bool) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.reply(["Cache-Control": cacheControl], status: status)
        _ = try bench.get(policy: .reloadIgnoringLocalCacheData)
        #expect(bench.isStored() == isStored)
    }

    @Test(
        "a body of another length than announced is not stored",
        arguments: ["3", "5", "4, 5", "9223372036854775808", "four"])
    func wrongLength(length: String) throws {
        bench.reply(["Cache-Control": "max-age=60", "Content-Length": length], body: "body")
        #expect(try bench.get().body == "body")
        #expect(!bench.isStored())
    }

    @Test(
        "a URL that can be no key is passed on, and nothing is stored",
        arguments: ["ftp://example.org/", "https://u:p@example.org/"])
    func refusedURL(url: String) throws {
        bench.reply(["Cache-Control": "max-age=60"])
        for _ in 0..<2 { #expect(try bench.get(url: url).source == .bypass) }
        #expect(bench.requestCount == 2)
    }
}
