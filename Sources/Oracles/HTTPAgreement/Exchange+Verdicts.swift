import HTTPReference

// The verdicts of the reference alone, for oracles that judge something larger than one decision.
extension Exchange {
    /// The decision about the request with the response in the store.
    package func referenceReuse(_ times: Times) -> Reference.Reuse {
        Reference.Reuse.decide(referenceRequest, stored(times), now: times.now)
    }

    /// Whether the stored response may be served after the origin failed.
    package func referenceStandIn(_ times: Times) -> Bool {
        Reference.Reuse.mayStandIn(referenceRequest, stored(times), now: times.now)
    }

    /// Whether the response to the request may be stored.
    package func referenceIsStorable(isComplete: Bool) -> Bool {
        referenceResponse.isStorable(for: referenceRequest, isComplete: isComplete)
    }

    /// The `Vary` of the response; `nil` without one.
    package var referenceVary: Reference.Vary? { referenceResponse.vary }

    /// Whether the policy or `only-if-cached` of the request forbids asking the origin.
    package var referenceForbidsOrigin: Bool {
        referenceRequest.policy == .storedOnly
            || (referenceRequest.cacheControl.has("only-if-cached") && referenceRequest.isSafe)
    }

    private func stored(_ times: Times) -> Reference.StoredResponse {
        Reference.StoredResponse(referenceResponse, requestTime: times.request, responseTime: times.response)
    }
}
