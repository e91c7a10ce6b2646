import HTTPSemantics

/// A request, the facts that decide about it, and the response stored for it.
struct LookedUpRequest: Sendable {
    let request: CacheRequest
    let facts: RequestFacts
    /// The stored response, fresh or not.
    var stored: StoredResponse?

    /// A response to such a request may answer another one: an ordinary GET that sets no bounds on age.
    var canShare: Bool {
        facts.method == .get
            && facts.flags.isDisjoint(with: [.noCache, .noStore, .limitsAge])
            && facts.flags.isDisjoint(with: .selectsAnswer)
            && (facts.policy == .useProtocolCachePolicy || facts.policy == .returnCacheDataElseLoad)
    }

    /// The answer passes the store by.
    var bypasses: Bool {
        !facts.isAnsweredFromStore || !facts.flags.isDisjoint(with: .selectsAnswer)
    }
}
