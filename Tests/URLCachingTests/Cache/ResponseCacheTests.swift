import Testing
import URLCaching

@Suite struct ResponseCacheTests {
    let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    let request = URLRequest(url: URL(string: "https://example.com/a?version=1")!)

    @Test("what was stored comes back in Foundation's types") func storedResponseComesBack() throws {
        cache.storeCachedResponse(
            cached("hello", status: 404, fields: ["ETag": "\"a\"", "X-Several": "1, 2"], userInfo: ["n": 1]),
            for: request)

        for attempt in ["decoded", "kept"] {
            let found = try #require(cache.cachedResponse(for: request), "\(attempt)")
            let response = try #require(found.response as? HTTPURLResponse)
            #expect(found.data == Data("hello".utf8))
            #expect(response.statusCode == 404)
            #expect(response.url == request.url)
            #expect(response.value(forHTTPHeaderField: "etag") == "\"a\"")
            #expect(response.value(forHTTPHeaderField: "x-several") == "1, 2")
            #expect(found.userInfo?["n"] as? Int == 1)
            #expect(found.storagePolicy == .allowed)
        }
    }

    @Test("a response that is not one of HTTP is kept with its type, in place of an older one")
    func plainResponse() throws {
        cache.storeCachedResponse(cached("old"), for: request)
        let plain = URLResponse(
            url: try #require(request.url), mimeType: "image/png", expectedContentLength: 3, textEncodingName: "utf-8")
        cache.storeCachedResponse(CachedURLResponse(response: plain, data: Data("new".utf8)), for: request)
        let found = try #require(cache.cachedResponse(for: request))
        #expect(found.data == Data("new".utf8) && found.response.url == request.url)
        #expect(found.response.mimeType == "image/png" && found.response.textEncodingName == "utf-8")
    }

    @Test("data that was handed out stays when its entry is removed") func dataOutlivesItsEntry() throws {
        cache.storeCachedResponse(cached(String(repeating: "x", count: 10_000)), for: request)
        var data = try #require(cache.cachedResponse(for: request)).data
        cache.removeAllCachedResponses()
        #expect(data == Data(repeating: UInt8(ascii: "x"), count: 10_000))
        data[0] = UInt8(ascii: "y")
        #expect(data.first == UInt8(ascii: "y"))
    }

    @Test(
        "only GET is stored, and only GET and HEAD are answered",
        arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get", "QUERY"])
    func methods(method: String) {
        var other = request
        other.httpMethod = method
        cache.storeCachedResponse(cached("hello"), for: other)
        // Foundation spells `get` in capitals when it is set.
        let isGet = other.httpMethod == "GET"
        #expect((cache.cachedResponse(for: request) != nil) == isGet)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect((cache.cachedResponse(for: other) != nil) == (isGet || method == "HEAD"))
    }

    @Test("requests that differ in what Vary names have entries of their own") func varyTellsApart() throws {
        var small = request
        small.setValue("true", forHTTPHeaderField: "thumbnail")
        cache.storeCachedResponse(cached("full", fields: ["Vary": "Thumbnail"]), for: request)
        cache.storeCachedResponse(cached("small", fields: ["Vary": "Thumbnail"]), for: small)
        #expect(cache.cachedResponse(for: request)?.data == Data("full".utf8))
        #expect(cache.cachedResponse(for: small)?.data == Data("small".utf8))
    }

    @Test("removing one, what came since a date, and everything") func removing() {
        let clock = TestClock()
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, now: { clock.now })
        let requests = (0..<3).map { URLRequest(url: URL(string: "https://example.com/\($0)")!) }
        for request in requests {
            cache.storeCachedResponse(cached("hello"), for: request)
            clock.advance(by: 10)
        }
        cache.removeCachedResponses(since: clock.start.addingTimeInterval(10))
        #expect(requests.map { cache.cachedResponse(for: $0) != nil } == [true, true, false])
        cache.removeCachedResponse(for: requests[0])
        #expect(requests.map { cache.cachedResponse(for: $0) != nil } == [false, true, false])
        cache.removeAllCachedResponses()
        #expect(requests.map { cache.cachedResponse(for: $0) != nil } == [false, false, false])
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("a response that may not be kept removes the one it supersedes") func notAllowedSupersedes() {
        cache.storeCachedResponse(cached("old"), for: request)
        cache.storeCachedResponse(cached("new", policy: .notAllowed), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test("userInfo that no property list can hold stays with the entry in memory")
    func userInfoOutsideOfPropertyLists() throws {
        cache.storeCachedResponse(cached("hello", userInfo: ["lock": NSLock()]), for: request)
        let found = try #require(cache.cachedResponse(for: request))
        #expect(found.userInfo?["lock"] is NSLock)
        #expect(found.storagePolicy == .allowedInMemoryOnly)
    }

    @Test("a response above 5 % of the capacity is not stored, and one at it is") func fivePercent() {
        cache.storeCachedResponse(cached(String(repeating: "x", count: (1 << 20) / 20)), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
        cache.storeCachedResponse(cached(String(repeating: "x", count: (1 << 20) / 20 - 1_024)), for: request)
        #expect(cache.cachedResponse(for: request) != nil)
    }

    @Test("lowering the memory capacity truncates before the setter returns; 0 and less disable the tier")
    func capacity() {
        for number in 0..<100 {
            let request = URLRequest(url: URL(string: "https://example.com/\(number)")!)
            cache.storeCachedResponse(cached(String(repeating: "x", count: 4_096)), for: request)
        }
        let usage = cache.currentMemoryUsage
        #expect(usage > 100 * 4_096)
        cache.memoryCapacity = usage / 2
        #expect(cache.currentMemoryUsage <= usage / 2 && cache.currentMemoryUsage > 0)
        cache.memoryCapacity = -5
        #expect(cache.memoryCapacity == 0 && cache.currentMemoryUsage == 0)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test("the defaults are 4 MiB in memory and 20 MiB on disk") func defaults() {
        #expect(ResponseCache.defaultMemoryCapacity == 4_194_304)
        #expect(ResponseCache.defaultDiskCapacity == 20_971_520)
    }
}
