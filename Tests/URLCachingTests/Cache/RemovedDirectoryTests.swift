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
}
