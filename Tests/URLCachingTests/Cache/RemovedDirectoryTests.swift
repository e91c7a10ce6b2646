import CacheTiers
import Testing
import TestSupport
import URLCaching

/// A directory that goes away under a running cache (A15).
@Suite struct RemovedDirectoryTests {
    enum Loss: CaseIterable, Sendable {
        case directory, file, lock, move
    }

    @Test("it is reported, and made again by clearing or a new capacity", arguments: Loss.allCases, [false, true])
    func madeAgain(loss: Loss, byCapacity: Bool) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/cache"
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path)
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        let response = cached("hello")
        cache.storeCachedResponse(response, for: request)
        #expect(cache.diskProblem == nil && cache.cachedResponse(for: request) != nil)
        switch loss {
        case .directory: try FileManager.default.removeItem(atPath: path)
        case .file: try FileManager.default.removeItem(atPath: path + "/cache.log")
        case .lock: try FileManager.default.removeItem(atPath: path + "/cache.lock")
        case .move: try FileManager.default.moveItem(atPath: path, toPath: scratch.path + "/trash")
        }
        cache.storeCachedResponse(response, for: request)
        #expect(cache.diskProblem == .removed(directory: path))
        #expect(cache.diskProblem?.description.contains("clear the cache") == true)
        if byCapacity { cache.diskCapacity = 2 << 20 } else { cache.removeAllCachedResponses() }
        #expect(cache.diskProblem == nil && cache.cachedResponse(for: request) == nil)
        #expect(cache.diskCapacity == (byCapacity ? 2 : 1) << 20)
        #expect(FileManager.default.fileExists(atPath: path + "/cache.log"))
        cache.storeCachedResponse(response, for: request)
        #expect(cache.cachedResponse(for: request) != nil)
        // Another cache sees that it is owned.
        #expect(
            ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path).diskProblem
                == .inUse(directory: path))
    }

    @Test("a directory that cannot be made again stays reported, and clearing empties the cache all the same")
    func cannotBeMade() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/above/cache"
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path)
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        cache.storeCachedResponse(cached("hello"), for: request)
        try FileManager.default.removeItem(atPath: scratch.path + "/above")
        try Data().write(to: URL(filePath: scratch.path + "/above"))
        cache.removeAllCachedResponses()
        #expect(cache.diskProblem == .removed(directory: path) && cache.cachedResponse(for: request) == nil)
        try FileManager.default.removeItem(atPath: scratch.path + "/above")
        cache.removeAllCachedResponses()
        #expect(cache.diskProblem == nil)
    }

    @Test("a capacity that could not be had is no longer told of once clearing has made the directory again")
    func capacityInVain() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/above/cache"
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path)
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        try FileManager.default.removeItem(atPath: scratch.path + "/above")
        try Data().write(to: URL(filePath: scratch.path + "/above"))
        cache.diskCapacity = 2 << 20
        guard case .unusable = cache.diskProblem else {
            Issue.record("\(String(describing: cache.diskProblem))")
            return
        }
        cache.removeAllCachedResponses()
        #expect(cache.diskProblem != nil, "it could not be made again")
        try FileManager.default.removeItem(atPath: scratch.path + "/above")
        cache.removeAllCachedResponses()
        #expect(cache.diskProblem == nil && cache.diskCapacity == 1 << 20)
        cache.storeCachedResponse(cached("hello"), for: request)
        #expect(cache.cachedResponse(for: request) != nil)
    }

    @Test("a capacity that was negative is told of also after clearing has made the directory again")
    func negativeCapacity() throws {
        let scratch = try ScratchDirectory()
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: scratch.path + "/cache")
        cache.diskCapacity = -1
        try FileManager.default.removeItem(atPath: scratch.path + "/cache")
        cache.removeAllCachedResponses()
        #expect(cache.diskProblem == .capacity(CapacityError(tier: "disk", capacity: -1)))
    }

    #if os(Linux)
    @Test("what a removed file held is given back when the directory is made again", arguments: [false, true])
    func givenBack(byCapacity: Bool) throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path + "/cache"
        let cache = ResponseCache(memoryCapacity: 0, diskCapacity: 1 << 20, diskPath: path)
        for round in 0..<10 {
            for number in 0..<20 {
                let request = URLRequest(url: try #require(URL(string: "http://a.example/\(number)")))
                cache.storeCachedResponse(cached(String(repeating: "x", count: 40_000)), for: request)
            }
            #expect(cache.currentDiskUsage > 700_000)
            try FileManager.default.removeItem(atPath: path)
            #expect(try removedBytes(in: scratch.path) > 700_000, "the tier holds its own file")
            if byCapacity { cache.diskCapacity = 1 << 20 } else { cache.removeAllCachedResponses() }
            #expect(try removedBytes(in: scratch.path) == 0, "after \(round + 1) times")
        }
        #expect(cache.diskProblem == nil)
    }

    /// Bytes on the disk of open files that were removed.
    private func removedBytes(in directory: String) throws -> Int {
        let files = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: files).reduce(0) { sum, name in
            // Other threads open and close files meanwhile.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(name)"),
                target.hasPrefix(directory), target.hasSuffix(" (deleted)")
            else { return sum }
            var status = stat()
            return stat("\(files)/\(name)", &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }
    #endif
}
