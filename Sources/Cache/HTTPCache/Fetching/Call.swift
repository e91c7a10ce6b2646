import HTTPSemantics

/// A request in the engine's hands.
struct Call: Sendable {
    let request: CacheRequest
    let facts: RequestFacts
    /// What is stored for it, fresh or not.
    var stored: StoredResponse?

    /// Any response that was just received for such a request answers another one: an ordinary GET that draws no line
    /// of its own.
    var canShare: Bool {
        facts.method == .get
            && facts.flags.isDisjoint(with: [.noCache, .noStore, .isConditional, .hasRange, .limitsAge])
            && (facts.policy == .useProtocolCachePolicy || facts.policy == .returnCacheDataElseLoad)
    }

    /// The answer passes the store by.
    var bypasses: Bool {
        !facts.isAnsweredFromStore || !facts.flags.isDisjoint(with: [.isConditional, .hasRange])
    }
}

/// With whom a fetch is shared.
enum Sharing {
    /// With all requests for the URL, or for the variant where that is known.
    case known
    /// With those that agree in these fields, which another's answer has named.
    case variant(VarySelection)
    /// With nobody.
    case alone
}
