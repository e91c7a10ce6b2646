import HTTPReference
import HTTPSemantics

/// A request and its response, as read by HTTPSemantics and by HTTPReference.
package struct Exchange: Sendable {
    /// The request in the fast reading.
    package let request: RequestFacts
    /// The response in the fast reading.
    package let response: ResponseValues
    let referenceRequest: Reference.Request
    let referenceResponse: Reference.Response

    /// Reads a request and a response; `readAt`, seconds since 1970, decides the century of two-digit years.
    package init(_ request: HTTPRequest, policy: RequestPolicy, _ response: HTTPResponse, readAt: Int64) {
        self.request = RequestFacts(request, policy: policy)
        self.response = ResponseValues(response, responseTime: readAt)
        referenceRequest = Reference.Request(
            method: request.method, policy: Reference.Policy(policy),
            fields: Reference.FieldBlock(request.headerFields), isSecure: request.url.hasPrefix("https:"))
        referenceResponse = Reference.Response(
            status: response.status, fields: Reference.FieldBlock(response.headerFields), responseTime: readAt)
    }

    package init(requestOf one: Exchange, responseOf other: Exchange) {
        request = one.request
        referenceRequest = one.referenceRequest
        response = other.response
        referenceResponse = other.referenceResponse
    }
}

extension Exchange {
    /// When the request was sent and the response received, and the time of the decision: seconds since 1970.
    package struct Times: Equatable, Sendable {
        package var request: Int64
        package var response: Int64
        package var now: Int64

        package init(request: Int64, response: Int64, now: Int64) {
            self.request = request
            self.response = response
            self.now = now
        }
    }

    /// Both results for storability, age and lifetime of the response. Valid if it is stored and has a lifetime.
    package func freshness(_ times: Times, isComplete: Bool = true) -> Agreement {
        let fast = StoredFacts(response, requestTime: times.request, responseTime: times.response)
        let reference = storedReference(times)
        let isStorable = referenceResponse.isStorable(for: referenceRequest, isComplete: isComplete)
        let lifetime = reference.freshnessLifetime
        return .comparing(
            fast: Freshness(
                isStorable: Storability.decide(request, response, isComplete: isComplete) == .store,
                age: fast.currentAge(at: times.now), lifetime: fast.lifetime, isFresh: fast.isFresh(at: times.now)),
            reference: Freshness(
                isStorable: isStorable, age: reference.currentAge(at: times.now),
                lifetime: lifetime, isFresh: reference.isFresh(at: times.now)),
            valid: isStorable && lifetime > 0 ? (reference.isFresh(at: times.now) ? "fresh" : "stale") : nil,
            invalid: isStorable ? "stored without a lifetime" : "not stored")
    }

    /// Both decisions about the request when the response is stored. Valid if the stored response matters for the
    /// decision.
    package func reuse(_ times: Times) -> Agreement {
        let fast = StoredFacts(response, requestTime: times.request, responseTime: times.response)
        let reference = Reference.Reuse.decide(referenceRequest, storedReference(times), now: times.now)
        return .comparing(
            fast: Reference.Reuse(Reuse.decide(request, fast, now: times.now)), reference: reference,
            valid: reference == .fetch ? nil : reference.name, invalid: reference.name)
    }

    package func reuseWithoutStored() -> Agreement {
        let reference = Reference.Reuse.decide(referenceRequest, nil, now: 0)
        return .comparing(
            fast: Reference.Reuse(Reuse.decideWithoutStored(request)), reference: reference, valid: reference.name)
    }

    package func standIn(_ times: Times) -> Agreement {
        let fast = StoredFacts(response, requestTime: times.request, responseTime: times.response)
        let reference = Reference.Reuse.mayStandIn(referenceRequest, storedReference(times), now: times.now)
        return .comparing(
            fast: StaleAllowance.onFailure(request, fast, now: times.now), reference: reference,
            valid: reference ? "stands in" : nil, invalid: "does not")
    }

    private func storedReference(_ times: Times) -> Reference.StoredResponse {
        Reference.StoredResponse(referenceResponse, requestTime: times.request, responseTime: times.response)
    }
}

private struct Freshness: Equatable {
    var isStorable: Bool
    var age: Int64
    var lifetime: Int64
    var isFresh: Bool
}

extension Reference.FieldBlock {
    init(_ fields: HTTPFields) {
        self.init(fields: fields.fields.map { Field(name: Array($0.name.rawName.utf8), value: Array($0.value.utf8)) })
    }
}

extension Reference.Policy {
    init(_ policy: RequestPolicy) {
        self =
            switch policy {
            case .useProtocolCachePolicy: .protocolDecides
            case .reloadIgnoringLocalCacheData: .reload
            case .reloadIgnoringLocalAndRemoteCacheData: .reloadPastAllCaches
            case .returnCacheDataElseLoad: .storedElseLoad
            case .returnCacheDataDontLoad: .storedOnly
            case .reloadRevalidatingCacheData: .revalidate
            }
    }
}

extension Reference.Reuse {
    /// The fast decision without its reason.
    init(_ fast: ReuseDecision) {
        self =
            switch fast {
            case .fresh: .fresh
            case .select: .select
            case .stale(.whileRevalidating): .staleWhileRevalidating
            case .stale: .stale
            case .revalidate: .validate
            case .fetch: .fetch
            case .gatewayTimeout: .gatewayTimeout
            case .fail: .fail
            }
    }
}

extension Reference.Reuse {
    fileprivate var name: String {
        switch self {
        case .fresh: "fresh"
        case .select: "fresh, and selected from"
        case .stale: "stale"
        case .staleWhileRevalidating: "stale while revalidating"
        case .validate: "validate"
        case .fetch: "fetch"
        case .gatewayTimeout: "504"
        case .fail: "fail"
        }
    }
}

// Only the reference's verdicts, for oracles that judge more than one decision.
extension Exchange {
    package func referenceReuse(_ times: Times) -> Reference.Reuse {
        Reference.Reuse.decide(referenceRequest, stored(times), now: times.now)
    }

    package func referenceStandIn(_ times: Times) -> Bool {
        Reference.Reuse.mayStandIn(referenceRequest, stored(times), now: times.now)
    }

    /// The age, in seconds, at `times.now`.
    package func referenceAge(_ times: Times) -> Int64 { stored(times).currentAge(at: times.now) }

    package func referenceIsStorable(isComplete: Bool) -> Bool {
        referenceResponse.isStorable(for: referenceRequest, isComplete: isComplete)
    }

    /// The `Vary` of the response; `nil` without one.
    package var referenceVary: Reference.Vary? { referenceResponse.vary }

    /// Whether the request's policy or `only-if-cached` forbids asking the origin.
    package var referenceForbidsOrigin: Bool {
        referenceRequest.policy == .storedOnly
            || (referenceRequest.cacheControl.has("only-if-cached") && referenceRequest.isSafe)
    }

    private func stored(_ times: Times) -> Reference.StoredResponse {
        Reference.StoredResponse(referenceResponse, requestTime: times.request, responseTime: times.response)
    }
}
