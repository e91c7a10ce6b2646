import CacheTiers
import HTTPCache
import HTTPSemantics
import Testing

@Suite struct ResponseStoreTests {
    let store: ResponseStore

    init() throws { store = try makeStore() }

    @Test("a stored response comes back with its status, fields, body and application data")
    func storedResponseComesBack() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-Empty": "", "Set-Cookie": "a=1"]
        put("hello", HTTPResponse(status: 404, headerFields: fields), applicationData: [1, 2, 3])

        let found = try #require(store.lookup(HTTPRequest(url: "https://example.com/a")))

        #expect(found.status == 404)
        #expect(found.response == HTTPResponse(status: 404, headerFields: fields))
        #expect(found.withBody { Array($0) } == Array("hello".utf8))
        #expect(found.applicationData == [1, 2, 3])
        #expect(found.tier == .memory)
        #expect(found.facts.isFresh(at: 1_059) && !found.facts.isFresh(at: 1_060))
    }

    @Test(
        "the whole URL is the key",
        arguments: [
            "https://example.com/a?x=1", "https://example.com/b", "http://example.com/a", "https://example.com:8443/a",
            "https://example.org/a", "https://example.com/A", "https://example.com/%61",
        ])
    func wholeURLIsTheKey(other: String) {
        put("hello")
        #expect(store.lookup(HTTPRequest(url: other)) == nil)
    }

    @Test(
        "two spellings of one URL share an entry",
        arguments: ["HTTPS://EXAMPLE.com/a", "https://example.com:443/a", "https://example.com/a#part"])
    func spellingsShareAnEntry(other: String) {
        put("hello")
        #expect(store.lookup(HTTPRequest(url: other)) != nil)
    }

    @Test(
        "what can be no key is neither stored nor looked up",
        arguments: ["ftp://example.com/a", "https://user@example.com/a", "/a", "", "https://example.com/a b"])
    func refusedURLs(url: String) {
        let outcome = put("hello", url: url)
        guard case .refusedURL = outcome else {
            Issue.record("\(url) gave \(outcome)")
            return
        }
        #expect(store.lookup(HTTPRequest(url: url)) == nil)
        #expect(store.tiers.memory.count == 0)
    }

    @Test("a later response takes the place of the earlier one, and removing it leaves nothing")
    func replacingAndRemoving() throws {
        put("one")
        put("two")
        let found = try #require(store.lookup(HTTPRequest(url: "https://example.com/a")))
        #expect(found.withBody { Array($0) } == Array("two".utf8))
        #expect(try store.remove(HTTPRequest(url: "https://example.com/a")))
        #expect(store.lookup(HTTPRequest(url: "https://example.com/a")) == nil)
        #expect(try !store.remove(HTTPRequest(url: "https://example.com/a")))
    }

    @Test(
        "an answer from before a removal is not stored, but ends an older one that was asked for afterwards",
        arguments: [(99, true), (101, false)] as [(Int64, Bool)])
    func newerFromBeforeRemoval(date: Int64, isFound: Bool) throws {
        let request = HTTPRequest(url: "https://example.com/a")
        func keep(_ body: String, _ date: Int64, sent: UInt64) -> StoreOutcome {
            let response = HTTPResponse(
                headerFields: ["Cache-Control": "max-age=600", "Date": .init(HTTPDate.format(date))])
            let moment = store.order.received(response, sent: sent, now: 1_000)
            return Array(body.utf8).withUnsafeBytes {
                store.store(
                    response, for: request, body: $0, requestTime: 1_000, responseTime: 1_000, storedAt: 1_000_000_000,
                    moment: moment)
            }
        }
        let early = store.order.begin()
        try store.remove(request)
        let late = store.order.begin()
        guard case .stored = keep("late", 100, sent: late), case .overtaken = keep("early", date, sent: early) else {
            Issue.record("the removal is not final")
            return
        }
        #expect((store.lookup(request) != nil) == isFound)
    }

    @Test(
        "a part, and an answer to one request alone, is not stored and leaves the whole where it was",
        arguments: [206, 412, 416, 428, 429, 431, 511])
    func partDoesNotPoison(status: Int) throws {
        put("whole")
        let outcome = put("part", HTTPResponse(status: status, headerFields: ["Cache-Control": "max-age=60"]))
        guard case .neverAnswers = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let found = try #require(store.lookup(HTTPRequest(url: "https://example.com/a")))
        #expect(found.withBody { Array($0) } == Array("whole".utf8))
    }

    @Test("an application's hook tells apart what the server does not") func keyHook() throws {
        let store = try makeStore { $0.headerFields["thumbnail"] }
        let full = HTTPRequest(url: "https://example.com/a")
        var thumbnail = full
        thumbnail.headerFields["Thumbnail"] = "true"
        store.put("full", for: full)
        store.put("small", for: thumbnail)
        #expect(store.lookup(full)?.withBody { Array($0) } == Array("full".utf8))
        #expect(store.lookup(thumbnail)?.withBody { Array($0) } == Array("small".utf8))
        var empty = full
        empty.headerFields["Thumbnail"] = ""
        #expect(store.lookup(empty) == nil, "an empty text is one too")
        #expect(try store.remove(thumbnail))
        #expect(store.lookup(thumbnail) == nil && store.lookup(full) != nil, "removed by its text alone")
    }

    @Test("a response whose Vary names more than any origin needs is not stored", arguments: [64, 65])
    func manyNames(count: Int) {
        let names = (0..<count).map { "X-\($0)" }.joined(separator: ",")
        put("hello", HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "Vary": .init(names)]))
        #expect((store.lookup(HTTPRequest(url: "https://example.com/a")) != nil) == (count == 64))
    }

    @Test("a body of more than 2 GiB removes the response in whose place it would be") func tooLong() {
        put("old")
        let byte = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { byte.deallocate() }
        // Its length is looked at before any byte is read.
        let outcome = store.store(
            HTTPResponse(headerFields: ["Cache-Control": "max-age=60"]), for: HTTPRequest(url: "https://example.com/a"),
            body: UnsafeRawBufferPointer(start: byte, count: Int(Int32.max) + 1), policy: .allowed, requestTime: 1_000,
            responseTime: 1_000, storedAt: 1_000_000_000)
        guard case .tooLong = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(store.lookup(HTTPRequest(url: "https://example.com/a")) == nil)
    }

    @Test("a handout may be kept for the canonical spelling of a URL without variants, and for no other")
    func handouts() throws {
        put("hello")
        put("varied", HTTPResponse(headerFields: ["Cache-Control": "max-age=60", "Vary": "X"]), url: "https://b.com/v")
        let hooked = try makeStore { _ in "hook" }
        hooked.put("hello", for: HTTPRequest(url: "https://example.com/a"))
        let expected: [(ResponseStore, String, Bool?)] = [
            (store, "https://example.com/a", true), (store, "HTTPS://EXAMPLE.COM/a", false),
            (store, "https://example.com:443/a", false), (store, "https://example.com/a#b", false),
            (store, "https://b.com/v", false), (hooked, "https://example.com/a", false),
            (store, "https://example.com/b", nil), (store, "no URL", nil),
        ]
        for (store, url, takes) in expected {
            var text = url
            let hit = text.withUTF8 {
                store.lookupHandout(url: UnsafeRawBufferPointer($0), request: HTTPRequest(url: url))
            }
            switch hit {
            case .entry(_, _, let takesHandout)?: #expect(takesHandout == takes, "\(url)")
            case .handout?: Issue.record("\(url) has a handout")
            case nil: #expect(takes == nil, "\(url)")
            }
        }
    }

    @Test("what is no final answer is not stored", arguments: [100, 101, 103, 199])
    func interim(status: Int) {
        guard case .neverAnswers = put("hello", HTTPResponse(status: status)) else {
            Issue.record("stored")
            return
        }
        #expect(store.tiers.memory.count == 0)
    }

    @Test("an object that is given with a response is kept with its entry") func attachment() {
        let object = Attached()
        [UInt8]("hello".utf8).withUnsafeBytes { body in
            _ = store.store(
                fresh, for: HTTPRequest(url: "https://example.com/a"), body: body, requestTime: 1_000,
                responseTime: 1_000, storedAt: 0, attachment: object)
        }
        #expect(store.lookup(HTTPRequest(url: "https://example.com/a"))?.entry.attachment === object)
    }

    @Test("an entry under a URL that is no response answers nothing", arguments: 0..<5)
    func kinds(kind: UInt8) throws {
        put("hello")
        let request = HTTPRequest(url: "https://example.com/a")
        let whole = try #require(store.lookup(request)).entry
        var metadata = whole.withMetadata { Array($0) }
        metadata[40] = kind
        let key = Array(request.url.utf8)
        let hash = key.withUnsafeBytes { store.tiers.hasher.hash($0) }
        let made = StoredEntry(
            key: ContiguousArray(key).span.bytes, hash: hash, metadata: ContiguousArray(metadata).span.bytes,
            body: ContiguousArray(key).span.bytes,
            storedAt: 0,
            policy: .allowed)
        store.tiers.store(try #require(made))
        #expect((store.lookup(request) != nil) == (kind == 0))
        let hooked = ResponseStore(tiers: store.tiers) { _ in nil }
        #expect((hooked.lookup(request) != nil) == (kind == 0), "looked up by the whole key")
    }

    @Test("a response made outside the store is judged from the moment at which it was received")
    func madeOutside() throws {
        // Without a Date, the lifetime counts from the moment of receipt.
        let response = HTTPResponse(headerFields: ["Expires": .init(HTTPDate.format(1_000_060))])
        let made = try #require(StoredResponse(response, body: [1], receivedAt: 1_000_000))
        #expect(made.facts.isFresh(at: 1_000_059) && !made.facts.isFresh(at: 1_000_060))
        #expect(made.facts.receivedAt == 1_000_000 && made.facts.currentAge(at: 1_000_007) == 7)
        #expect(made.entry.storedAt == 1_000_000_000_000)
    }

    private final class Attached: Sendable {}

    @discardableResult
    private func put(
        _ body: String, _ response: HTTPResponse = fresh, url: String = "https://example.com/a",
        applicationData: [UInt8] = []
    ) -> StoreOutcome {
        store.put(body, response, for: HTTPRequest(url: url), applicationData: applicationData)
    }
}
