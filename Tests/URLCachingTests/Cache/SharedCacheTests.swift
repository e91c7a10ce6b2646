import Synchronization
import Testing
import URLCaching

/// One after the other, since there is one shared cache. It is not read before it was set: that would make the default
/// one, in the user's own folder (`SecondProcessTests.defaults` does, in another place).
@Suite(.serialized) struct SharedCacheTests {
    @Test("a subclass can be the shared cache") func sharedSubclass() {
        let directory = FileManager.default.temporaryDirectory.appending(path: "Shared-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let mine = ExpiringCache(timeToLive: 1, clock: TestClock(), diskPath: directory)
        ResponseCache.shared = mine
        #expect(ResponseCache.shared === mine)
        ResponseCache.shared = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0)
    }

    @Test("concurrency: one cache, and the shared one, used and replaced by eight threads, give no URL another's body")
    func manyThreads() {
        let cache = ResponseCache(memoryCapacity: 256 << 10, diskCapacity: 0, diskPath: nil)
        let requests = (0..<64).map { URLRequest(url: URL(string: "https://example.com/\($0)")!) }
        let wrong = Atomic<Int>(0)
        ResponseCache.shared = cache
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<500 {
                let number = (round * 13 + thread * 7) % requests.count
                let shared = ResponseCache.shared
                switch round % 4 {
                case 0:
                    shared.storeCachedResponse(
                        cached("\(number)" + String(repeating: "x", count: 8_000)), for: requests[number])
                case 1 where round % 40 == 1: shared.removeCachedResponse(for: requests[number])
                case 2 where round % 40 == 2: ResponseCache.shared = cache
                default:
                    guard let found = shared.cachedResponse(for: requests[number]) else { continue }
                    let isRight = found.data.count > 8_000 && found.data.starts(with: Data("\(number)x".utf8))
                    if !isRight || found.response.url != requests[number].url { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(cache.currentMemoryUsage <= 256 << 10)
    }
}
