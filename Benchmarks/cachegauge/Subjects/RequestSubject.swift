import CacheTiers
import GaugeKit
import HTTPCache
import HTTPSemantics
import URLCaching

/// This package's URLCache, driven like `foundation`: a `URLRequest` in, a `CachedURLResponse` out.
final class RequestSubject: CacheSubject {
    static let name = "tiered-request"
    /// Used entries have a second chance, but not after the cache was closed.
    static let diskOrder = SubjectOrder.fifo
    static let limits = SubjectLimits.urlCache
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .persistence, .requests, .userInfo, .resize, .threads, .removalSince, .removalOfAll,
        .storagePolicy, .keyHook, .shared, .evictionPolicy,
    ]

    private let cache: ResponseCache
    private let hit: Outcome

    init(_ configuration: SubjectConfiguration) throws {
        var hook: KeyHook?
        if let field = configuration.keyField { hook = { $0.headerFields[HTTPFields.Name(field)] } }
        let own = ResponseCache(
            memoryCapacity: configuration.memoryCapacity, diskCapacity: configuration.diskCapacity,
            diskPath: configuration.directory, policy: EvictionPolicy(configuration.policy), keyHook: hook)
        if configuration.isShared { ResponseCache.shared = own }
        cache = configuration.isShared ? .shared : own
        hit = configuration.hitOfUnknownTier
        if let problem = cache.diskProblem { throw problem }
    }

    func key(for url: String) throws -> RequestAndResponse { try RequestAndResponse(url: url) }

    func lookUp(_ key: RequestAndResponse, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let found = cache.cachedResponse(for: key.request) else { return .miss }
        found.data.withUnsafeBytes(read)
        // The interface doesn't report the tier.
        return hit
    }

    func changeBody(for key: RequestAndResponse) -> [UInt8]? {
        guard let other = cache.cachedResponse(for: key.request),
            var mine = cache.cachedResponse(for: key.request)?.data
        else { return nil }
        for index in mine.indices { mine[index] ^= 0xFF }
        return Array(other.data)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse) -> Outcome {
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: Data(body)), for: key.request)
        return .store
    }

    func key(for request: SubjectRequest) throws -> RequestAndResponse { try RequestAndResponse(request) }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse, userInfo: [String: PropertyValue]) {
        cache.storeCachedResponse(key.stored(Data(body), userInfo: userInfo), for: key.request)
    }

    func userInfo(for key: RequestAndResponse) -> [String: PropertyValue]? {
        cache.cachedResponse(for: key.request)?.userInfo.flatMap(PropertyValue.table)
    }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse, policy: SubjectStoragePolicy) {
        cache.storeCachedResponse(key.stored(Data(body), policy: policy), for: key.request)
    }

    func removeAll() { cache.removeAllCachedResponses() }

    func removeAll(since moment: Double) {
        cache.removeCachedResponses(since: Date(timeIntervalSince1970: moment))
    }

    func resize(memory: Int, disk: Int) {
        cache.memoryCapacity = memory
        cache.diskCapacity = disk
    }

    func remove(_ key: RequestAndResponse) { cache.removeCachedResponse(for: key.request) }

    var usage: SubjectUsage {
        SubjectUsage(memoryBytes: cache.currentMemoryUsage, diskBytes: cache.currentDiskUsage)
    }
}
