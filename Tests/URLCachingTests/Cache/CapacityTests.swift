import CacheTiers
import Testing

@testable import URLCaching

@Suite struct CapacityTests {
    let directory = FileManager.default.temporaryDirectory.appending(path: "Capacity-\(UUID().uuidString)").path
    let request = URLRequest(url: URL(string: "https://example.com/a")!)

    @Test("the largest capacity there is stands for none, however much is decoded") func noLimit() throws {
        let cache = ResponseCache(memoryCapacity: .max, diskCapacity: 0, diskPath: nil)
        for round in 0..<2 {
            for number in 0..<3_000 {
                let request = URLRequest(url: try #require(URL(string: "https://example.com/\(number)")))
                if round == 0 { cache.storeCachedResponse(cached("page"), for: request) }
                #expect(cache.cachedResponse(for: request)?.data == Data("page".utf8))
            }
        }
        #expect(cache.memoryCapacity == .max && cache.decoded.bytesInUse > 1 << 20)
    }

    @Test("raising the disk capacity from 0 opens the tier, and its entries survive the cache")
    func diskFromNothing() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: directory)
            cache.storeCachedResponse(cached("in memory"), for: request)
            #expect(!FileManager.default.fileExists(atPath: directory), "nothing is made for a tier nobody wants")

            cache.diskCapacity = 1 << 20
            #expect(cache.diskProblem == nil && cache.diskCapacity == 1 << 20)
            #expect(cache.cachedResponse(for: request)?.data == Data("in memory".utf8))
            cache.storeCachedResponse(cached("on disk"), for: request)
            #expect(cache.currentDiskUsage > 0)
            cache.memoryCapacity = 0
            #expect(cache.cachedResponse(for: request)?.data == Data("on disk".utf8))
        }
        let again = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: directory)
        #expect(again.cachedResponse(for: request)?.data == Data("on disk".utf8))
    }

    @Test("a disk tier that is opened late brings back no version that the cache has removed or replaced meanwhile")
    func lateDiskBringsNothingBack() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let other = URLRequest(url: URL(string: "https://example.com/b")!)
        do {
            let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
            for request in [request, other] { cache.storeCachedResponse(cached("old"), for: request) }
        }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: directory)
        cache.storeCachedResponse(cached("new"), for: request)
        cache.removeCachedResponse(for: other)
        cache.diskCapacity = 1 << 20
        #expect(cache.cachedResponse(for: other) == nil)
        cache.memoryCapacity = 0
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test("with both capacities 0 nothing is stored; raising the memory's from 0 brings the tier into being")
    func nothingAtAll() {
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 0, diskPath: directory)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) == nil)
        cache.memoryCapacity = 1 << 20
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) != nil && cache.currentMemoryUsage > 0)
    }

    @Test("lowering the disk capacity to 0 empties the tier, and raising it again starts with nothing")
    func diskToNothingAndBack() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: directory)
        cache.storeCachedResponse(cached("hello"), for: request)
        cache.diskCapacity = 0
        #expect(cache.currentDiskUsage == 0 && cache.cachedResponse(for: request) == nil)
        cache.diskCapacity = 1 << 20
        #expect(cache.cachedResponse(for: request) == nil)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) != nil)
    }

    @Test("a negative capacity disables its tier, and the problem names tier, value and remedy")
    func negativeAtOpening() throws {
        let cache = ResponseCache(memoryCapacity: -1, diskCapacity: -2, diskPath: directory)
        #expect(cache.memoryCapacity == 0 && cache.diskCapacity == 0)
        #expect(
            try #require(cache.memoryProblem).description
                == "memory capacity -1 is negative; pass 0 to disable the memory tier")
        #expect(
            try #require(cache.diskProblem).description
                == "disk capacity -2 is negative; pass 0 to disable the disk tier")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test("a negative capacity set later disables its tier and is told, until one is set that can be had")
    func negativeLater() {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        cache.storeCachedResponse(cached("hello"), for: request)
        cache.memoryCapacity = -5
        cache.diskCapacity = -6
        #expect(cache.memoryCapacity == 0 && cache.currentMemoryUsage == 0)
        #expect(cache.diskCapacity == 0 && cache.currentDiskUsage == 0)
        #expect(cache.memoryProblem == CapacityError(tier: "memory", capacity: -5))
        #expect(cache.diskProblem == .capacity(CapacityError(tier: "disk", capacity: -6)))
        cache.memoryCapacity = 1 << 20
        cache.diskCapacity = 1 << 20
        #expect(cache.memoryProblem == nil && cache.diskProblem == nil)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) != nil && cache.currentDiskUsage > 0)
    }

    @Test("the throwing ways give the error instead, and change nothing") func throwing() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let place = URL(filePath: directory)
        #expect(throws: CapacityError(tier: "memory", capacity: -1)) {
            try ResponseCache(owning: place, memoryCapacity: -1, diskCapacity: 1 << 20)
        }
        #expect(throws: DiskTierError.capacity(CapacityError(tier: "disk", capacity: -1))) {
            try ResponseCache(owning: place, memoryCapacity: 1 << 20, diskCapacity: -1)
        }
        let cache = try ResponseCache(owning: place, memoryCapacity: 1 << 20, diskCapacity: 1 << 20)
        #expect(throws: DiskTierError.inUse(directory: directory)) {
            try ResponseCache(owning: place, memoryCapacity: 1 << 20, diskCapacity: 1 << 20)
        }
        #expect(throws: CapacityError(tier: "memory", capacity: -3)) { try cache.setMemoryCapacity(-3) }
        #expect(throws: DiskTierError.capacity(CapacityError(tier: "disk", capacity: -3))) {
            try cache.setDiskCapacity(-3)
        }
        #expect(cache.memoryCapacity == 1 << 20 && cache.diskCapacity == 1 << 20)
    }

    @Test("usage is the sum of what the entries cost by the rule, and on disk no more than the files have")
    func usage() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        for number in 0..<20 {
            let request = URLRequest(url: URL(string: "https://example.com/\(number)")!)
            cache.storeCachedResponse(cached(String(repeating: "x", count: 100 * number)), for: request)
        }
        let entries = cache.store.tiers.memory.entries()
        #expect(entries.count == 20)
        for entry in entries {
            let parts = [entry.withKey { $0.count }, entry.withMetadata { $0.count }, entry.withBody { $0.count }]
            #expect(entry.cost == parts.reduce(StoredEntry.overhead, +))
        }
        #expect(cache.currentMemoryUsage == entries.reduce(0) { $0 + $1.cost })
        let disk = try #require(cache.store.tiers.disk)
        try disk.flush()
        let bodies = entries.reduce(0) { $0 + $1.bodyCount }
        #expect(cache.currentDiskUsage > bodies && cache.currentDiskUsage <= disk.allocatedBytes)
        #expect(disk.allocatedBytes <= cache.diskCapacity)
        cache.removeAllCachedResponses()
        #expect(cache.currentMemoryUsage == 0 && cache.currentDiskUsage == 0)
    }
}
