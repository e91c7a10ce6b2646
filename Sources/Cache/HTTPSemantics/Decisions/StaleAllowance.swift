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
