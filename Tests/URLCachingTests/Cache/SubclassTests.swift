import Testing
import URLCaching

@Suite struct SubclassTests {
    let directory = FileManager.default.temporaryDirectory.appending(path: "Subclass-\(UUID().uuidString)").path
    let request = URLRequest(url: URL(string: "https://example.com/a")!)
    let clock = TestClock()

    @Test(
        "the classic subclass: 2 MB and 100 MB, 600 seconds to live whatever the header says, then removed and a miss")
    func timeToLive() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ExpiringCache(timeToLive: 600, clock: clock, diskPath: directory)
        #expect(cache.memoryCapacity == 2_000_000 && cache.diskCapacity == 100_000_000)
        cache.storeCachedResponse(
            cached("hello", fields: ["Cache-Control": "no-cache"], userInfo: ["n": 1]), for: request)

        clock.advance(by: 600)
        let found = try #require(cache.cachedResponse(for: request))
        #expect(found.data == Data("hello".utf8))
        #expect(found.userInfo?["n"] as? Int == 1)

        clock.advance(by: 1)
        #expect(cache.cachedResponse(for: request) == nil)
        #expect(cache.currentMemoryUsage == 0 && cache.store.tiers.disk?.count == 0, "removed from both tiers")
    }

    @Test("the time to live counts across a restart") func timeToLiveAfterRestart() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let cache = ExpiringCache(timeToLive: 600, clock: clock, diskPath: directory)
            cache.storeCachedResponse(cached("hello"), for: request)
        }
        let again = ExpiringCache(timeToLive: 600, clock: clock, diskPath: directory)
        #expect(again.cachedResponse(for: request)?.data == Data("hello".utf8))
        clock.advance(by: 601)
        #expect(again.cachedResponse(for: request) == nil)
    }

    @Test("lookups, stores and removals by task go through what a subclass overrides")
    func overridesAreCalledForTasks() async throws {
        let cache = ExpiringCache(timeToLive: 600, clock: clock, diskPath: directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        cache.storeCachedResponse(cached("hello"), for: task)
        #expect(await cache.cachedResponse(for: task)?.data == Data("hello".utf8))
        let original = try #require(task.originalRequest)
        #expect(cache.cachedResponse(for: original) != nil)

        let heard: Data? = await withCheckedContinuation { continuation in
            cache.getCachedResponse(for: task) { continuation.resume(returning: $0?.data) }
        }
        #expect(heard == Data("hello".utf8))
        clock.advance(by: 601)
        #expect(await cache.cachedResponse(for: task) == nil)

        cache.storeCachedResponse(cached("again"), for: task)
        cache.removeCachedResponse(for: task)
        #expect(cache.cachedResponse(for: request) == nil)
    }
}

/// Written as those that applications wrote for `URLCache`: the time goes into `userInfo`, and the override looks at
/// it.
///
/// `@unchecked Sendable`, as its superclass: it adds constants that are Sendable.
final class ExpiringCache: ResponseCache, @unchecked Sendable {
    private static let storedKey = "stored"
    private let timeToLive: TimeInterval
    private let clock: TestClock

    init(timeToLive: TimeInterval, clock: TestClock, diskPath: String) {
        self.timeToLive = timeToLive
        self.clock = clock
        super.init(memoryCapacity: 2_000_000, diskCapacity: 100_000_000, diskPath: diskPath)
    }

    override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let found = super.cachedResponse(for: request),
            let stored = found.userInfo?[Self.storedKey] as? Date
        else { return nil }
        guard clock.now.timeIntervalSince(stored) <= timeToLive else {
            removeCachedResponse(for: request)
            return nil
        }
        return found
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        var userInfo = cachedResponse.userInfo ?? [:]
        userInfo[Self.storedKey] = clock.now
        super.storeCachedResponse(
            CachedURLResponse(
                response: cachedResponse.response, data: cachedResponse.data, userInfo: userInfo,
                storagePolicy: cachedResponse.storagePolicy),
            for: request)
    }
}
