import Testing
import URLCaching

@Suite struct PersistenceTests {
    let directory = FileManager.default.temporaryDirectory.appending(path: "ResponseCache-\(UUID().uuidString)").path
    let request = URLRequest(url: URL(string: "https://example.com/a")!)

    @Test("entries survive their cache, userInfo too, and a disk hit is promoted to memory")
    func entriesSurvive() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        open().storeCachedResponse(cached("hello", userInfo: ["n": 1, "list": [1, 2]]), for: request)

        let cache = open()
        #expect(cache.currentMemoryUsage == 0 && cache.currentDiskUsage > 0)
        let found = try #require(cache.cachedResponse(for: request))
        #expect(found.data == Data("hello".utf8))
        #expect(found.userInfo?["list"] as? [Int] == [1, 2])
        #expect(cache.currentMemoryUsage > 0)
    }

    @Test("what may be kept in memory only never reaches the disk", arguments: ["policy", "userInfo"])
    func memoryOnlyStaysOffTheDisk(reason: String) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let cache = open()
            cache.storeCachedResponse(cached("old"), for: request)
            cache.storeCachedResponse(
                reason == "policy"
                    ? cached("secret", policy: .allowedInMemoryOnly) : cached("secret", userInfo: ["lock": NSLock()]),
                for: request)
            #expect(cache.cachedResponse(for: request)?.data == Data("secret".utf8))
            // Push it out of memory: an eviction may not write it either.
            cache.memoryCapacity = 0
        }
        #expect(open().cachedResponse(for: request) == nil, "neither the new version nor the one it superseded")
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
        for file in files {
            let contents = try Data(contentsOf: URL(filePath: "\(directory)/\(file)"))
            #expect(contents.range(of: Data("secret".utf8)) == nil, "\(file)")
        }
    }

    @Test("flush writes what waits, so that a copy of the files has it while the cache is in use")
    func flushed() throws {
        let copy = directory + "-copy"
        defer { for path in [directory, copy] { try? FileManager.default.removeItem(atPath: path) } }
        let cache = open()
        let requests = (0..<300).map { URLRequest(url: URL(string: "https://example.com/\($0)")!) }
        // Stores in quick succession are written together, the last ones later.
        for request in requests { cache.storeCachedResponse(cached("hello"), for: request) }
        try cache.flush()
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        let other = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: copy)
        #expect(requests.allSatisfy { other.cachedResponse(for: $0)?.data == Data("hello".utf8) })
    }

    @Test("removals survive the cache that made them") func removalsSurvive() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let cache = open()
            cache.storeCachedResponse(cached("hello"), for: request)
            cache.removeCachedResponse(for: request)
        }
        #expect(open().cachedResponse(for: request) == nil)
    }

    @Test("a second cache on a directory says so and works from memory") func secondOwner() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let first = open()
        let second = open()
        #expect(first.diskProblem == nil)
        #expect("\(try #require(second.diskProblem))".contains(directory))
        second.storeCachedResponse(cached("hello"), for: request)
        #expect(second.cachedResponse(for: request) != nil)
        #expect(first.cachedResponse(for: request) == nil)
    }

    @Test("a directory that cannot be made leaves a cache that works from memory") func unusableDirectory() throws {
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: "/dev/null/cache")
        #expect("\(try #require(cache.diskProblem))".contains("/dev/null/cache"))
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) != nil)
    }

    @Test("lowering the disk capacity truncates before the setter returns") func loweringDiskCapacity() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = open()
        for number in 0..<200 {
            let request = URLRequest(url: URL(string: "https://example.com/\(number)")!)
            cache.storeCachedResponse(cached(String(repeating: "x", count: 4_096)), for: request)
        }
        #expect(cache.currentDiskUsage > 512 << 10)
        cache.diskCapacity = 256 << 10
        #expect(cache.currentDiskUsage <= 256 << 10)
        #expect((cache.store.tiers.disk?.allocatedBytes ?? .max) <= 256 << 10)
    }

    private func open() -> ResponseCache {
        ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
    }
}
