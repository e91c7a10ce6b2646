import Testing
import URLCaching

/// The bytes that removal gives back, and those that it leaves in the file.
@Suite struct ErasureTests {
    let directory = FileManager.default.temporaryDirectory.appending(path: "Erasure-\(UUID().uuidString)").path
    let url = URL(string: "https://example.com/secret")!

    private func request(_ language: Int) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("x-\(language)", forHTTPHeaderField: "Accept-Language")
        return request
    }

    @Test("A removed URL with 10,000 variants gives its bytes back at once, in both tiers") func variants() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 32 << 20, diskCapacity: 32 << 20, diskPath: directory)
        let other = URLRequest(url: URL(string: "https://example.com/secrets")!)
        cache.storeCachedResponse(cached("other"), for: other)
        let (memory, disk) = (cache.currentMemoryUsage, cache.currentDiskUsage)
        let body = String(repeating: "b", count: 1_000)
        for number in 0..<10_000 {
            cache.storeCachedResponse(cached(body, fields: ["Vary": "Accept-Language"]), for: request(number))
        }
        #expect(cache.currentMemoryUsage > 10_000_000 && cache.currentDiskUsage > 10_000_000)
        cache.removeCachedResponse(for: request(0))
        #expect(cache.currentMemoryUsage == memory)
        // A tombstone has 64 bytes.
        #expect(cache.currentDiskUsage <= disk + 10_001 * 64)
        #expect(cache.cachedResponse(for: request(9_999)) == nil)
        #expect(cache.cachedResponse(for: other)?.data == Data("other".utf8))
    }

    @Test("With the option neither URL nor body of a removed response is in the file", arguments: [false, true])
    func erasure(isOption: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        cache.erasesRemovedResponses = isOption
        let bodies = ["the first body", "the second body"]
        for body in bodies { cache.storeCachedResponse(cached(body), for: URLRequest(url: url)) }
        for number in 0..<3 {
            cache.storeCachedResponse(
                cached("the body of variant \(number)", fields: ["Vary": "Accept-Language"]), for: request(number))
        }
        cache.removeCachedResponse(for: URLRequest(url: url))
        func file() throws -> Data { try Data(contentsOf: URL(filePath: directory + "/cache.log")) }
        let words = (bodies + ["the body of variant", url.absoluteString]).map { Data($0.utf8) }
        for word in words { #expect((try file().range(of: word) == nil) == isOption) }
        try cache.eraseRemovedResponses()
        for word in words { #expect(try file().range(of: word) == nil) }
    }
}
