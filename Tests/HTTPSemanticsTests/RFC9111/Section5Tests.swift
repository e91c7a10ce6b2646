import HTTPSemantics
import Testing

/// RFC 9111, section 5, with a test for each requirement; `RFC9111.md` lists them.
@Suite("RFC 9111, section 5") struct Section5Tests {
    static let entityTag = "\nETag: \"x\""

    // MARK: - 5.2.1

    @Test("a request with no-store stores no answer and may use what is stored") func aRequestWithNoStoreStores() {
        let request = facts("Cache-Control: no-store")
        #expect(storability(response("Cache-Control: max-age=60"), request) == .refuse(.requestNoStore))
        #expect(Storability.supersedes(request, status: 200))
        #expect(decide(stored("Cache-Control: max-age=60"), request, after: 0) == .fresh)
    }

    @Test("directives of the cache's own are sent as tokens") func directivesOfTheCacheSOwn() {
        for policy in RequestPolicy.allCases {
            let sent = ForwardedRequest.make(request(), policy: policy, validating: nil).headerFields["Cache-Control"]
            #expect(sent.map { !$0.contains("\"") } ?? true)
        }
    }

    @Test("directives of the application are passed on") func directivesOfTheApplicationArePassed() {
        let mine = "Cache-Control: max-stale=5, frobnicate=\"a, b\""
        let sent = ForwardedRequest.make(
            request(mine), policy: .useProtocolCachePolicy, validating: header("ETag: \"x\""))
        #expect(sent.headerFields["Cache-Control"] == header(mine)["Cache-Control"])
    }

    // MARK: - 5.2.2

    @Test("a response is stale once its age reaches max-age") func aResponseIsStaleOnce() {
        #expect(decide(stored("Cache-Control: max-age=60" + Self.entityTag), after: 59) == .fresh)
        #expect(decide(stored("Cache-Control: max-age=60" + Self.entityTag), after: 60) == .revalidate(.stale))
    }

    @Test("with must-revalidate a stale response is not reused until validated") func withMustRevalidateAStaleResponse()
    {
        let response = stored("Cache-Control: must-revalidate, max-age=60, stale-while-revalidate=60" + Self.entityTag)
        #expect(decide(response, after: 59) == .fresh)
        #expect(decide(response, facts("Cache-Control: max-stale"), after: 60) == .revalidate(.stale))
    }

    @Test("with must-revalidate a cut connection is an error") func withMustRevalidateACutConnection() {
        let response = stored("Cache-Control: must-revalidate, max-age=60, stale-if-error=60" + Self.entityTag)
        let decision = Validation.decide(
            facts(), response, answer: .none, sentStoredValidators: true, now: receipt + 61)
        #expect(decision == .fail)
        #expect(decide(response, facts("Cache-Control: only-if-cached"), after: 61) == .gatewayTimeout)
    }

    @Test("must-understand stands above no-store where the status is understood")
    func mustUnderstandStandsAboveNoStore() {
        #expect(storability(response("Cache-Control: must-understand, no-store")) == .store)
        #expect(
            storability(response("Cache-Control: must-understand, no-store", status: 299)) == .refuse(.notUnderstood))
    }

    @Test("no-cache forwards every request for validation") func noCacheForwardsEveryRequest() {
        let response = stored("Cache-Control: no-cache, max-age=60" + Self.entityTag)
        for request in ["", "Cache-Control: max-stale", "Cache-Control: max-age=100"] {
            #expect(decide(response, facts(request), after: 0) == .revalidate(.responseNoCache))
        }
        #expect(decide(stored("Cache-Control: no-cache"), after: 0) == .fetch(.noValidator))
    }

    @Test("a qualified no-cache counts as an unqualified one") func aQualifiedNoCacheCounts() {
        let response = stored("Cache-Control: no-cache=\"Set-Cookie\", max-age=60" + Self.entityTag)
        #expect(decide(response, after: 0) == .revalidate(.responseNoCache))
    }

    @Test("no-store keeps a response from the store and outdates what was there") func noStoreKeepsAResponseFrom() {
        #expect(storability(response("Cache-Control: no-store, public, max-age=60")) == .refuse(.responseNoStore))
        #expect(Storability.supersedes(facts(), status: 200))
    }

    @Test("directives for shared caches do not bind a private one") func directivesForSharedCachesDo() {
        #expect(storability(response("Cache-Control: private, max-age=60")) == .store)
        #expect(storability(response("Cache-Control: private=\"Set-Cookie\"", status: 302)) == .store)
        let response = stored("Cache-Control: s-maxage=0, proxy-revalidate, max-age=60")
        #expect(decide(response, after: 59) == .fresh)
        #expect(decide(response, facts("Cache-Control: max-stale"), after: 61) == .stale(.acceptedByClient))
    }

    // MARK: - 5.2.3, 5.3

    @Test("unknown directives are ignored") func unknownDirectivesAreIgnored() {
        let plain = stored("Cache-Control: max-age=60")
        for unknown in ["frobnicate", "x=1", "community=\"UCI, no-store\"", "no-stored", "max-ages=1"] {
            #expect(stored("Cache-Control: \(unknown), max-age=60") == plain)
        }
    }

    @Test("an Expires that is no date has passed") func anExpiresThatIsNoDate() {
        for value in ["0", "-1", "", "tomorrow", "Fri, 31 Dec 2099 23:59:59 +0000"] {
            #expect(stored("Expires: \(value)\nDate: {0}\nLast-Modified: {-1000}").lifetime == 0)
        }
    }

    @Test("with max-age an Expires is ignored") func withMaxAgeAnExpires() {
        #expect(stored("Cache-Control: max-age=60\nExpires: {3600}\nDate: {0}").lifetime == 60)
        #expect(stored("Cache-Control: max-age=60\nExpires: 0").lifetime == 60)
    }
}
