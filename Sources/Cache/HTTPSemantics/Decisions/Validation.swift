/// The effect of the origin's answer on a stored response that it was asked to confirm (RFC 9111, section 4.3.3).
package enum Validation {
    /// How the origin answered.
    package enum Answer: Equatable, Sendable {
        /// With this status.
        case status(Int)
        /// Not at all: no connection, or one that broke before the header was complete.
        case none
    }

    /// What to do with it.
    package enum Decision: Equatable, Sendable {
        /// The stored response is confirmed: freshen it (`Freshening`) and answer with it.
        case freshen
        /// Answer with the new response, and store it if `Storability` lets it.
        case useAnswer
        /// Answer with the stored response, although it is stale.
        case serveStale
        /// Answer with the failure itself, or with 504 (Gateway Timeout).
        case fail
    }

    /// Decides about the answer to a request that `Reuse` wanted revalidated or fetched.
    ///
    /// - Parameters:
    ///   - request: the application's request, as `Reuse` was given it.
    ///   - stored: the stored response.
    ///   - sentStoredValidators: the request that was sent carried the stored validators, and no condition of
    ///     the application's own.
    ///   - now: when the answer came, seconds since 1970.
    package static func decide(
        _ request: RequestFacts, _ stored: StoredFacts, answer: Answer, sentStoredValidators: Bool, now: Int64
    ) -> Decision {
        switch answer {
        case .status(304) where sentStoredValidators:
            return .freshen
        case .status(let status) where !StatusRules.isServerFailure(status):
            return .useAnswer
        case .status:
            return StaleAllowance.onFailure(request, stored, now: now) ? .serveStale : .useAnswer
        case .none:
            return StaleAllowance.onFailure(request, stored, now: now) ? .serveStale : .fail
        }
    }
}
