import GaugeKit
import HTTPCache
import URLCaching

/// This package's session, asked only for what its cache holds: a lookup is a request that may not go to the origin. A
/// store goes to the cache directly, since answering would be the origin's work.
final class SessionSubject: AsyncCacheSubject {
    static let name = "session"
    static let title = "CachingSession"
    static let limits = RequestSubject.limits
    static let capabilities: SubjectCapabilities = [
        .memory, .disk, .capacity, .persistence, .requests, .resize, .threads, .removalSince, .removalOfAll,
    ]

    private let cache: ResponseCache
    private let session: CachingSession
    private let hit: Outcome

    init(_ configuration: SubjectConfiguration) throws {
        cache = ResponseCache(
            memoryCapacity: configuration.memoryCapacity, diskCapacity: configuration.diskCapacity,
            diskPath: configuration.directory)
        if let problem = cache.diskProblem { throw problem }
        session = CachingSession(cache: cache, transport: NoOrigin())
        hit = configuration.hitOfUnknownTier
    }

    func key(for url: String) throws -> RequestAndResponse { try key(for: SubjectRequest(url)) }

    func key(for request: SubjectRequest) throws -> RequestAndResponse {
        try RequestAndResponse(request, cachePolicy: .returnCacheDataDontLoad)
    }

    func lookUp(_ key: RequestAndResponse) async throws -> (body: Data, outcome: Outcome)? {
        do {
            return (try await session.data(for: key.request).0, hit)
        } catch let error as URLError where error.code == .resourceUnavailable {
            return nil
        }
    }

    func store(_ body: Data, for key: RequestAndResponse) -> Outcome {
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: body), for: key.request)
        return .store
    }

    func remove(_ key: RequestAndResponse) { cache.removeCachedResponse(for: key.request) }

    func removeAll() { cache.removeAllCachedResponses() }

    func removeAll(since moment: Double) {
        cache.removeCachedResponses(since: Date(timeIntervalSince1970: moment))
    }

    func resize(memory: Int, disk: Int) {
        cache.memoryCapacity = memory
        cache.diskCapacity = disk
    }

    var usage: SubjectUsage {
        SubjectUsage(memoryBytes: cache.currentMemoryUsage, diskBytes: cache.currentDiskUsage)
    }
}

/// What is stored needs no origin, and nothing else is requested.
private struct NoOrigin: Transport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        throw GaugeError("a request went to the origin")
    }
}
