import HTTPSemantics

extension CacheEngine {
    /// The stored response that answers a request as it is, without asking anybody; `nil` when `respond(to:)` has to be
    /// asked instead. Takes no task and, in the ordinary case, allocates nothing.
    ///
    /// - Parameters:
    ///   - url: the text of the request's URL.
    ///   - facts: the rest of the request as numbers; `RequestFacts()` is that of a plain GET.
    ///   - timeToLive: as in `CacheRequest`.
    ///   - now: seconds since 1970.
    ///   - request: evaluated when a key hook or a `Vary` asks for it, or an application's storage.
    /// - Complexity: one lookup in memory, or one on disk.
    public func freshHit(
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
        let call = Call(request: request, facts: facts, stored: stored)
        guard case .fresh = decide(call, stored, now: now) else { return nil }
        return stored
    }
}
