import Testing
import URLCaching

/// A `userInfo` that bytes cannot hold stays in memory with its entry, and is counted there.
@Suite struct UserInfoCostTests {
    private static let capacity = 4 << 20

    private static func request(_ number: Int) -> URLRequest {
        URLRequest(url: URL(string: "https://example.com/\(number)")!)
    }

    @Test("data and texts beside a value that bytes cannot hold count, wherever they are", arguments: 0..<5)
    func counted(place: Int) throws {
        let cache = ResponseCache(memoryCapacity: Self.capacity, diskCapacity: 0, diskPath: nil)
        let (size, count) = (100 << 10, 100)
        for number in 0..<count {
            let source = URL(string: "https://example.com/\(number).png")!
            let thumb = Data(repeating: UInt8(number), count: size)
            let userInfo: [AnyHashable: Any] =
                switch place {
                case 0: ["thumb": thumb, "source": source]
                case 1: ["more": [1, ["thumb": thumb]] as [Any], "source": source]
                case 2: ["text": String(repeating: "a", count: size), "source": source]
                case 3: [String(repeating: "k", count: size): source]
                default: ["many": (0..<10).map { Data(repeating: UInt8($0), count: size / 10) }, "source": source]
                }
            cache.storeCachedResponse(cached("hello", userInfo: userInfo), for: Self.request(number))
        }
        let kept = (0..<count).filter { cache.cachedResponse(for: Self.request($0)) != nil }
        #expect(kept == Array((count - kept.count)..<count))
        #expect(30...40 ~= kept.count, "4 MiB hold that many of 100 KiB, not \(kept.count)")
        #expect(cache.currentMemoryUsage > kept.count * size && cache.currentMemoryUsage <= Self.capacity)
        let last = try #require(cache.cachedResponse(for: Self.request(count - 1))?.userInfo)
        #expect(last.values.contains { $0 is URL })
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("what takes more than 5 % of the capacity with its userInfo is not kept, and the one before goes")
    func tooLarge() {
        let cache = ResponseCache(memoryCapacity: Self.capacity, diskCapacity: 0, diskPath: nil)
        let source = URL(string: "https://example.com/1.png")!
        cache.storeCachedResponse(cached("small", userInfo: ["source": source]), for: Self.request(1))
        #expect(cache.cachedResponse(for: Self.request(1)) != nil && cache.currentMemoryUsage < 4 << 10)
        for size in [1 << 20, 80 << 20] {
            let userInfo: [AnyHashable: Any] = ["thumb": Data(count: size), "source": source]
            cache.storeCachedResponse(cached("large", userInfo: userInfo), for: Self.request(1))
            #expect(cache.cachedResponse(for: Self.request(1)) == nil && cache.currentMemoryUsage == 0)
        }
    }
}
