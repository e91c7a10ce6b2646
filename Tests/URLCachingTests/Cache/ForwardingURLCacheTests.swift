import Testing
import URLCaching

/// No origin is needed: nothing listens on port 1, so that an answer can only have come from the cache.
@Suite struct ForwardingURLCacheTests {
    let clock = TestClock()
    let request = URLRequest(url: URL(string: "http://127.0.0.1:1/a")!)
    let responses: ResponseCache
    let cache: ForwardingURLCache

    init() {
        responses = ResponseCache(
            memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, now: { [clock] in clock.now })
        cache = ForwardingURLCache(responses)
    }

    @Test("every method of URLCache reaches the ResponseCache behind it") func methods() async {
        let asURLCache: URLCache = cache
        asURLCache.storeCachedResponse(cached("hello"), for: request)
        #expect(responses.cachedResponse(for: request)?.data == Data("hello".utf8))
        #expect(asURLCache.cachedResponse(for: request)?.data == Data("hello".utf8))
        #expect(asURLCache.currentMemoryUsage == responses.currentMemoryUsage && responses.currentMemoryUsage > 0)
        asURLCache.removeCachedResponse(for: request)
        #expect(responses.cachedResponse(for: request) == nil)

        asURLCache.storeCachedResponse(cached("hello"), for: request)
        asURLCache.removeCachedResponses(since: clock.start.addingTimeInterval(-1))
        #expect(responses.cachedResponse(for: request) == nil)
        asURLCache.storeCachedResponse(cached("hello"), for: request)
        asURLCache.removeAllCachedResponses()
        #expect(responses.currentMemoryUsage == 0)

        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        asURLCache.storeCachedResponse(cached("by task"), for: task)
        #expect(responses.cachedResponse(for: request)?.data == Data("by task".utf8))
        asURLCache.removeCachedResponse(for: task)
        #expect(responses.cachedResponse(for: request) == nil)

        asURLCache.memoryCapacity = 1 << 16
        #expect(responses.memoryCapacity == 1 << 16 && asURLCache.memoryCapacity == 1 << 16)
        #expect(asURLCache.diskCapacity == 0 && asURLCache.currentDiskUsage == 0)
        let before = (responses.memoryCapacity, responses.diskCapacity)
        asURLCache.diskCapacity = 1 << 20
        #expect(responses.memoryCapacity == before.0 && asURLCache.diskCapacity == responses.diskCapacity)
    }

    #if canImport(FoundationNetworking)
    @Test("a session with it in its configuration is answered from the ResponseCache, body and head")
    func sessionIsAnswered() async throws {
        responses.storeCachedResponse(cached("hello", status: 404, fields: ["X-Mine": "1"]), for: request)
        let (data, response) = try await load(request)
        #expect(data == Data("hello".utf8))
        let head = try #require(response as? HTTPURLResponse)
        #expect(head.statusCode == 404 && head.value(forHTTPHeaderField: "x-mine") == "1")
    }

    @Test("what Foundation would serve wrongly, or remove, is not given to it, and stays", arguments: Kept.allCases)
    func notGiven(why: Kept) async {
        var request = request
        var fields: [String: String] = [:]
        switch why {
        case .stale: break
        case .policy: request.cachePolicy = .reloadIgnoringLocalCacheData
        case .varies: fields["Vary"] = "Accept"
        case .noCache: fields["Cache-Control"] = "no-cache"
        case .status: break
        case .credentials: request.setValue("Basic eDp5", forHTTPHeaderField: "Authorization")
        case .proxyCredentials: request.setValue("Basic eDp5", forHTTPHeaderField: "Proxy-Authorization")
        case .challenge: fields["WWW-Authenticate"] = "Basic"
        case .head: request.httpMethod = "HEAD"
        }
        let status = why == .status ? 308 : 200
        responses.storeCachedResponse(cached("hello", status: status, fields: fields), for: self.request)
        if why == .stale { clock.advance(by: 61) }
        await #expect(throws: URLError.self) { try await load(request) }
        #expect(responses.cachedResponse(for: request)?.data == Data("hello".utf8))
    }

    enum Kept: CaseIterable {
        case stale, policy, varies, noCache, status, credentials, proxyCredentials, challenge, head
    }

    @Test(
        "the statuses that Foundation keeps are given to it, the one beside it not",
        arguments: [200, 203, 300, 301, 404, 405, 410, 414, 501, 500, 206, 302])
    func statuses(status: Int) async throws {
        responses.storeCachedResponse(cached("hello", status: status), for: request)
        let isGiven = (try? await load(request)) != nil
        #expect(isGiven == ![500, 206, 302].contains(status))
    }

    private func load(_ request: URLRequest) async throws -> (Data, URLResponse) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return try await session.data(for: request)
    }
    #endif
}
