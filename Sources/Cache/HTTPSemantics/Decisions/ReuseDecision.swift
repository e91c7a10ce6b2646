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
