import HTTPSemantics

extension CacheEngine {
    /// Why a request goes to the origin.
    func forwardReason(_ decision: ReuseDecision, _ lookedUp: LookedUpRequest) -> CacheStatus.Forward {
        guard let key = responses.primaryKey(of: lookedUp.request.request) else { return .bypass }
        switch decision {
        case .fetch(.method): return .method
        case .fetch(.nothingStored): return responses.variantSelection(under: key) == nil ? .uriMiss : .varyMiss
        case .fetch(.noValidator), .revalidate(.stale), .revalidate(.responseNoCache): return .stale
        default: return .request
        }
    }
}

extension Answer {
    /// A stored response that answers because the origin has failed.
    func asForwarded(status: Int?) -> Answer {
        var answer = self
        answer.cacheStatus.isHit = false
        answer.cacheStatus.forwardStatus = status
        return answer
    }
}

extension StoredResponse {
    /// It says `must-revalidate` or `no-cache`, so that it answers only once the origin has confirmed it.
    var needsConfirmation: Bool { !facts.flags.isDisjoint(with: [.mustRevalidate, .alwaysValidate]) }
}

extension StoredFacts {
    /// Seconds that are left of the lifetime; negative where the response is stale.
    func timeToLive(at now: Int64) -> Int64 {
        let (left, overflow) = lifetime.subtractingReportingOverflow(currentAge(at: now))
        return overflow ? .min : left
    }
}
