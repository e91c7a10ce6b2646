import HTTPSemantics

extension CacheEngine {
    /// The stored response that answers a request without a connection; `nil` if `respond(to:)` has to be called instead.
    /// Starts no task and, for an ordinary request, allocates nothing.
    ///
    /// - Parameters:
    ///   - url: the text of the request's URL.
    ///   - facts: the rest of the request as numbers; `RequestFacts()` are the facts of a plain GET.
    ///   - timeToLive: as in `CacheRequest`.
    ///   - now: seconds since 1970.
    ///   - request: evaluated only for a key hook, a `Vary` or an application's own storage.
    /// - Complexity: one lookup in memory, or one on disk.
    package func freshHit(
        url: UnsafeRawBufferPointer, facts: RequestFacts, timeToLive: Int64? = nil, now: Int64,
        request: @autoclosure () -> CacheRequest
    ) -> StoredResponse? {
        guard isDirect, timeToLive ?? options.timeToLive == nil else {
            return slowHit(request(), facts, timeToLive, now)
        }
        guard let stored = responses.lookup(url: url, request: request().request),
            case .fresh = Reuse.decide(facts, stored.facts, now: now)
        else { return nil }
        return stored
    }

    @inline(never)
    private func slowHit(
        _ request: CacheRequest, _ facts: RequestFacts, _ timeToLive: Int64?, _ now: Int64
    ) -> StoredResponse? {
        var request = request
        if let timeToLive { request.timeToLive = timeToLive }
        guard facts.isAnsweredFromStore, let stored = lookup(request, now: now) else { return nil }
        let lookedUp = LookedUpRequest(request: request, facts: facts, stored: stored)
        guard case .fresh = decide(lookedUp, stored.facts, now: now) else { return nil }
        return stored
    }
}
