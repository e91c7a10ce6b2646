import HTTPCache
import HTTPSemantics
import Testing

@testable import URLCaching

@Suite struct StoringMomentTests {
    @Test(
        "a moment is told in whole microseconds, the nearest",
        arguments: [
            (0, 0), (1, 1_000_000), (1.25, 1_250_000), (0.000_000_6, 1), (0.000_000_4, 0), (-0.000_000_6, -1),
            (1_795_000_000.5, 1_795_000_000_500_000), (1e300, .max), (-1e300, .min), (.nan, .min),
        ] as [(Double, Int64)])
    func microseconds(seconds: Double, expected: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).storedAt == expected)
    }

    @Test("a clock that tells no moment stores and finds without a trap", arguments: [.nan, .infinity, -1e300, -0.5])
    func oddClock(seconds: Double) {
        let cache = ResponseCache(
            memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil, now: { Date(timeIntervalSince1970: seconds) })
        let request = URLRequest(url: URL(string: "https://example.com/a?version=1")!)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request)?.data == Data("hello".utf8))
        let stored = cache.store.lookup(HTTPRequest(request))
        // Before 1970 the second is rounded down, too.
        if seconds == -0.5 { #expect(stored?.facts.receivedAt == -1) }
        let forwarding = ForwardingURLCache(cache)
        let task = URLSession.shared.dataTask(with: request)
        forwarding.getCachedResponse(for: task) { found in #expect(seconds != -0.5 || found != nil) }
    }
}
