import HTTPSemantics
import TestSupport
import Testing
import URLCaching
import VirtualOrigin

@Suite struct KeyTests {
    @Test(
        "what is neither http nor https, or names a user, is never stored, and its lookup is a miss",
        arguments: [
            "ftp://example.com/a", "file:///a", "data:text/plain,a", "about:blank", "ws://example.com/a",
            "https://user@example.com/a", "http://user:secret@example.com/a", "/a",
        ])
    func neverStored(url: String) throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let request = URLRequest(url: try #require(URL(string: url)))
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.currentMemoryUsage == 0)
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test(
        "the key is the whole URL: equal ones find each other, others do not",
        arguments: [
            ("https://example.com/a", "HTTPS://Example.COM/a", true),
            ("https://example.com/a", "https://example.com:443/a", true),
            ("http://example.com/a", "http://example.com:80/a", true),
            ("https://example.com/a", "https://example.com/a#part", true),
            ("https://example.com", "https://example.com/", true),
            ("https://example.com/a", "http://example.com/a", false),
            ("https://example.com/a", "https://example.com:8443/a", false),
            ("https://example.com/a", "https://example.org/a", false),
            ("https://example.com/a", "https://example.com/A", false),
            ("https://example.com/a", "https://example.com/a/", false),
            ("https://example.com/a%2Fb", "https://example.com/a/b", false),
            (
                "https://example.com/a?my_current_version=v1.0.0", "https://example.com/a?my_current_version=v1.0.1",
                false
            ),
        ])
    func wholeURL(stored: String, asked: String, isEqual: Bool) throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let requests = try [stored, asked].map { URLRequest(url: try #require(URL(string: $0))) }
        cache.storeCachedResponse(cached("hello"), for: requests[0])
        #expect(cache.cachedResponse(for: requests[0]) != nil)
        #expect((cache.cachedResponse(for: requests[1]) != nil) == isEqual)
    }

    @Test(
        "a hit has the URL that was asked for, whichever spelling of it was asked for first", arguments: [true, false])
    func spellings(fromMemory: Bool) throws {
        let directory = try ScratchDirectory()
        let cache = ResponseCache(
            memoryCapacity: fromMemory ? 1 << 20 : 0, diskCapacity: fromMemory ? 0 : 1 << 20, diskPath: directory.path)
        let urls = ["/x#a", "/x", "/x#b", "/x", "/x#a", "/x#a"].map { "https://example.com\($0)" }
        let requests = try (urls + ["https://EXAMPLE.com/x"]).map { URLRequest(url: try #require(URL(string: $0))) }
        cache.storeCachedResponse(cached("hello"), for: requests[1])
        for request in requests + requests.reversed() {
            let found = try #require(cache.cachedResponse(for: request))
            #expect(found.response.url?.absoluteString == request.url?.absoluteString)
            #expect(found.response === found.response && found.data == Data("hello".utf8))
        }
    }

    @Test("sites behind one address, named by Host, share nothing: in the cache, and in a session's hits")
    func host() async throws {
        let origin = VirtualOrigin { request in
            .init(
                HTTPResponse(headerFields: ["Cache-Control": "max-age=1000000"]),
                chunks: [Array((request.headerFields["Host"] ?? "none").utf8)])
        }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = CachingSession(cache: cache, transport: origin)
        let plain = URLRequest(url: try #require(URL(string: "http://203.0.113.7/a")))
        func named(_ host: String) -> URLRequest {
            var request = plain
            request.setValue(host, forHTTPHeaderField: "host")
            return request
        }
        let requests = [plain, named("a.example"), named("b.example")]
        for _ in 0..<3 {
            for (request, body) in zip(requests, ["none", "a.example", "b.example"]) {
                #expect(Got(try await session.data(for: request)).body == body)
                let found = try #require(cache.cachedResponse(for: request))
                #expect(found.data == Data(body.utf8) && found.response.url == plain.url)
            }
        }
        #expect(origin.requests.count == 3)
        // The URL's own name is no other site.
        #expect(Got(try await session.data(for: named("203.0.113.7:80"))).body == "none")
        session.removeCachedResponse(for: named("a.example"))
        #expect(requests.map { cache.cachedResponse(for: $0) != nil } == [true, false, true])
        cache.removeCachedResponse(for: plain)
        #expect(requests.map { cache.cachedResponse(for: $0) != nil } == [false, false, true])
    }

    @Test("a key hook tells a thumbnail from the full image where the server sends no Vary") func keyHook() throws {
        let cache = ResponseCache(
            memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil,
            keyHook: { $0.headerFields["thumbnail"] })
        let full = URLRequest(url: try #require(URL(string: "https://example.com/image")))
        var thumbnail = full
        thumbnail.setValue("true", forHTTPHeaderField: "thumbnail")
        cache.storeCachedResponse(cached("full"), for: full)
        #expect(cache.cachedResponse(for: thumbnail) == nil)
        cache.storeCachedResponse(cached("small"), for: thumbnail)
        for _ in 0..<2 {
            #expect(cache.cachedResponse(for: full)?.data == Data("full".utf8))
            #expect(cache.cachedResponse(for: thumbnail)?.data == Data("small".utf8))
        }
        cache.removeCachedResponse(for: full)
        #expect(cache.cachedResponse(for: full) == nil && cache.cachedResponse(for: thumbnail) != nil)
    }
}
