/// When a stale response may be served (RFC 9111, section 4.2.4; RFC 5861): never against `must-revalidate` or `no-cache`.
package enum StaleAllowance {
    /// Whether a stale response may be served before the origin is asked, and why; `nil` when not.
    ///
    /// `max-stale` covers a staleness up to its argument. `stale-while-revalidate` covers one below it, and only for a
    /// request that draws no line of its own.
    ///
    /// - Parameter age: the response's current age; it is stale.
    static func beforeAsking(_ request: RequestFacts, _ stored: StoredFacts, age: Int64) -> StaleReason? {
        guard stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate]) else { return nil }
        // Both are at least 0, so their difference fits.
        let staleness = age - stored.lifetime
        if staleness <= request.maxStale { return .acceptedByClient }
        if !request.flags.contains(.limitsAge), staleness < Int64(stored.staleWhileRevalidate) {
            return .whileRevalidating
        }
        return nil
    }

    /// Whether the stored response may be served because the origin failed: `stale-if-error`, of the response or of the
    /// request, whichever reaches further.
    ///
    /// The failure is a 500, 502, 503 or 504, or no answer at all. A request that said `no-cache`, or whose policy
    /// ignores or mistrusts what is stored, gets the failure; one that asked a question of its own gets the answer to it.
    ///
    /// - Parameter now: seconds since 1970.
    package static func onFailure(_ request: RequestFacts, _ stored: StoredFacts, now: Int64) -> Bool {
        guard request.policy == .useProtocolCachePolicy, request.isAnsweredFromStore,
            request.flags.isDisjoint(with: [.noCache, .isConditional, .hasRange]),
            stored.flags.isDisjoint(with: [.alwaysValidate, .mustRevalidate])
        else { return false }
        let staleness = stored.currentAge(at: now) - stored.lifetime
        return staleness < max(Int64(stored.staleIfError), request.staleIfError)
    }
}
