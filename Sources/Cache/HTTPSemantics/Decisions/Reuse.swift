/// Decides whether a stored response answers a request (RFC 9111, section 4).
public enum Reuse {
    /// Decides about a request when a response is stored for its key (and variant).
    ///
    /// Reads only the arguments and allocates nothing. In the common case, an ordinary request and a fresh response, it
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

    package static func decideWithoutStored(_ request: RequestFacts) -> ReuseDecision {
        if request.policy == .returnCacheDataDontLoad { return .fail }
        return forward(request, request.isAnsweredFromStore ? .nothingStored : .method)
    }

    /// Decides about a request when the application counts the stored response as fresh for `timeToLive` seconds from
    /// its receipt, whatever its header says. The request's own limits count, and for errors the header.
    package static func decide(
        _ request: RequestFacts, _ stored: StoredFacts, within timeToLive: Int64, now: Int64
    ) -> ReuseDecision {
        guard request.policy == .useProtocolCachePolicy, request.isAnsweredFromStore,
            !request.flags.contains(.noCache), !StatusRules.isError(Int(stored.status))
        else { return decide(request, stored, now: now) }
        return selecting(request) {
            // Not below 0, also after the clock was set back.
            let age = max(now.subtractingSaturated(stored.receivedAt), 0)
            if age > request.maxAge { return validate(request, stored, .olderThanMaxAge) }
            let isFreshLongEnough = timeToLive.subtractingSaturated(age) >= request.minFresh
            return isFreshLongEnough ? .fresh : validate(request, stored, .lessThanMinFresh)
        }
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

    private static func decideByProtocol(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> ReuseDecision {
        if stored.flags.contains(.alwaysValidate) { return validate(request, stored, .responseNoCache) }
        if request.flags.contains(.noCache) { return validate(request, stored, .requestNoCache) }
        if age > request.maxAge { return validate(request, stored, .olderThanMaxAge) }
        // Both are at least 0, so the difference fits.
        if stored.lifetime - age < request.minFresh { return validate(request, stored, .lessThanMinFresh) }
        if age < stored.lifetime { return .fresh }
        if let reason = StaleAllowance.beforeAsking(request, stored, age: age) { return .stale(reason) }
        return validate(request, stored, .stale)
    }

    /// Over https, a reload does not confirm a fresh `immutable` response (RFC 8246, section 2). If the request itself
    /// has `max-age=0` or `no-cache`, it still reaches the origin.
    private static func needsNoReload(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> Bool {
        request.flags.contains(.isSecure) && stored.flags.contains(.isImmutable)
            && decideByProtocol(request, stored, age: age) == .fresh
    }

    /// Turns the decision for a plain request into the one for its own conditions and range. A fresh response answers
    /// them, unless only the origin evaluates them; everything else goes to the origin unchanged. With
    /// `only-if-cached`, the plain decision stands.
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

    /// To the origin, unless `only-if-cached` forbids it. Unsafe requests are always written through, because no cache
    /// answers them (RFC 9111, section 4).
    private static func forward(_ request: RequestFacts, _ reason: FetchReason) -> ReuseDecision {
        request.flags.contains(.onlyIfCached) && request.method != .unsafe ? .gatewayTimeout : .fetch(reason)
    }
}

/// How to answer a request, given the stored response.
@frozen
public enum ReuseDecision: Equatable, Sendable {
    /// Answer with the stored response; its `Age` field is `StoredFacts.currentAge(at:)`.
    case fresh
    /// The stored response is fresh, and the application's own condition or range selects the answer from it; see
    /// `Preconditions`.
    case select
    /// Answer with the stored response although it is stale, for this reason.
    case stale(StaleReason)
    /// Ask the origin with the stored validators (`ConditionalFields`), and let its answer decide (`Validation`).
    case revalidate(ValidationReason)
    /// Forward the request unchanged.
    case fetch(FetchReason)
    /// Answer 504 (Gateway Timeout): the request is `only-if-cached`, and no stored response may answer it.
    case gatewayTimeout
    /// Fail: the policy forbids a connection, and nothing is stored.
    case fail
}

/// Why a stale response may be served.
@frozen
public enum StaleReason: Equatable, Sendable {
    /// The client accepts it: `max-stale`.
    case acceptedByClient
    /// `stale-while-revalidate`: the origin allows it while it is asked in the background. The caller must start that.
    case whileRevalidating
    /// The policy accepts a stored response of any age.
    case policy
}

/// Why the origin must confirm a stored response.
@frozen
public enum ValidationReason: Equatable, Sendable {
    /// It has exceeded its lifetime.
    case stale
    /// The response has `no-cache`, or an unreadable `Cache-Control`.
    case responseNoCache
    /// The request has `no-cache`.
    case requestNoCache
    /// It is older than the request's `max-age`.
    case olderThanMaxAge
    /// It does not stay fresh for the request's `min-fresh`.
    case lessThanMinFresh
    /// The policy requires it.
    case policy
}

/// Why a request goes to the origin unchanged.
@frozen
public enum FetchReason: Equatable, Sendable {
    /// No response is stored for it.
    case nothingStored
    /// The stored response must be confirmed, but has no validator.
    case noValidator
    /// The policy ignores stored responses.
    case policy
    /// No stored response answers this method.
    case method
    /// The application's own condition goes to the origin, and the application sees the answer, even a 304.
    case conditional
    /// The application asks for a part that no fresh stored response has.
    case range
}

/// When a stale response may be served (RFC 9111, section 4.2.4; RFC 5861). Never against `must-revalidate` or
/// `no-cache`.
package enum StaleAllowance {
    /// Why the stale response of this age may be served before asking the origin; `nil` if it may not.
    ///
    /// `max-stale` covers a staleness up to its argument. `stale-while-revalidate` covers a staleness below its
    /// argument, but only if the request sets no limits itself and its answer may be stored: otherwise nothing would be
    /// confirmed.
    static func beforeAsking(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> StaleReason? {
        guard stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate]) else { return nil }
        // Both are at least 0, so the difference fits.
        let staleness = age - stored.lifetime
        if staleness <= request.maxStale { return .acceptedByClient }
        if request.flags.isDisjoint(with: [.limitsAge, .noStore]), staleness < Int64(stored.staleWhileRevalidate) {
            return .whileRevalidating
        }
        return nil
    }

    /// Whether the stored response may be served because the origin failed: `stale-if-error` of the response or the
    /// request, whichever is longer.
    ///
    /// A failure is a 500, 502, 503 or 504, or no answer. A request with `no-cache`, its own condition or range, or a
    /// policy other than the protocol's gets the failure.
    package static func onFailure(_ request: RequestFacts, _ stored: StoredFacts, now: Int64) -> Bool {
        guard request.policy == .useProtocolCachePolicy, request.isAnsweredFromStore,
            request.flags.isDisjoint(with: [.noCache]), request.flags.isDisjoint(with: .selectsAnswer),
            stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate])
        else { return false }
        let staleness = stored.currentAge(at: now) - stored.lifetime
        return staleness < max(Int64(stored.staleIfError), request.staleIfError)
    }

    /// Whether the response must not be served stale without a connection. A caller that prefers it answers 504
    /// (Gateway Timeout) for such a response instead of the connection's error (RFC 9111, section 5.2.2.2).
    package static func demandsGatewayTimeout(_ request: RequestFacts, _ stored: StoredFacts) -> Bool {
        request.isAnsweredFromStore && request.flags.isDisjoint(with: .selectsAnswer)
            && (request.policy == .useProtocolCachePolicy || request.policy == .reloadRevalidatingCacheData)
            && !stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate])
    }
}
