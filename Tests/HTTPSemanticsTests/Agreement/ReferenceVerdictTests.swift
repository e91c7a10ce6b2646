import HTTPAgreement
import HTTPReference
import HTTPSemantics
import Testing

/// The verdicts of the reference on an exchange, which fuzzers judge a whole engine by.
@Suite("Verdicts of the reference") struct ReferenceVerdictTests {
    /// Sat, 21 Nov 2026 00:00:00 GMT.
    private static let moment: Int64 = 1_795_219_200

    private static func exchange(
        _ asked: HTTPFields = [:], _ answered: HTTPFields = [:], method: String = "GET",
        policy: RequestPolicy = .useProtocolCachePolicy
    ) -> Exchange {
        Exchange(
            HTTPRequest(method: method, url: "https://example.org/", headerFields: asked), policy: policy,
            HTTPResponse(status: 200, headerFields: answered), readAt: moment)
    }

    /// The response was asked for at the moment and came ten seconds later.
    private static func times(_ seconds: Int64) -> Exchange.Times {
        Exchange.Times(request: moment, response: moment + 10, now: moment + seconds)
    }

    @Test("a response is reused as long as it is fresh, counted from the request, and stands in as long as it may")
    func reuse() {
        let fields: HTTPFields = [
            "Date": "Sat, 21 Nov 2026 00:00:00 GMT", "Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\"",
        ]
        let exchange = Self.exchange([:], fields)
        #expect(exchange.referenceReuse(Self.times(59)) == .fresh)
        #expect(exchange.referenceReuse(Self.times(60)) == .validate)
        #expect(exchange.referenceStandIn(Self.times(89)) && !exchange.referenceStandIn(Self.times(90)))
        // An answer that took long is as old as its request.
        let late = Self.exchange([:], ["Cache-Control": "max-age=60"])
        #expect(late.referenceReuse(Self.times(59)) == .fresh && late.referenceReuse(Self.times(60)) == .fetch)
        #expect(Self.exchange(["Range": "bytes=0-1"], fields).referenceReuse(Self.times(59)) == .select)
    }

    @Test("what may be stored is whole, the answer to a GET, and not forbidden") func storable() {
        let fields: HTTPFields = ["Cache-Control": "max-age=60"]
        #expect(Self.exchange([:], fields).referenceIsStorable(isComplete: true))
        #expect(!Self.exchange([:], fields).referenceIsStorable(isComplete: false))
        #expect(!Self.exchange([:], fields, method: "PUT").referenceIsStorable(isComplete: true))
        #expect(!Self.exchange([:], ["Cache-Control": "no-store"]).referenceIsStorable(isComplete: true))
    }

    @Test("the fields that select a response are those of its Vary") func vary() {
        #expect(Self.exchange().referenceVary == nil)
        #expect(Self.exchange(["Vary": "Cookie"]).referenceVary == nil, "the request has none")
        #expect(Self.exchange([:], ["Vary": "Accept, Cookie"]).referenceVary == .names(["accept", "cookie"]))
        #expect(Self.exchange([:], ["Vary": "*"]).referenceVary == .any)
    }

    @Test("the origin is forbidden by the policy, or by only-if-cached where the method is safe") func forbidden() {
        #expect(!Self.exchange().referenceForbidsOrigin)
        for policy in RequestPolicy.allCases {
            let isForbidden = policy == .returnCacheDataDontLoad
            #expect(Self.exchange(policy: policy).referenceForbidsOrigin == isForbidden, "\(policy)")
        }
        let fields: HTTPFields = ["Cache-Control": "only-if-cached"]
        #expect(Self.exchange(fields).referenceForbidsOrigin)
        #expect(!Self.exchange(fields, method: "POST").referenceForbidsOrigin)
    }
}
