/// What to do about a request, given what is stored for it.
@frozen
public enum ReuseDecision: Equatable, Sendable {
    /// Answer with the stored response; its `Age` field is `StoredFacts.currentAge(at:)`.
    case fresh
    /// Answer with the stored response although it is stale, for this reason.
    case stale(StaleReason)
    /// Ask the origin with the stored validators (`ConditionalFields`), and answer by what it says (`Validation`).
    case revalidate(ValidationReason)
    /// Forward the request as it is.
    case fetch(FetchReason)
    /// Answer 504 (Gateway Timeout): the request is `only-if-cached`, and nothing stored will do.
    case gatewayTimeout
    /// Fail without a connection: the policy forbids one, and nothing is stored.
    case fail
}

/// Why a stale response may be served.
@frozen
public enum StaleReason: Equatable, Sendable {
    /// The client takes it: `max-stale`.
    case acceptedByClient
    /// The origin allows it while it is asked in the background: `stale-while-revalidate`. Who serves it starts that.
    case whileRevalidating
    /// A policy wants what is stored, whatever its age.
    case policy
}

/// Why the origin has to confirm a stored response.
@frozen
public enum ValidationReason: Equatable, Sendable {
    /// It has outlived its lifetime.
    case stale
    /// The response said `no-cache`, or something unreadable.
    case responseNoCache
    /// The request said `no-cache`.
    case requestNoCache
    /// It is older than the request's `max-age`.
    case olderThanMaxAge
    /// Less freshness is left than the request's `min-fresh`.
    case lessThanMinFresh
    /// The policy wants it confirmed.
    case policy
}

/// Why a request goes to the origin as it is.
@frozen
public enum FetchReason: Equatable, Sendable {
    /// Nothing is stored for it.
    case nothingStored
    /// What is stored cannot be used unconfirmed, and has no validator to confirm it by.
    case noValidator
    /// The policy ignores what is stored.
    case policy
    /// The method is not answered from a store.
    case method
    /// The application's own conditional fields go through, and it sees the answer, a 304 too.
    case conditional
    /// The application asks for a part; parts are not stored, and none are cut from what is.
    case range
}
