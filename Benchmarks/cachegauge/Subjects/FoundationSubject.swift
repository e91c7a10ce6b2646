import Foundation
import GaugeMeasurement
import GaugeSubjects

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The toolchain's own URLCache, driven like an application: a `URLRequest` in, a `CachedURLResponse` out.
final class FoundationSubject: CacheSubject {
    static let name = "foundation"
    static let title = "Foundation's URLCache"
    static let limits = SubjectLimits.urlCache
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .persistence, .requests, .userInfo, .resize, .threads, .removalSince, .removalOfAll,
        .storagePolicy,
    ]

    private let cache: URLCache
    private let directory: URL
    private let diskCapacity: Int
    private let hit: Outcome

    init(_ configuration: SubjectConfiguration) {
        directory = URL(filePath: configuration.directory)
        hit = configuration.hitOfUnknownTier
        diskCapacity = configuration.diskCapacity
        cache = URLCache(
            memoryCapacity: configuration.memoryCapacity, diskCapacity: configuration.diskCapacity,
            diskPath: configuration.directory)
    }

    func key(for url: String) throws -> RequestAndResponse { try RequestAndResponse(url: url) }

    func lookUp(_ key: RequestAndResponse, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let found = cache.cachedResponse(for: key.request) else { return .miss }
        found.data.withUnsafeBytes(read)
        // The interface does not report the tier.
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
        cache.storeCachedResponse(
            CachedURLResponse(response: key.response, data: Data(body)), for: key.request)
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
        // `currentDiskUsage` reads every file (0.6 s for 5,000 entries), so it is not used.
        SubjectUsage(memoryBytes: cache.currentMemoryUsage)
    }

    func fill(with entries: FillEntries) throws {
        guard diskCapacity > 0 else {
            return try entries.forEach { url, body in _ = try store(body, for: key(for: url)) }
        }
        let archive = try FoundationArchive()
        // Fill it exactly: the first timed store would evict the excess, and list the directory for each entry.
        let newest = entries.newest(within: diskCapacity, overhead: FoundationArchive.overhead)
        try newest.forEach { url, body in try archive.write(key(for: url), body: Data(body), into: directory) }
    }
}
