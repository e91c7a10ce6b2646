import CacheTiers
import HTTPSemantics
import Testing

@testable import HTTPCache
@testable import URLCaching

/// Stores that write Foundation's own dictionary of fields into the entry, and those that take the long way.
@Suite("Fields that Foundation keeps") struct KeptFieldsTests {
    private static let url = URL(string: "https://example.com/a?version=1")!

    /// Not a plain `HTTPURLResponse`, so its fields are asked for.
    private final class OwnResponse: HTTPURLResponse, @unchecked Sendable {}

    @Test(
        "they are those that Foundation tells",
        arguments: [
            [:], ["a": "1"], ["content-type": "text/html", "ETAG": "\"1\"", "x-own": "", "X-Ünï": "ö", "": "none"],
            Dictionary(uniqueKeysWithValues: (0..<200).map { ("X-\($0)", String(repeating: "v", count: $0)) }),
        ] as [[String: String]])
    func kept(fields: [String: String]) throws {
        let response = try #require(
            HTTPURLResponse(url: Self.url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
        let told = try #require(response.allHeaderFields as? [String: String])
        #if canImport(FoundationNetworking)
        #expect(response.keptFields == told, "nil: each store and each hit with an Age takes a microsecond more")
        #endif
        #expect(response.namedFields == told)
        let other = try #require(
            OwnResponse(url: Self.url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
        #expect(other.keptFields == nil && other.namedFields == told)
    }

    private static let types: [String] = [
        "text/html", "TEXT/Html", "text/html;charset=utf-8", "text/html; charset=UTF-8", "a/b;  charset=c",
        "a/b ; charset=c", "application/vnd.a+json", "a/b; Charset=x", "a/b; charset=", "a/b;", "a/b; c=d; e=f",
        "text", "/", "a/", "/b", "image/x_y-z.1", " a/b", "a/b ", "a/b; charset=\"c\"", "a/b/c", "a/b,c/d",
        "a/b;charset=c;d=e", "a/b; charset=c d", "", ";", "a/b; charset=ö", "ä/b", "a/b;charset=C",
    ]
    private static let lengths: [String] = [
        "5", "-5", "+5", "05", "0", "99999999999999999999", " 5", "", "9223372036854775807", "٣", "5, 5",
    ]
    private static let others: [[String: String]] = [
        [:], ["content-type": "text/HTML; charset=ISO-8859-4", "X-own": "1", "x-OWN-2": "2"],
        ["CONTENT-LENGTH": "5", "content-disposition": "attachment; filename=\"of mine.pdf\"", "TE": "x"],
        ["Content-Length": "-5", "Content-Type": "", "Content-Disposition": ""],
        ["www-authenticate": "Basic", "WWW-AUTHENTICATE-INFO": "a", "dnt": "1", "ETag": "\"1\"", "": "none"],
        ["content-md5": "a", "a.b_c": "b", "x": "c", "x-": "d", "-x-": "e", "1a2b": "f", "p3p": "g", "A--b": "h"],
        ["ünï-cödé": "ö", "ß-x": "s", "a b": "c", "a\u{0}b": "d", "ﬁ-lig": "e"],
        ["Sec-CH-UA": "1", "NEL": "2", "Content-DPR": "3", "ALT-SVC": "4", "Age": "0"],
        Dictionary(uniqueKeysWithValues: (0..<64).map { ("Name-\($0)-of-MANY", "\($0)") }),
    ]

    @Test(
        "a response is made as Foundation makes it",
        arguments: types.map { ["Content-Type": $0] } + lengths.map { ["content-length": $0] } + others)
    func made(fields: [String: String]) throws {
        let expected = try #require(
            HTTPURLResponse(url: Self.url, statusCode: 203, httpVersion: "HTTP/1.1", headerFields: fields))
        let lines = fields.map { HTTPFields.Field(name: .init($0.key), value: $0.value) }
        let made = try #require(HTTPURLResponse(HTTPResponse(status: 203, headerFields: .init(lines)), url: Self.url))
        #expect(made.allHeaderFields as? [String: String] == expected.allHeaderFields as? [String: String])
        #expect(made.isEqual(expected) && expected.isEqual(made) && made.hash == expected.hash)
        #expect(made.mimeType == expected.mimeType && made.textEncodingName == expected.textEncodingName)
        #expect(made.expectedContentLength == expected.expectedContentLength)
        #expect(made.suggestedFilename == expected.suggestedFilename && made.url == expected.url)
        #expect(made.statusCode == 203 && type(of: made) == HTTPURLResponse.self)
        for name in fields.keys {
            #expect(made.value(forHTTPHeaderField: name) == expected.value(forHTTPHeaderField: name))
        }
        let archived = try NSKeyedArchiver.archivedData(withRootObject: made, requiringSecureCoding: true)
        let restored = try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: archived)
        #expect(restored == expected)
    }

    @Test(
        "both ways store the same entry",
        arguments: [
            [:], ["Cache-Control": "public, max-age=60", "ETag": "\"1\"", "Server": "origin"],
            ["Cache-Control": "no-cache, max-age=x", "Age": "5", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Expires": "0", "Last-Modified": " Sun, 06 Nov 1994 08:49:37 GMT ", "Pragma": "no-cache"],
            ["Connection": "X-Hop, close", "X-Hop": "1", "X-Other": "2", "Keep-Alive": "timeout=5"],
            ["Transfer-Encoding": "chunked", "TE": "x", "X-Empty": "", "X-Ünï": "ö"],
            ["Vary": "Accept", "ETag": "W/\"1\""], ["Vary": "*"], ["Vary": ""],
            ["Content-Range": "bytes 0-1/2", "Content-Length": "2", "X-Long": String(repeating: "a", count: 70_000)],
        ] as [[String: String]], [200, 206, 404, 412, 500])
    func sameEntry(fields: [String: String], status: Int) throws {
        let time = Date(timeIntervalSince1970: 1_795_000_000)
        func entry(_ made: HTTPURLResponse?) throws -> (StoredFacts, [String], [UInt8])? {
            let cache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil, now: { time })
            let response = CachedURLResponse(
                response: try #require(made), data: Data("body".utf8), userInfo: ["n": 1], storagePolicy: .allowed)
            let request = URLRequest(url: Self.url)
            cache.storeCachedResponse(cached("older"), for: request)
            cache.storeCachedResponse(response, for: request)
            guard let found = cache.store.lookup(HTTPRequest(request)) else { return nil }
            let lines = found.response.headerFields.fields.map { "\($0.name.rawName): \($0.value)" }.sorted()
            return (found.facts, lines, found.applicationData + found.withBody { Array($0) })
        }
        let version = "HTTP/1.1"
        let one = try entry(
            HTTPURLResponse(url: Self.url, statusCode: status, httpVersion: version, headerFields: fields))
        let other = try entry(
            OwnResponse(url: Self.url, statusCode: status, httpVersion: version, headerFields: fields))
        #expect(one?.0 == other?.0 && one?.1 == other?.1 && one?.2 == other?.2)
        #expect((one == nil) == (other == nil))
    }

    @Test("what is stored takes the place of parts of the same URL, by either way", arguments: [true, false])
    func parts(isPlain: Bool) throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let request = URLRequest(url: Self.url)
        let part = PartialResponse(
            HTTPResponse(headerFields: ["ETag": "\"1\"", "Content-Length": "10"]), responseTime: 5)
        _ = cache.store.add(
            try #require(part), [1, 2, 3], for: HTTPRequest(request),
            times: StoringTimes(request: 5, response: 5, stored: CacheTime(seconds: 5)), policy: .allowed)
        #expect(cache.store.parts(for: HTTPRequest(request)) != nil)
        let own = OwnResponse(url: Self.url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        let response = isPlain ? cached("whole") : CachedURLResponse(response: try #require(own), data: Data("w".utf8))
        cache.storeCachedResponse(response, for: request)
        #expect(cache.store.parts(for: HTTPRequest(request)) == nil)
        #expect(cache.cachedResponse(for: request) != nil)
    }

    @Test("a Host and a fetch under way are minded by the short way, too")
    func minded() throws {
        let request = URLRequest(url: Self.url)
        var other = request
        other.setValue("other.test", forHTTPHeaderField: "Host")
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        cache.storeCachedResponse(cached("of other"), for: other)
        #expect(cache.cachedResponse(for: request) == nil)
        cache.storeCachedResponse(cached("mine"), for: request)
        #expect(cache.cachedResponse(for: other)?.data == Data("of other".utf8))

        // Sent before: its answer is older than what is stored now.
        let sent = cache.store.order.begin()
        let moment = cache.store.order.received(HTTPResponse(), sent: sent, now: 0)
        cache.storeCachedResponse(cached("newer"), for: request)
        let outcome = [UInt8]("older".utf8).withUnsafeBytes {
            cache.store.store(
                HTTPResponse(), for: HTTPRequest(request), body: $0, requestTime: 0, responseTime: 0, storedAt: 0,
                moment: moment)
        }
        guard case .overtaken = outcome else {
            Issue.record("\(outcome)")
            return
        }
        cache.store.order.end(sent)
        #expect(cache.cachedResponse(for: request)?.data == Data("newer".utf8))
    }

    @Test("a body that was read from disk for one caller is a value, and outlives what it came from")
    func unshared() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "Unshared-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 4 << 20, diskPath: directory)
        let request = URLRequest(url: Self.url)
        for text in ["", "small", String(repeating: "large", count: 1_000)] {
            cache.storeCachedResponse(cached(text, userInfo: ["n": 1]), for: request)
            let held = try #require(cache.cachedResponse(for: request))
            var mine = held.data
            for index in mine.indices { mine[index] = 0x58 }
            #expect(held.data == Data(text.utf8) && held.userInfo?["n"] as? Int == 1)
            #expect(held.response === held.response)
            #expect((held.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control") == "max-age=60")
            // The last reference to the bytes: Foundation changes them in place.
            var last = try #require(cache.cachedResponse(for: request)).data
            #expect(last == Data(text.utf8))
            for index in last.indices { last[index] = 0x59 }
            #expect(held.data == Data(text.utf8) && cache.cachedResponse(for: request)?.data == Data(text.utf8))
            #expect(last == Data(repeating: 0x59, count: text.utf8.count))
        }
    }

    @Test("only what never was in memory is unshared") func isUnshared() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "Unshared-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 4 << 20, diskPath: directory)
        let request = URLRequest(url: Self.url)
        cache.storeCachedResponse(cached("text"), for: request)
        cache.store.tiers.memory.removeAll()
        let promoted = try #require(cache.store.lookup(HTTPRequest(request)))
        #expect(promoted.tier == .disk && !promoted.entry.isUnshared)
        cache.memoryCapacity = 0
        #expect(!promoted.entry.isUnshared)
        let own = try #require(cache.store.lookup(HTTPRequest(request)))
        #expect(own.tier == .disk && own.entry.isUnshared)
    }
}
