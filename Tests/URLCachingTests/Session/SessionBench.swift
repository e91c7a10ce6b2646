import CacheTiers
import HTTPCache
import LoopbackOrigin
import Testing
import TestSupport
import URLCaching
import VirtualOrigin

/// A session over a loopback origin, on a clock that goes on when a test says so.
struct SessionBench {
    static let start: Int64 = 1_795_000_000

    let clock: VirtualClock
    let origin: LoopbackOrigin
    let cache: ResponseCache?
    let session: CachingSession

    init(
        cache: ResponseCache? = memoryCache(), clock: VirtualClock = VirtualClock(seconds: Self.start),
        delegate: (any CachingSessionDelegate)? = nil, origin: LoopbackOrigin? = nil, transport: (any Transport)? = nil,
        _ edit: (inout CachingSession.Configuration) -> Void = { _ in }
    ) throws {
        var configuration = CachingSession.Configuration.patient
        edit(&configuration)
        self.clock = clock
        self.cache = cache
        self.origin = try origin ?? LoopbackOrigin()
        session = CachingSession(
            configuration: configuration, cache: cache, delegate: delegate, transport: transport, clock: clock)
    }

    /// 1 MiB in memory alone.
    static func memoryCache() -> ResponseCache {
        ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    }

    /// The origin serves this resource under every path from now on.
    func serve(_ resource: OriginResource) { origin.reply { resource.reply(to: $0) } }

    /// It is that many seconds after the start now.
    func at(_ seconds: Int64) { clock.advance(by: Self.start + seconds - clock.now.seconds) }

    func request(
        _ path: String = "/a", method: String = "GET", policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        _ fields: [String: String] = [:]
    ) -> URLRequest {
        var request = URLRequest(url: origin.url(path), cachePolicy: policy)
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Asks, and reads the whole answer.
    func get(_ request: URLRequest) async throws -> Got { Got(try await session.data(for: request)) }

    func get(
        _ path: String = "/a", method: String = "GET", policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        _ fields: [String: String] = [:]
    ) async throws -> Got {
        try await get(request(path, method: method, policy: policy, fields))
    }

    func isStored(_ path: String = "/a") -> Bool { cache?.cachedResponse(for: request(path)) != nil }
}

extension CachingSession.Configuration {
    /// No time-out of a test depends on how busy the machine is.
    static var patient: Self {
        var patient = Self().with { $0.timeoutIntervalForRequest = 1e6 }
        patient.idleTimeout = 1_000_000
        return patient
    }

    func with(_ edit: (inout CachingSession.URLSessionSettings) -> Void) -> Self {
        var changed = self
        edit(&changed.urlSession)
        return changed
    }
}

extension URLSessionConfiguration {
    /// As `ephemeral`, and no time-out of a test depends on how busy the machine is.
    static var patient: URLSessionConfiguration {
        let patient = URLSessionConfiguration.ephemeral
        patient.timeoutIntervalForRequest = 1e6
        return patient
    }
}

/// An answer as an application sees it.
struct Got: Sendable {
    let status: Int
    let body: String
    let response: HTTPURLResponse

    init(_ answer: (Data, URLResponse)) {
        response = answer.1 as! HTTPURLResponse
        status = response.statusCode
        body = String(decoding: answer.0, as: UTF8.self)
    }

    subscript(name: String) -> String? { response.value(forHTTPHeaderField: name) }
}

/// The error that an operation threw.
func thrown(_ operation: () async throws -> Void) async -> URLError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? URLError
    }
}
