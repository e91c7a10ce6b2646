import HTTPSemantics

/// How a fetch ended for the requests that wait for it.
enum FetchOutcome: Sendable {
    /// The origin has confirmed the stored response, which is fresh for another lifetime.
    case confirmed(Confirmed)
    /// The origin sent a response.
    case response(Received)
    /// The origin gave no answer.
    case failed(EngineError)

    /// A stored response that the origin has confirmed.
    struct Confirmed: Sendable {
        /// Status and fields after the confirmation.
        let response: HTTPResponse
        /// Has the body.
        let stored: StoredResponse
        let receivedAt: Int64
        /// The requests that it answers, besides the one that began the fetch.
        let match: VaryMatch
    }

    /// A response from the origin.
    struct Received: Sendable {
        let response: HTTPResponse
        let body: SharedBody
        /// As they would be stored.
        let facts: StoredFacts
        /// The requests that it answers, besides the one that began the fetch; `nil` if it answers no other.
        let match: VaryMatch?
    }
}
