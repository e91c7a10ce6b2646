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

extension Reuse {
    /// The index of the most recent of several stored responses that match a request, by their `Date`; the first of equal
    /// ones; `nil` without any (RFC 9111, section 4).
    package static func latest(of candidates: [StoredFacts]) -> Int? {
        candidates.indices.reduce(nil as Int?) { latest, index in
            guard let latest else { return index }
            return candidates[index].generatedAt > candidates[latest].generatedAt ? index : latest
        }
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
    /// Ask the origin with the stored validators (`ConditionalFields`), and decide by its answer (`Validation`).
    case revalidate(ValidationReason)
    /// Forward the request unchanged.
    case fetch(FetchReason)
    /// Answer 504 (Gateway Timeout): the request is `only-if-cached`, and no stored response may answer it.
    case gatewayTimeout
    /// Fail without a connection: the policy forbids one, and nothing is stored.
    case fail
}

/// Why a stale response may be served.
@frozen
public enum StaleReason: Equatable, Sendable {
    /// The client accepts it: `max-stale`.
    case acceptedByClient
    /// `stale-while-revalidate`: the origin allows it while it is asked in the background, which the caller has to start.
    case whileRevalidating
    /// The policy accepts a stored response of any age.
    case policy
}

/// Why the origin has to confirm a stored response.
@frozen
public enum ValidationReason: Equatable, Sendable {
    /// It has exceeded its lifetime.
    case stale
    /// The response has `no-cache`, or a `Cache-Control` that cannot be read.
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
    /// The stored response has to be confirmed, and has no validator.
    case noValidator
    /// The policy ignores stored responses.
    case policy
    /// The method is not answered from a store.
    case method
    /// The application's own condition goes to the origin, whose answer the application sees, including a 304.
    case conditional
    /// The application asks for a part that no fresh stored response has.
    case range
}

/// When a stale response may be served (RFC 9111, section 4.2.4; RFC 5861): never against `must-revalidate` or `no-cache`.
package enum StaleAllowance {
    /// Why a stale response may be served before the origin is asked; `nil` if it may not.
    ///
    /// `max-stale` covers a staleness up to its argument. `stale-while-revalidate` covers a staleness below its argument,
    /// and only for a request that sets no bounds itself and whose answer may be stored: else nothing would be confirmed.
    ///
    /// - Parameter age: the response's current age; it is stale.
    static func beforeAsking(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> StaleReason? {
        guard stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate]) else { return nil }
        // Both are at least 0, so their difference fits.
        let staleness = age - stored.lifetime
        if staleness <= request.maxStale { return .acceptedByClient }
        if request.flags.isDisjoint(with: [.limitsAge, .noStore]), staleness < Int64(stored.staleWhileRevalidate) {
            return .whileRevalidating
        }
        return nil
    }

    /// Whether the stored response may be served because the origin failed: `stale-if-error`, of the response or of the
    /// request, whichever reaches further.
    ///
    /// The failure is a 500, 502, 503 or 504, or a missing answer. A request with `no-cache`, with another policy than the
    /// protocol's, or with its own condition or range gets the failure.
    ///
    /// - Parameter now: seconds since 1970.
    package static func onFailure(_ request: RequestFacts, _ stored: StoredFacts, now: Int64) -> Bool {
        guard request.policy == .useProtocolCachePolicy, request.isAnsweredFromStore,
            request.flags.isDisjoint(with: [.noCache]), request.flags.isDisjoint(with: .selectsAnswer),
            stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate])
        else { return false }
        let staleness = stored.currentAge(at: now) - stored.lifetime
        return staleness < max(Int64(stored.staleIfError), request.staleIfError)
    }

    /// Whether the response is one that a disconnected cache may not serve stale, and for which it answers 504 (Gateway
    /// Timeout) where the caller prefers that to the error of the connection (RFC 9111, section 5.2.2.2).
    package static func demandsGatewayTimeout(_ request: RequestFacts, _ stored: StoredFacts) -> Bool {
        request.isAnsweredFromStore && request.flags.isDisjoint(with: .selectsAnswer)
            && (request.policy == .useProtocolCachePolicy || request.policy == .reloadRevalidatingCacheData)
            && !stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate])
    }
}
