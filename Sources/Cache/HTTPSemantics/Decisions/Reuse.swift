/// Whether a stored response answers a request (RFC 9111, section 4).
public enum Reuse {
    /// Decides about a request for whose key (and variant) a response is stored.
    ///
    /// Reads nothing but the arguments and allocates nothing. The common case, an ordinary request and a fresh response,
    /// takes a few integer comparisons.
    ///
    /// - Parameters:
    ///   - request: the facts about the request.
    ///   - stored: the facts about the stored response.
    ///   - now: seconds since 1970.
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

    /// Decides about a request for which no response is stored.
    package static func decideWithoutStored(_ request: RequestFacts) -> ReuseDecision {
        if request.policy == .returnCacheDataDontLoad { return .fail }
        return forward(request, request.isAnsweredFromStore ? .nothingStored : .method)
    }

    /// Decides about a request whose application counts the stored response as fresh, whatever its header says.
    package static func decideWithinTimeToLive(
        _ request: RequestFacts, _ stored: StoredFacts, now: Int64
    ) -> ReuseDecision {
        guard request.policy == .useProtocolCachePolicy, request.isAnsweredFromStore,
            !request.flags.contains(.noCache)
        else { return decide(request, stored, now: now) }
        return selecting(request) { .fresh }
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
            return selecting(request) {
                needsNoReload(request, stored, age: age) ? .fresh : validate(request, stored, .policy)
            }
        case .useProtocolCachePolicy:
            return selecting(request) { decideByProtocol(request, stored, age: age) }
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

    /// A fresh `immutable` response is not confirmed on a reload, over https (RFC 8246, section 2). `max-age=0` or
    /// `no-cache` of the request itself still reaches the origin.
    private static func needsNoReload(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> Bool {
        request.flags.contains(.isSecure) && stored.flags.contains(.isImmutable)
            && decideByProtocol(request, stored, age: age) == .fresh
    }

    /// A decision, given the one about the same request without the application's own conditions and range: a fresh
    /// response answers them, except for those that only the origin evaluates; all others go to the origin unchanged.
    private static func selecting(_ request: RequestFacts, _ plain: () -> ReuseDecision) -> ReuseDecision {
        if request.flags.isDisjoint(with: .selectsAnswer) { return plain() }
        if request.flags.contains(.hasOriginCondition) {
            return request.flags.contains(.onlyIfCached) ? plain() : .fetch(.conditional)
        }
        let decision = plain()
        if decision == .fresh { return .select }
        if request.flags.contains(.onlyIfCached) { return decision }
        return .fetch(request.flags.contains(.hasCacheCondition) ? .conditional : .range)
    }

    private static func validate(
        _ request: RequestFacts, _ stored: StoredFacts, _ reason: ValidationReason
    ) -> ReuseDecision {
        if request.flags.contains(.onlyIfCached) { return .gatewayTimeout }
        return stored.hasValidator ? .revalidate(reason) : .fetch(.noValidator)
    }

    /// To the origin, unless `only-if-cached` forbids it. An unsafe request is written through nevertheless: a cache
    /// does not answer it (RFC 9111, section 4).
    private static func forward(_ request: RequestFacts, _ reason: FetchReason) -> ReuseDecision {
        request.flags.contains(.onlyIfCached) && request.method != .unsafe ? .gatewayTimeout : .fetch(reason)
    }
}
