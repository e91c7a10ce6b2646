import CacheTiers
import HTTPCache
import HTTPSemantics

/// Makes a subclass of `ResponseCache` the engine's storage: every lookup, store and removal calls what the subclass
/// may have overridden.
///
/// A hit costs as much as `cachedResponse(for:)`. If the subclass returns a response as it was stored, that is served
/// from where it lies. One it made itself is copied, and its age counts from when the store's entry was received, or
/// else from its `Date`.
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

    func store(_ response: ResponseToStore, for request: CacheRequest, times: StoringTimes) -> StoreOutcome? {
        guard let asked = request.urlRequest, let cached = CachedURLResponse(response, request) else { return nil }
        let confirmed = response.confirms.map { underlying($0, request) }
        ResponseCache.$sessionChange.withValue(.store(times, confirms: confirmed)) {
            cache.storeCachedResponse(cached, for: asked)
        }
        return nil
    }

    /// What the store has of a response that the subclass made, e.g. by decrypting it: that is what a confirmation
    /// replaces.
    private func underlying(_ response: StoredResponse, _ request: CacheRequest) -> StoredResponse {
        guard let stored = cache.store.lookup(request.request), !stored.isSameRepresentation(as: response),
            lookup(request)?.isSameRepresentation(as: response) == true
        else { return response }
        return stored
    }

    func remove(_ request: CacheRequest, _ reason: RemovalReason) {
        guard let asked = request.urlRequest else { return }
        ResponseCache.$sessionChange.withValue(.remove(reason)) { cache.removeCachedResponse(for: asked) }
    }
}

extension StoredResponse {
    /// Whether the response was made from this entry and has not changed since.
    fileprivate func isUnchanged(in cached: CachedURLResponse) -> Bool {
        // First, because this decodes it and keeps it with the entry it was made from.
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

/// `willCacheResponse`, between the engine and the delegate.
enum WillCache {
    /// Asks the request's delegate about a response that may be stored.
    ///
    /// - Throws: if it was not asked, because its task was cancelled or has failed.
    static func ask(
        _ response: ResponseToStore, _ request: CacheRequest
    ) async throws(CancellationError) -> ResponseToStore? {
        guard let context = request.sessionContext else { return response }
        var response = response
        if response.confirms != nil, let kept = kept(response, request, context.session) {
            (response.attachment, response.attachedCount) = kept
        }
        guard let delegate = context.delegate, let proposed = CachedURLResponse(response, request) else {
            return response
        }
        // The application's code must not delay the transport's thread.
        // About a confirmation the delegate is asked before it gets the answer.
        let arrivedCount = response.confirms == nil ? response.arrivedCount : nil
        let edited = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            () async throws(CancellationError) -> CachedURLResponse? in
            guard let events = delegate.events else {
                return await delegate.session(context.session, willCacheResponse: proposed, for: context.request)
            }
            if let arrivedCount { await events.waitUntilPassedOn(arrivedCount, of: proposed) }
            return try await events.consent(to: proposed)
        }
        guard let edited else { return nil }
        guard edited !== proposed else { return response }
        return ResponseToStore(edited, confirms: response.confirms, in: context.session.cache?.decoded)
    }

    /// What bytes cannot hold of a confirmed response is kept, with the new fields.
    private static func kept(
        _ response: ResponseToStore, _ request: CacheRequest, _ session: CachingSession
    ) -> (DecodedEntry, Int)? {
        guard response.policy == .allowedInMemoryOnly, response.applicationData.isEmpty,
            let stored = session.engine.responses.lookup(request.request)
        else { return nil }
        return (stored.entry.attachment as? DecodedEntry)?.given.map {
            (DecodedEntry(userInfo: $0, in: session.cache?.decoded), stored.entry.attachedCount)
        }
    }
}

extension CachedURLResponse {
    /// A response about to be stored; `nil` if Foundation rejects its URL or status.
    convenience init?(_ response: ResponseToStore, _ request: CacheRequest) {
        guard let url = URL(string: request.request.url),
            let head = HTTPURLResponse(response.response, url: url)
        else { return nil }
        let kept = (response.attachment as? DecodedEntry)?.given
        self.init(
            response: head, data: Data(response.body),
            userInfo: kept ?? ApplicationData(decoding: response.applicationData).userInfo,
            storagePolicy: URLCache.StoragePolicy(response.policy))
    }
}

extension ResponseToStore {
    /// A response that the application has edited; `nil` unless it is an HTTP response.
    init?(_ cached: CachedURLResponse, confirms: StoredResponse?, in memory: DecodedMemory?) {
        guard let response = HTTPResponse(cached.response) else { return nil }
        let data = ApplicationData(cached.userInfo)
        self.init(
            response, body: [UInt8](cached.data), applicationData: data.encoded, policy: cached.policy(data),
            confirms: confirms)
        (attachment, attachedCount) = (data.attachment(in: memory), data.attachedCount)
    }
}
