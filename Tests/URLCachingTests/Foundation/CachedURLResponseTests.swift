import Testing
import URLCaching

/// A hit is decoded as far as it is read; it has to behave like one that Foundation made whole.
@Suite struct CachedURLResponseTests {
    static let url = URL(string: "https://example.com/files/report.pdf?version=1")!
    let request = URLRequest(url: url)
    let plain: CachedURLResponse
    let directory = FileManager.default.temporaryDirectory.appending(path: "Lazy-\(UUID().uuidString)").path

    init() throws {
        let response = try #require(
            HTTPURLResponse(
                url: Self.url, statusCode: 203, httpVersion: "HTTP/1.1",
                headerFields: [
                    "content-type": "text/HTML; charset=ISO-8859-4", "Content-Length": "5", "ETag": "\"a\"",
                    "x-own": "1, 2", "Content-Disposition": "attachment; filename=\"of mine.pdf\"",
                    "Cache-Control": "max-age=60", "WWW-authenticate": "Basic", "X-Empty": "",
                ]))
        plain = CachedURLResponse(
            response: response, data: Data("hello".utf8), userInfo: ["n": 1], storagePolicy: .allowed)
    }

    @Test(
        "from either tier: equal to the one that was stored, in everything that can be asked", arguments: [true, false])
    func behavesLikeAPlainOne(fromMemory: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(
            memoryCapacity: fromMemory ? 1 << 20 : 0, diskCapacity: fromMemory ? 0 : 1 << 20, diskPath: directory)
        cache.storeCachedResponse(plain, for: request)
        for attempt in ["made", "kept"] {
            let found = try #require(cache.cachedResponse(for: request), "\(attempt)")
            #expect(found.isEqual(plain) && plain.isEqual(found) && found.hash == plain.hash)
            #expect(found == plain)
            #expect(found.data == plain.data)
            #expect(found.storagePolicy == .allowed)
            #expect(found.userInfo?["n"] as? Int == 1 && found.userInfo?.count == 1)
            let copy = try #require(found.copy() as? CachedURLResponse)
            #expect(copy == plain && copy.data == plain.data)
            // Wrapped again, as an application that edits an entry does it.
            let again = CachedURLResponse(
                response: found.response, data: found.data, userInfo: found.userInfo,
                storagePolicy: found.storagePolicy)
            #expect(again == plain)
            #expect(found.response === found.response, "decoded once")

            let head = try #require(found.response as? HTTPURLResponse)
            let expected = try #require(plain.response as? HTTPURLResponse)
            #expect(type(of: head) == HTTPURLResponse.self)
            #expect(head.url == expected.url && head.statusCode == 203)
            #expect(head.allHeaderFields as? [String: String] == expected.allHeaderFields as? [String: String])
            for name in ["content-type", "ETAG", "X-Own", "www-authenticate", "X-Empty", "absent"] {
                #expect(head.value(forHTTPHeaderField: name) == expected.value(forHTTPHeaderField: name), "\(name)")
            }
            #expect(head.mimeType == expected.mimeType && expected.mimeType == "text/html")
            #expect(head.textEncodingName == expected.textEncodingName)
            #expect(head.suggestedFilename == expected.suggestedFilename)
            #expect(head.expectedContentLength == 5 && expected.expectedContentLength == 5)
            #expect(head.isEqual(expected) && head.hash == expected.hash)
            let archived = try NSKeyedArchiver.archivedData(withRootObject: head, requiringSecureCoding: true)
            let restored = try NSKeyedUnarchiver.unarchivedObject(ofClass: HTTPURLResponse.self, from: archived)
            #expect(restored == expected && restored?.statusCode == 203)
        }
    }

    @Test("while an entry stays in memory every hit gives one object, and after it is replaced, another")
    func oneObject() throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        cache.storeCachedResponse(plain, for: request)
        let first = try #require(cache.cachedResponse(for: request))
        #expect(cache.cachedResponse(for: request) === first)
        cache.storeCachedResponse(cached("new"), for: request)
        let second = try #require(cache.cachedResponse(for: request))
        #expect(second !== first && second.data == Data("new".utf8))
        #expect(first.data == Data("hello".utf8), "what was handed out stays as it was")
    }

    @Test("entries that were hit are freed with their cache, though what is handed out holds on to them")
    func nothingIsLeaked() throws {
        weak var handedOut: CachedURLResponse?
        do {
            let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
            cache.storeCachedResponse(plain, for: request)
            handedOut = cache.cachedResponse(for: request)
            #expect(handedOut != nil)
        }
        #expect(handedOut == nil)
    }

    @Test("a Foundation cache can store what a hit gave, and give it back") func storedElsewhere() throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        cache.storeCachedResponse(plain, for: request)
        let found = try #require(cache.cachedResponse(for: request))
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let foundation = URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: directory)
        foundation.storeCachedResponse(found, for: request)
        let back = try #require(foundation.cachedResponse(for: request))
        #expect((back.response as? HTTPURLResponse)?.statusCode == 203 && back.data == plain.data)
    }
}
