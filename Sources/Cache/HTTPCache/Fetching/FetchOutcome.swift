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
        /// It was still in the store, so that the confirmation is stored.
        let isStored: Bool
        /// As in `Received`.
        let isShared: Bool
    }

    /// A response from the origin.
    struct Received: Sendable {
        let response: HTTPResponse
        let body: SharedBody
        /// As they would be stored.
        let facts: StoredFacts
        /// The requests that it answers once it is stored; `nil` if it will not be stored.
        let match: VaryMatch?
        /// Why it will not be stored; `nil` if it will.
        let refusal: NotStoredReason?
        /// Its place in the order of answers.
        let moment: AnswerMoment?
        /// Equal requests, which waited for it, get it, too.
        let isShared: Bool
        /// Others that it answers may join while its body arrives: it will be stored, and the application is not asked.
        let isOpen: Bool
    }
}
