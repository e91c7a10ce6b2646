import CacheTiers
import HTTPCache
import TestSupport
import Testing
import URLCaching

/// What each initialiser of `ResponseCache` hands to its tiers.
@Suite struct InitialiserTests {
    /// An initialiser, and the options that it takes.
    enum Initialiser: CaseIterable {
        case classic, options, policy, recorder, owning

        static let memoryCapacity = 3 << 20
        static let diskCapacity = 5 << 20
        /// A moment that no entry of today is stored at.
        static let moment = Date(timeIntervalSince1970: 5_000_000_000)

        var takesPolicy: Bool { self == .policy || self == .recorder }
        var takesHookAndClock: Bool { takesPolicy || self == .options }

        func cache(_ path: String, _ recorder: RequestRecorder) throws -> ResponseCache {
            let (memory, disk) = (Self.memoryCapacity, Self.diskCapacity)
            let hook: KeyHook = { $0.headerFields["thumbnail"] }
            let now: @Sendable () -> Date = { Self.moment }
            return switch self {
            case .classic:
                ResponseCache(memoryCapacity: memory, diskCapacity: disk, diskPath: path)
            case .options:
                ResponseCache(memoryCapacity: memory, diskCapacity: disk, diskPath: path, keyHook: hook, now: now)
            case .policy:
                ResponseCache(
                    memoryCapacity: memory, diskCapacity: disk, diskPath: path, policy: .greedyDualSizeFrequency,
                    keyHook: hook, now: now)
            case .recorder:
                ResponseCache(
                    memoryCapacity: memory, diskCapacity: disk, diskPath: path, recorder: recorder,
                    policy: .greedyDualSizeFrequency, keyHook: hook, now: now)
            case .owning:
                try ResponseCache(owning: URL(filePath: path), memoryCapacity: memory, diskCapacity: disk)
            }
        }
    }

    private func request(_ thumbnail: String) -> URLRequest {
        var request = URLRequest(url: URL(string: "https://example.com/image")!)
        request.setValue(thumbnail, forHTTPHeaderField: "thumbnail")
        return request
    }

    @Test("capacities, directory and policy reach both tiers", arguments: Initialiser.allCases)
    func tiers(initialiser: Initialiser) throws {
        let directory = try ScratchDirectory()
        let cache = try initialiser.cache(directory.path, RequestRecorder())
        #expect((cache.memoryCapacity, cache.diskCapacity) == (Initialiser.memoryCapacity, Initialiser.diskCapacity))
        #expect(FileManager.default.fileExists(atPath: directory.path + "/cache.log"))
        let policy: EvictionPolicy = initialiser.takesPolicy ? .greedyDualSizeFrequency : .leastRecentlyUsed
        #expect(cache.store.tiers.memory.policy == policy)
        #expect(cache.store.tiers.disk?.policy == policy)
        #expect(!cache.erasesRemovedResponses)
        cache.erasesRemovedResponses = true
        #expect(cache.erasesRemovedResponses)
    }

    @Test("key hook, clock and recorder are used where an initialiser takes them", arguments: Initialiser.allCases)
    func options(initialiser: Initialiser) throws {
        let directory = try ScratchDirectory()
        let recorder = RequestRecorder(keys: .plain)
        let cache = try initialiser.cache(directory.path, recorder)
        cache.storeCachedResponse(cached("small"), for: request("small"))
        #expect(cache.cachedResponse(for: request("small")) != nil)
        #expect((cache.cachedResponse(for: request("large")) == nil) == initialiser.takesHookAndClock)
        #expect((recorder.requestCount > 0) == (initialiser == .recorder))
        cache.removeCachedResponses(since: Initialiser.moment - 1)
        #expect((cache.cachedResponse(for: request("small")) == nil) == initialiser.takesHookAndClock)
    }

    @Test("a tier of capacity 0 is not opened", arguments: [(0, 1 << 20), (1 << 20, 0)])
    func noCapacity(memory: Int, disk: Int) throws {
        let directory = try ScratchDirectory()
        let cache = ResponseCache(memoryCapacity: memory, diskCapacity: disk, diskPath: directory.path)
        #expect((cache.memoryCapacity, cache.diskCapacity) == (memory, disk))
        #expect((cache.store.tiers.disk == nil) == (disk == 0))
        #expect(FileManager.default.fileExists(atPath: directory.path + "/cache.log") == (disk > 0))
        cache.storeCachedResponse(cached("small"), for: request("small"))
        #expect((cache.currentMemoryUsage > 0) == (memory > 0))
        #expect(cache.cachedResponse(for: request("small")) != nil)
    }
}
