import HTTPCache
import HTTPSemantics
import Testing
import VirtualOrigin

/// RFC 9111, section 4.3, through the whole engine (C6, C7, C8).
@Suite struct ValidationFlowTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test("a fresh response is served without a request, with its age") func fresh() throws {
        bench.reply(["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(59)
        let seen = try bench.get()
        #expect(seen.source == .memoryHit)
        #expect(seen.fields["Age"] == "59")
        #expect(bench.requestCount == 1)
    }

    @Test("a confirmed response answers a HEAD without its body") func confirmedHead() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        let seen = try bench.get(method: "HEAD")
        #expect(seen.source == .revalidated && seen.body == "" && seen.fields["ETag"] == "\"a\"")
    }

    @Test("requests that differ each ask for their own confirmation; equal ones share one")
    func sharingOfConfirmations() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get(["Accept": "x"])
        bench.at(61)
        bench.origin.hold()
        let all = ["x", "y", "y", "x"].map { bench.start(["Accept": .init($0)]) }
        #expect(bench.requestCount == 3)
        bench.origin.release()
        bench.executor.drain()
        #expect(all.map { $0.value?.source } == [.revalidated, .revalidated, .revalidated, .revalidated])
        #expect(bench.requestCount == 3)
    }

    @Test("a HEAD whose request forbids storing leaves nothing of its answer in the store")
    func headWithNoStore() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Part": "old"])
        _ = try bench.get()
        bench.at(61)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Part": "new"], body: "")
        _ = try bench.get(["Cache-Control": "no-store"], method: "HEAD", policy: .reloadIgnoringLocalCacheData)
        #expect(bench.store.lookup(HTTPRequest(url: Bench.url))?.response.headerFields["X-Part"] != "new")
    }

    @Test("the body of an answer that is not handed out is cancelled") func discardedBodies() throws {
        bench.reply(status: 103)
        #expect(throws: EngineError.self) { try bench.get() }
        #expect(bench.origin.cancelled == 1)
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(61)
        #expect(try bench.get().source == .revalidated)
        #expect(bench.origin.cancelled == 2)
        bench.at(200)
        bench.origin.reply { request in
            let isAsked = request.headerFields["If-None-Match"] != nil
            return .init(HTTPResponse(status: isAsked ? 304 : 200, headerFields: ["ETag": "\"b\""]))
        }
        #expect(try bench.get().source == .fetched)
        #expect(bench.origin.cancelled == 3)
    }

    @Test("a late answer to an earlier request leaves the newer response stored", arguments: [304, 200])
    func lateAnswer(status: Int) throws {
        bench.reply(["Cache-Control": "max-age=1", "ETag": "\"a\""], body: "old")
        _ = try bench.get()
        bench.at(10)
        bench.origin.hold()
        let early = bench.start()
        let late = bench.start(policy: .reloadIgnoringLocalCacheData)
        #expect(bench.requestCount == 3)
        bench.origin.reply { request in
            if request.headerFields["If-None-Match"] == nil {
                let fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"b\""]
                return .init(HTTPResponse(headerFields: fields), chunks: [Array("new".utf8)])
            }
            let fields: HTTPFields = ["Cache-Control": status == 304 ? "max-age=60" : "no-store", "ETag": "\"a\""]
            return .init(HTTPResponse(status: status, headerFields: fields))
        }
        bench.origin.releaseLatest()
        bench.executor.drain()
        #expect(late.value?.body == "new")
        bench.origin.release()
        bench.executor.drain()
        #expect(early.value != nil)
        let seen = try bench.get()
        #expect(seen.body == "new" && seen.source == .memoryHit)
    }

    @Test(
        "a stale response is asked about with its validators, exactly as they came",
        arguments: [
            (["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
            (
                ["Last-Modified": "Sat, 21 Nov 2026 00:00:00 +0000"],
                ["If-Modified-Since": "Sat, 21 Nov 2026 00:00:00 +0000"]
            ),
            (
                ["ETag": "\"a\"", "Last-Modified": "Sat, 21 Nov 2026 00:00:00 GMT"],
                ["If-None-Match": "\"a\"", "If-Modified-Since": "Sat, 21 Nov 2026 00:00:00 GMT"]
            ),
        ] as [(HTTPFields, HTTPFields)])
    func validators(stored: HTTPFields, sent: HTTPFields) throws {
        var fields = stored
        fields["Cache-Control"] = "max-age=60"
        bench.reply(fields)
        _ = try bench.get(["Accept": "text/html"])
        bench.at(60)
        bench.reply(status: 304, body: "")
        let seen = try bench.get(["Accept": "text/html"])
        #expect(seen.source == .revalidated && seen.status == 200 && seen.body == "body")
        let request = try #require(bench.origin.requests.last)
        for field in sent.fields { #expect(request.headerFields[field.name] == field.value) }
        #expect(request.headerFields["Accept"] == "text/html")
        for name in ["If-None-Match", "If-Modified-Since"] as [HTTPFields.Name] where sent[name] == nil {
            #expect(request.headerFields[name] == nil)
        }
    }

    @Test("a 304 makes the stored response fresh for another lifetime, with its new fields and the old body")
    func freshening() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Count": "1", "Content-Type": "text/plain"])
        _ = try bench.get()
        bench.at(61)
        bench.reply(["ETag": "\"a\"", "X-Count": "2", "Content-Type": "text/html"], status: 304, body: "")
        let confirmed = try bench.get()
        #expect(confirmed.fields["X-Count"] == "2" && confirmed.fields["Content-Type"] == "text/html")
        bench.at(120)
        let hit = try bench.get()
        #expect(hit.source == .memoryHit && hit.body == "body" && hit.fields["X-Count"] == "2")
        bench.at(121)
        _ = try bench.get()
        #expect(bench.requestCount == 3)
    }

    @Test("a response whose confirmation forbids storing it is answered, and does not stay")
    func confirmedNoStore() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60"])
        _ = try bench.get()
        bench.at(60)
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "no-store"])
        let seen = try bench.get()
        #expect(seen.body == "body" && seen.source == .revalidated)
        #expect(!bench.isStored())
    }

    @Test("a server that rolls back is a change: its older date replaces the newer one") func rollingBack() throws {
        bench.reply(["Cache-Control": "max-age=60", "Last-Modified": "Sat, 21 Nov 2026 00:00:00 GMT"], body: "new")
        _ = try bench.get()
        bench.at(61)
        bench.reply(["Cache-Control": "max-age=60", "Last-Modified": "Sat, 14 Nov 2026 00:00:00 GMT"], body: "old")
        #expect(try bench.get().body == "old")
        let hit = try bench.get()
        #expect(hit.source == .memoryHit && hit.body == "old")
    }

    @Test("a 304 that names another strong entity tag freshens nothing, and the whole is asked for")
    func otherTag() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""], body: "one")
        _ = try bench.get()
        bench.at(61)
        bench.origin.reply { request in
            request.headerFields["If-None-Match"] == nil
                ? .init(HTTPResponse(headerFields: ["ETag": "\"b\""]), chunks: [Array("two".utf8)])
                : .init(HTTPResponse(status: 304, headerFields: ["ETag": "\"b\""]))
        }
        let seen = try bench.get()
        #expect(seen.body == "two" && seen.source == .fetched)
        #expect(bench.requestCount == 3)
    }

    @Test("a weak tag is confirmed by the same tag sent as a strong one, and stays weak") func weakenedTag() throws {
        bench.reply([
            "Cache-Control": "max-age=60", "ETag": "W/\"x\"", "Last-Modified": "Sat, 21 Nov 2026 00:00:00 GMT",
        ])
        _ = try bench.get()
        bench.at(61)
        bench.reply(["ETag": "\"x\"", "Cache-Control": "max-age=60"], status: 304, body: "")
        let seen = try bench.get()
        #expect(seen.source == .revalidated && seen.fields["ETag"] == "W/\"x\"")
        #expect(bench.requestCount == 2)
        #expect(try bench.get().fields["ETag"] == "W/\"x\"")
    }

    @Test("a value outside UTF-8 goes back to the origin as its bytes came") func bytesOutsideUTF8() throws {
        let tag = HTTPFields.Field(name: "ETag", valueBytes: [0x22, 0xE9, 0xFF, 0x22])
        bench.reply(HTTPFields([.init(name: "Cache-Control", value: "max-age=60"), tag]))
        _ = try bench.get()
        bench.at(61)
        _ = try bench.get()
        let sent = bench.origin.requests.last?.headerFields.fields.first { $0.name == "If-None-Match" }
        #expect(sent?.valueBytes == [0x22, 0xE9, 0xFF, 0x22])
    }

    @Test("over https a fresh immutable response answers reloadRevalidatingCacheData, over http it is confirmed")
    func immutable() throws {
        bench.replyByEntityTag("\"a\"", ["Cache-Control": "max-age=60, immutable"])
        for url in ["https://example.org/i", "http://example.org/i"] {
            _ = try bench.get(url: url)
            let seen = try bench.get(url: url, policy: .reloadRevalidatingCacheData)
            #expect(seen.source == (url.hasPrefix("https") ? .memoryHit : .revalidated))
        }
        let secure = "https://example.org/i"
        let own = try bench.get(["Cache-Control": "max-age=0"], url: secure, policy: .reloadRevalidatingCacheData)
        #expect(own.source == .revalidated)
        #expect(try bench.get(url: secure, policy: .reloadIgnoringLocalCacheData).source == .fetched)
    }

    @Test("without a validator a stale response is fetched anew") func noValidator() throws {
        bench.reply(["Cache-Control": "max-age=60"], body: "one")
        _ = try bench.get()
        bench.at(61)
        bench.reply(["Cache-Control": "max-age=60"], body: "two")
        #expect(try bench.get().body == "two")
        #expect(bench.origin.requests.last?.headerFields.fields.isEmpty == true)
    }

    @Test("the application's own question goes through untouched, it sees the 304, and the body is in the store")
    func ownQuestion() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(61)
        bench.reply(["ETag": "\"a\""], status: 304, body: "")
        let seen = try bench.get(["If-None-Match": "\"other\""])
        #expect(seen.status == 304 && seen.source == .bypass)
        #expect(bench.origin.requests.last?.headerFields == ["If-None-Match": "\"other\""])
        let stored = bench.store.lookup(HTTPRequest(url: Bench.url, headerFields: ["If-None-Match": "\"other\""]))
        #expect(stored?.withBody { Array($0) } == Array("body".utf8))
        // It named the stored response, so that one is good for another minute.
        #expect(try bench.get().source == .memoryHit)
    }

    @Test("a HEAD is answered from a stored GET, without a body") func head() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""])
        _ = try bench.get()
        let seen = try bench.get(method: "HEAD")
        #expect(seen.source == .memoryHit && seen.status == 200 && seen.body.isEmpty)
        #expect(bench.requestCount == 1)
    }

    @Test("a HEAD that tells of another representation removes the stored one; one that confirms it renews it")
    func headUpdates() throws {
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(61)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"a\""], body: "")
        _ = try bench.get(method: "HEAD")
        #expect(try bench.get().source == .memoryHit)
        bench.reply(["Cache-Control": "max-age=60", "ETag": "\"b\""], body: "")
        _ = try bench.get(method: "HEAD", policy: .reloadIgnoringLocalCacheData)
        #expect(!bench.isStored())
    }

    @Test("a HEAD that finds something does not renew the stored answer that there is nothing", arguments: [404, 301])
    func headFinds(status: Int) throws {
        bench.reply(["Cache-Control": "max-age=10", "Location": "/b"], status: status, body: "")
        _ = try bench.get()
        bench.at(20)
        bench.reply(["Cache-Control": "max-age=3600"], body: "")
        _ = try bench.get(method: "HEAD")
        bench.reply(["Cache-Control": "max-age=60"], body: "there")
        let seen = try bench.get()
        #expect(seen.status == 200 && seen.body == "there")
    }

    @Test(
        "what contradicts itself or cannot be read is not served unconfirmed (C13)",
        arguments: [
            "max-age=60, no-cache", "max-age=60, no-cache=\"Set-Cookie\"", "max-age=-1", "max-age=60.0", "max-age=\"60",
            "max-age =60",
        ])
    func unclear(cacheControl: String) throws {
        bench.reply(["Cache-Control": cacheControl, "ETag": "\"a\""])
        _ = try bench.get()
        bench.at(1)
        _ = try bench.get()
        #expect(bench.requestCount == 2)
    }
}
