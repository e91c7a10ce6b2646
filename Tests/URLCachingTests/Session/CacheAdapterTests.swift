import HTTPCache
import HTTPSemantics
import Platform
import Testing
import VirtualOrigin

@testable import URLCaching

/// The engine's storage over a subclass of `ResponseCache`.
@Suite struct CacheAdapterTests {
    private let cache = Handing(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    private let adapter: CacheAdapter

    init() { adapter = CacheAdapter(cache, clock: VirtualClock(seconds: SessionBench.start)) }

    private static func request(_ url: String = "https://example.com/a") -> CacheRequest {
        CacheRequest(HTTPRequest(url: url))
    }

    @Test("a response that the subclass made itself counts from now, and keeps its data beside it") func made() throws {
        cache.handed.withLock { $0 = cached("made", fields: ["X-Made": "1"], userInfo: ["n": 1]) }
        let stored = try #require(adapter.lookup(Self.request()))
        #expect(stored.facts.receivedAt == SessionBench.start)
        #expect(stored.data(in: nil) == Data("made".utf8) && stored.response.headerFields["X-Made"] == "1")
        #expect(
            DecodedEntry.of(stored.entry, in: nil).userInfo(
                of: stored, url: try #require(URL(string: "https://example.com/a")))?["n"]
                as? Int == 1)
    }

    @Test("what is handed out as it was stored is served from where it lies, and what has another body is not")
    func unchanged() throws {
        let request = Self.request()
        cache.storeCachedResponse(cached("hello"), for: URLRequest(url: try #require(URL(string: request.request.url))))
        func place(_ stored: StoredResponse) -> Int { stored.withBody { Int(bitPattern: $0.baseAddress) } }
        let stored = try #require(cache.store.lookup(request.request))
        let found = try #require(adapter.lookup(request))
        #expect(place(found) == place(stored))
        let asked = try #require(request.urlRequest)
        let response = try #require(cache.cachedResponse(for: asked)).response
        for (body, isStored) in [("hello", true), ("hellO", false), ("hell", false), ("hello!", false)] {
            cache.handed.withLock { $0 = CachedURLResponse(response: response, data: Data(body.utf8)) }
            let other = try #require(adapter.lookup(request))
            #expect(other.data(in: nil) == Data(body.utf8) && (place(other) == place(stored)) == isStored)
        }
    }

    @Test("a response that is not of HTTP is no answer") func notHTTP() throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
        let other = CachedURLResponse(response: response, data: Data("x".utf8))
        cache.handed.withLock { $0 = other }
        #expect(adapter.lookup(Self.request()) == nil)
        #expect(RecordedAnswer(other) == nil)
        #expect(ResponseToStore(other, confirms: nil, in: nil) == nil)
    }

    @Test("the subclass is asked to look up, store and remove, and of what is no URL it hears nothing") func calls() {
        let times = StoringTimes(
            request: SessionBench.start, response: SessionBench.start + 1,
            stored: CacheTime(microseconds: 2))
        for url in ["https://example.com/a", "http://[x"] {
            let request = Self.request(url)
            _ = adapter.lookup(request)
            _ = adapter.store(ResponseToStore(HTTPResponse(), body: Array("hello".utf8)), for: request, times: times)
            adapter.remove(request, .invalidated)
        }
        let url = "https://example.com/a"
        #expect(cache.calls.withLock { $0 } == ["look up \(url)", "store \(url) hello", "remove \(url)"])
        #expect(cache.times.withLock { $0?.request } == SessionBench.start)
        #expect(cache.times.withLock { $0?.response } == SessionBench.start + 1)
        #expect(cache.times.withLock { $0?.stored.microseconds } == 2)
    }
}

/// Hands out another response, and notes what it is called for.
///
/// `@unchecked Sendable`: its own variables lock themselves.
private final class Handing: ResponseCache, @unchecked Sendable {
    let handed = Locked<CachedURLResponse?>(nil)
    let calls = Locked<[String]>([])
    let times = Locked<StoringTimes?>(nil)

    private func note(_ word: String, _ request: URLRequest) {
        calls.withLock { [url = request.url?.absoluteString ?? ""] in $0.append("\(word) \(url)") }
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        note("look up", request)
        return handed.withLock { $0 } ?? super.cachedResponse(for: request)
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        calls.withLock { [url = request.url?.absoluteString ?? ""] in
            $0.append("store \(url) \(String(decoding: cachedResponse.data, as: UTF8.self))")
        }
        if case .store(let its, _)? = ResponseCache.sessionChange { times.withLock { $0 = its } }
        super.storeCachedResponse(cachedResponse, for: request)
    }

    override func removeCachedResponse(for request: URLRequest) {
        note("remove", request)
        super.removeCachedResponse(for: request)
    }
}
