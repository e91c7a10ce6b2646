import HTTPCache
import HTTPSemantics

/// A `URLCache` that stores its entries in a `ResponseCache`, for code and sessions that accept only a `URLCache`.
///
/// Code that calls its methods gets all of the `ResponseCache`. A `URLSession` that has it as
/// `URLSessionConfiguration.urlCache` uses it by Foundation's rules, and on Linux those do little:
/// - The session only looks up, and only for data tasks. It never stores or revalidates, so you must store entries by
///   hand. `CachingSession` and `CachingURLProtocol` do all of this.
/// - The session applies its own rules to an entry. It therefore gets only entries that pass these rules and are fresh
///   for the request by RFC 9111 and the request's policy. It does not get an entry that is stale, varies, must be
///   confirmed, or has a status that Foundation does not expect, and asks the origin instead.
/// - `returnCacheDataElseLoad` and `returnCacheDataDontLoad` get no stale entries either, and the latter goes to the
///   network if nothing is stored.
///
/// On Apple systems the loading system may store responses elsewhere than in a subclass; the methods work there, too.
///
/// `@unchecked Sendable`, like its superclass: the only stored property is a constant that is Sendable. A subclass that
/// adds variables must guard them.
open class ForwardingURLCache: URLCache, @unchecked Sendable {
    /// The cache that holds the entries.
    public let responses: ResponseCache

    /// Creates a cache in front of `responses`.
    public init(_ responses: ResponseCache) {
        self.responses = responses
        // The superclass keeps nothing, and cannot create a directory at this path.
        super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: "/dev/null/none")
    }

    open override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        responses.cachedResponse(for: request)
    }

    open override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        responses.storeCachedResponse(cachedResponse, for: request)
    }

    open override func removeCachedResponse(for request: URLRequest) { responses.removeCachedResponse(for: request) }

    open override func removeAllCachedResponses() { responses.removeAllCachedResponses() }

    open override func removeCachedResponses(since date: Date) { responses.removeCachedResponses(since: date) }

    /// Foundation calls this before it loads; see the limits above.
    open override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let request = dataTask.currentRequest, !dataTask.isAnsweredByStandIn,
            responses.mayAnswerInFoundation(request)
        else {
            return completionHandler(nil)
        }
        responses.getCachedResponse(for: dataTask, completionHandler: completionHandler)
    }

    open override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        responses.storeCachedResponse(cachedResponse, for: dataTask)
    }

    open override func removeCachedResponse(for dataTask: URLSessionDataTask) {
        responses.removeCachedResponse(for: dataTask)
    }

    open override var memoryCapacity: Int {
        get { responses.memoryCapacity }
        set { responses.memoryCapacity = newValue }
    }

    open override var diskCapacity: Int {
        get { responses.diskCapacity }
        set { responses.diskCapacity = newValue }
    }

    open override var currentMemoryUsage: Int { responses.currentMemoryUsage }

    open override var currentDiskUsage: Int { responses.currentDiskUsage }
}

extension ResponseCache {
    /// Whether what is stored answers the request as it is, and Foundation would neither refuse nor remove it.
    fileprivate func mayAnswerInFoundation(_ request: URLRequest) -> Bool {
        switch request.cachePolicy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: break
        // Foundation would serve it despite the policy.
        default: return false
        }
        let asked = HTTPRequest(request)
        guard let stored = store.lookup(asked), Self.statuses.contains(stored.status),
            !stored.facts.flags.contains(.hasVary)
        else { return false }
        // Foundation handles neither credentials nor challenges, nor a HEAD with a body. A proxy's challenge is not
        // stored.
        guard asked.method == "GET", asked.headerFields["Authorization"] == nil,
            asked.headerFields["Proxy-Authorization"] == nil,
            stored.response.headerFields["WWW-Authenticate"] == nil
        else { return false }
        let seconds = CacheTime(microseconds: now().storedAt).seconds
        guard case .fresh = Reuse.decide(RequestFacts(asked), stored.facts, now: seconds) else { return false }
        return true
    }

    private static let statuses: Set<Int> = [200, 203, 204, 300, 301, 404, 405, 410, 414, 501]
}

/// A configuration, so that it takes a `ResponseCache` as well: a member of a class's own extension would hide
/// Foundation's, one of a protocol's stands beside it.
public protocol ResponseCacheTaking: AnyObject {}

extension URLSessionConfiguration: ResponseCacheTaking {}

extension ResponseCacheTaking where Self: URLSessionConfiguration {
    /// The `ResponseCache` of the configuration, which sessions of it use:
    ///
    ///     configuration.urlCache = ResponseCache(
    ///         memoryCapacity: 4_000_000, diskCapacity: 20_000_000, diskPath: "images")
    ///     let session = CachingSession(configuration: configuration)
    ///
    /// It is kept as a `ForwardingURLCache`, by which a plain `URLSession` uses it as well. `nil` where the
    /// configuration has another cache or none. Without a type that says otherwise, `urlCache` is Foundation's.
    public var urlCache: ResponseCache? {
        get {
            let present: URLCache? = urlCache
            return (present as? ForwardingURLCache)?.responses
        }
        set {
            let forwarding: URLCache? = newValue.map { ForwardingURLCache($0) }
            urlCache = forwarding
        }
    }
}
