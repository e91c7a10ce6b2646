import HTTPCache
import HTTPSemantics

/// A `URLCache` whose entries are those of a `ResponseCache`, for code and sessions that take nothing but a `URLCache`.
///
/// Code that calls its methods has the whole of the `ResponseCache` behind them. A `URLSession`'s use of it, set as
/// `URLSessionConfiguration.urlCache`, is Foundation's, and on Linux that is little:
/// - It looks up, for data tasks only, and never stores and never revalidates, so that entries have to be stored by hand.
///   `CachingSession` and `CachingURLProtocol` do all of it.
/// - It applies its own rules to the entry that it gets. So it gets only entries that those rules let pass and this
///   package finds fresh for the request by RFC 9111, its policy included: an entry that is stale, varies, needs to be
///   confirmed, or has a status that Foundation does not expect, is not given, and is asked of the origin.
/// - Stored and stale is not served by `returnCacheDataElseLoad` or `returnCacheDataDontLoad` either, and the latter
///   goes to the network where nothing is stored.
///
/// On Apple systems the loading system may keep what it loads elsewhere than in a subclass; there too the methods work.
///
/// `@unchecked Sendable`, as its superclass is declared: the only stored property is a constant that is Sendable. A
/// subclass that adds variables has to guard them.
open class ForwardingURLCache: URLCache, @unchecked Sendable {
    /// Where the entries are.
    public let responses: ResponseCache

    /// A cache in front of `responses`.
    public init(_ responses: ResponseCache) {
        self.responses = responses
        // The superclass keeps nothing, and cannot make a directory at this path.
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

    /// What Foundation asks before it loads; see the limits above.
    open override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let request = dataTask.currentRequest, responses.mayAnswerInFoundation(request) else {
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
    /// Whether what is stored answers a request as it is, and is nothing that Foundation refuses and removes.
    fileprivate func mayAnswerInFoundation(_ request: URLRequest) -> Bool {
        switch request.cachePolicy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: break
        // Foundation would serve it in spite of the policy.
        default: return false
        }
        let asked = HTTPRequest(request)
        guard let stored = store.lookup(asked), Self.statuses.contains(stored.status),
            !stored.facts.flags.contains(.hasVary)
        else { return false }
        // Foundation takes neither credentials nor challenges, nor a HEAD with a body.
        let fields = stored.response.headerFields
        guard asked.method == "GET", asked.headerFields["Authorization"] == nil,
            asked.headerFields["Proxy-Authorization"] == nil, fields["WWW-Authenticate"] == nil,
            fields["Proxy-Authenticate"] == nil
        else { return false }
        let seconds = Int64(now().timeIntervalSince1970)
        guard case .fresh = Reuse.decide(RequestFacts(asked), stored.facts, now: seconds) else { return false }
        return true
    }

    private static let statuses: Set<Int> = [200, 203, 204, 300, 301, 404, 405, 410, 414, 501]
}
