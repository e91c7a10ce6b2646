import Foundation
import GaugeKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What URLCache and this package's ResponseCache have in common.
protocol URLCacheLike: AnyObject {
    func cachedResponse(for request: URLRequest) -> CachedURLResponse?
    func storeCachedResponse(_ response: CachedURLResponse, for request: URLRequest)
    func removeCachedResponse(for request: URLRequest)
    func removeAllCachedResponses()
    func removeCachedResponses(since date: Date)
    var memoryCapacity: Int { get set }
    var diskCapacity: Int { get set }
    var currentMemoryUsage: Int { get }
}

/// Such a cache with one of its tiers, which then is compared with caches that have only that one.
protocol URLCacheKind: SendableMetatype {
    static var name: String { get }
    static var title: String { get }
    static var details: String { get }
    static var isOnDisk: Bool { get }
    static var order: SubjectOrder { get }
    static var limits: SubjectLimits { get }
    static func make(memory: Int, disk: Int, directory: String) throws -> any URLCacheLike
}

/// A cache of URLCache's interface: a `URLRequest` in, a `CachedURLResponse` out.
final class URLCacheSubject<Kind: URLCacheKind>: CacheSubject {
    static var name: String { Kind.name }
    static var title: String { Kind.title }
    static var details: String { Kind.details }
    static var limits: SubjectLimits { Kind.limits }
    static var order: SubjectOrder { Kind.order }
    static var capabilities: SubjectCapabilities {
        let tier: SubjectCapabilities = Kind.isOnDisk ? [.disk, .persistence] : .memory
        return tier.union([.capacity, .requests, .resize, .threads, .removalSince, .removalOfAll])
    }

    private let cache: any URLCacheLike

    init(_ configuration: SubjectConfiguration) throws {
        cache = try Kind.make(
            memory: Kind.isOnDisk ? 0 : configuration.memoryCapacity,
            disk: Kind.isOnDisk ? configuration.diskCapacity : 0, directory: configuration.directory)
    }

    func key(for url: String) throws -> RequestAndResponse { try RequestAndResponse(SubjectRequest(url)) }

    func key(for request: SubjectRequest) throws -> RequestAndResponse { try RequestAndResponse(request) }

    func lookUp(_ key: RequestAndResponse, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome {
        guard let found = cache.cachedResponse(for: key.request) else { return .miss }
        found.data.withUnsafeBytes(read)
        return Kind.isOnDisk ? .diskHit : .memoryHit
    }

    func store(_ body: UnsafeRawBufferPointer, for key: RequestAndResponse) -> Outcome {
        cache.storeCachedResponse(CachedURLResponse(response: key.response, data: Data(body)), for: key.request)
        return .store
    }

    func remove(_ key: RequestAndResponse) { cache.removeCachedResponse(for: key.request) }

    func removeAll() { cache.removeAllCachedResponses() }

    func removeAll(since moment: Double) { cache.removeCachedResponses(since: Date(timeIntervalSince1970: moment)) }

    func resize(memory: Int, disk: Int) {
        if Kind.isOnDisk { cache.diskCapacity = disk } else { cache.memoryCapacity = memory }
    }

    var usage: SubjectUsage { SubjectUsage(memoryBytes: Kind.isOnDisk ? nil : cache.currentMemoryUsage) }
}

/// The request, and the head of its response: 200, fresh for a day. They are made in advance, since that isn't the
/// cache's work.
struct RequestAndResponse {
    let request: URLRequest
    let response: HTTPURLResponse

    init(_ asked: SubjectRequest) throws {
        var fields = ["Content-Type": "application/octet-stream", "Cache-Control": "max-age=86400"]
        if !asked.vary.isEmpty { fields["Vary"] = asked.vary }
        guard let url = URL(string: asked.url),
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = asked.method
        for field in asked.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        (self.request, self.response) = (request, response)
    }
}
