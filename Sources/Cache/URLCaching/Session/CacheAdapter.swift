import CacheTiers
import HTTPCache
import HTTPSemantics

/// A subclass of `ResponseCache` as the engine's storage: every lookup, store and removal goes through what the subclass
/// may have overridden.
///
/// Costs a hit what `cachedResponse(for:)` costs. A response that the subclass hands out as it was stored is served from
/// where it lies; one that it made itself is copied, and its age counts from when the entry in the store was received,
/// or else from its `Date`.
struct CacheAdapter: ResponseStoring {
    private let cache: ResponseCache
    private let clock: any CacheClock

    init(_ cache: ResponseCache, clock: any CacheClock) {
        self.cache = cache
        self.clock = clock
    }

    func lookup(_ request: CacheRequest) -> StoredResponse? {
        guard let asked = request.urlRequest, let cached = cache.cachedResponse(for: asked) else { return nil }
        let stored = cache.store.lookup(request.request)
        if let stored, stored.isUnchanged(in: cached) { return stored }
        let data = ApplicationData(cached.userInfo)
        guard let response = HTTPResponse(cached.response),
            let made = StoredResponse(
                response, body: [UInt8](cached.data), receivedAt: stored?.facts.receivedAt ?? clock.now.seconds,
                applicationData: data.encoded,
                policy: cached.policy(data))
        else { return nil }
        if let attachment = data.attachment(in: cache.decoded) { made.entry.attach(attachment) }
        return made
    }

    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) {
        guard let asked = request.urlRequest, let cached = CachedURLResponse(response, request) else { return }
        ResponseCache.$sessionChange.withValue(.store(times, confirms: response.confirms)) {
            cache.storeCachedResponse(cached, for: asked)
        }
    }

    func remove(_ request: CacheRequest, _ reason: RemovalReason) {
        guard let asked = request.urlRequest else { return }
        ResponseCache.$sessionChange.withValue(.remove(reason)) { cache.removeCachedResponse(for: asked) }
    }
}

extension StoredResponse {
    /// The response was made of this entry, and was not changed since.
    fileprivate func isUnchanged(in cached: CachedURLResponse) -> Bool {
        // Asked for first, since that is when it is decoded, and kept with the entry it was made of.
        let response = cached.response
        guard let decoded = entry.attachment as? DecodedEntry, decoded.hasMade(response) else { return false }
        return withBody { body in
            cached.data.withUnsafeBytes { data in
                data.count == body.count
                    && (data.baseAddress == body.baseAddress || data.elementsEqual(body))
            }
        }
    }
}
