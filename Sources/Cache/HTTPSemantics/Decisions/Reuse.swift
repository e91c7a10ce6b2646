/// Whether a stored response answers a request (RFC 9111, section 4).
public enum Reuse {
    /// Decides about a request for whose key (and variant) a response is stored.
    ///
    /// Nothing is read but the arguments, and nothing is allocated. The common case, an ordinary request and a fresh
    /// response, is a few integer comparisons.
    ///
    /// - Parameter now: seconds since 1970.
    @inlinable
    public static func decide(_ request: RequestFacts, _ stored: StoredFacts, now: Int64) -> ReuseDecision {
        let age = stored.currentAge(at: now)
        if request.flags.isDisjoint(with: .obstacles), !stored.flags.contains(.alwaysValidate), age < stored.lifetime,
            age <= request.maxAge, stored.lifetime &- age >= request.minFresh
        {
            return .fresh
        }
        return decideByCase(request, stored, age: age)
    }

    /// Decides about a request for which nothing is stored.
    package static func decideWithoutStored(_ request: RequestFacts) -> ReuseDecision {
        if request.policy == .returnCacheDataDontLoad { return .fail }
        return forward(request, request.isAnsweredFromStore ? .nothingStored : .method)
    }

    @usableFromInline
    static func decideByCase(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> ReuseDecision {
        guard request.isAnsweredFromStore else { return decideWithoutStored(request) }
        switch request.policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            return forward(request, .policy)
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return age < stored.lifetime ? .fresh : .stale(.policy)
        case .reloadRevalidatingCacheData:
            return forwardsAsIs(request) ?? validate(request, stored, .policy)
        case .useProtocolCachePolicy:
            return forwardsAsIs(request) ?? decideByProtocol(request, stored, age: age)
        }
    }

    private static func decideByProtocol(
        _ request: RequestFacts, _ stored: StoredFacts, age: Int64
    ) -> ReuseDecision {
        if stored.flags.contains(.alwaysValidate) { return validate(request, stored, .responseNoCache) }
        if request.flags.contains(.noCache) { return validate(request, stored, .requestNoCache) }
        if age > request.maxAge { return validate(request, stored, .olderThanMaxAge) }
        // Both are at least 0, so their difference fits.
        if stored.lifetime - age < request.minFresh { return validate(request, stored, .lessThanMinFresh) }
        if age < stored.lifetime { return .fresh }
        if let reason = StaleAllowance.beforeAsking(request, stored, age: age) { return .stale(reason) }
        return validate(request, stored, .stale)
    }

    /// What the application asked in its own words is not ours to answer, unless it forbade to pass it on.
    private static func forwardsAsIs(_ request: RequestFacts) -> ReuseDecision? {
        if request.flags.contains(.onlyIfCached) { return nil }
        if request.flags.contains(.isConditional) { return .fetch(.conditional) }
        if request.flags.contains(.hasRange) { return .fetch(.range) }
        return nil
    }

    private static func validate(
        _ request: RequestFacts, _ stored: StoredFacts, _ reason: ValidationReason
    ) -> ReuseDecision {
        if request.flags.contains(.onlyIfCached) { return .gatewayTimeout }
        return stored.hasValidator ? .revalidate(reason) : .fetch(.noValidator)
    }

    /// To the origin, unless `only-if-cached` forbids it. An unsafe request is written through all the same: a cache
    /// makes up no answer to one (RFC 9111, section 4).
    private static func forward(_ request: RequestFacts, _ reason: FetchReason) -> ReuseDecision {
        request.flags.contains(.onlyIfCached) && request.method != .unsafe ? .gatewayTimeout : .fetch(reason)
    }
}
