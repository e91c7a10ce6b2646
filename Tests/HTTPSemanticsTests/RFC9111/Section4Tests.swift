import HTTPSemantics
import Testing

/// RFC 9111, section 4, with a test for each requirement; `RFC9111.md` lists them.
@Suite("RFC 9111, section 4") struct Section4Tests {
    static let minute = "Cache-Control: max-age=60\nETag: \"x\""

    // MARK: - 4

    @Test("a stored response answers GET and HEAD and no other method") func aStoredResponseAnswersGET() {
        for method in ["GET", "HEAD"] {
            #expect(decide(stored(Self.minute), facts(method: method), after: 0) == .fresh)
        }
        for method in ["POST", "PUT", "OPTIONS", "FROB"] {
            #expect(decide(stored(Self.minute), facts(method: method), after: 0) == .fetch(.method))
        }
    }

    @Test("a response with no-cache is not reused before it was validated") func aResponseWithNoCache() {
        let response = stored("Cache-Control: no-cache, max-age=60\nETag: \"x\"")
        #expect(decide(response, after: 0) == .revalidate(.responseNoCache))
    }

    @Test("a response that is neither fresh nor allowed stale is validated") func aResponseThatIsNeitherFresh() {
        #expect(decide(stored(Self.minute), after: 60) == .revalidate(.stale))
    }

    @Test("an answer without validation has an Age of its current age in place of any other")
    func anAnswerWithoutValidationHasAn() {
        let facts = stored("Age: 5\nCache-Control: max-age=60")
        let served = StoredFields.served(header("Age: 5\nA: 1"), age: facts.currentAge(at: receipt + 10))
        #expect(served == header("Age: 15\nA: 1"))
    }

    @Test("an unsafe request is written through whatever the request says") func anUnsafeRequestIsWrittenThrough() {
        for directive in ["only-if-cached", "max-stale", "max-age=100"] {
            let request = facts("Cache-Control: \(directive)", method: "POST")
            #expect(decide(stored(Self.minute), request, after: 0) == .fetch(.method))
            #expect(Reuse.decideWithoutStored(request) == .fetch(.method))
        }
    }

    @Test("of several suitable responses the one with the latest Date is used") func ofSeveralSuitableResponsesTheOne()
    {
        let dates = ["Date: {-30}", "Date: {-10}", "Date: {-20}", "Date: {-10}"].map { stored($0) }
        #expect(Reuse.latest(of: dates) == 1)
        #expect(Reuse.latest(of: [stored("Date: {-10}"), stored("")]) == 1)
        #expect(Reuse.latest(of: []) == nil)
    }

    @Test("the clock is an argument, so that no decision is made without one") func theClockIsAnArgumentSo() {
        let response = stored(Self.minute)
        #expect(Reuse.decide(facts(), response, now: receipt) == .fresh)
        #expect(Reuse.decide(facts(), response, now: receipt + 60) == .revalidate(.stale))
    }

    // MARK: - 4.1

    @Test("every field named in Vary has to match") func everyFieldNamedInVaryHas() {
        let selection = VarySelection("Accept, Accept-Language")
        let original = selection.variantKey(of: header("Accept: a\nAccept-Language: b"))
        #expect(original == selection.variantKey(of: header("Accept-Language: b\nAccept: a\nOther: c")))
        #expect(original != selection.variantKey(of: header("Accept: a\nAccept-Language: c")))
        #expect(original != selection.variantKey(of: header("Accept: a")))
    }

    @Test(
        "a weight with a character that is no digit is not understood", arguments: ["0.:", "0./", "0.a", ":", "1.01"])
    func wrongWeight(weight: String) {
        let selection = VarySelection("Accept-Language")
        let understood = ["", ";q=1", ";q=0"].map { selection.variantKey(of: header("Accept-Language: en\($0)")) }
        #expect(!understood.contains(selection.variantKey(of: header("Accept-Language: en;q=\(weight)"))))
    }

    @Test("a field that is absent matches only one that is absent too") func aFieldThatIsAbsentMatches() {
        let selection = VarySelection("Accept")
        #expect(selection.variantKey(of: header("")) != selection.variantKey(of: header("Accept: ")))
    }

    @Test("a Vary with a star always fails to match") func aVaryWithAStarAlways() {
        #expect(VarySelection("Accept, *").variantKey(of: header("Accept: a")) == nil)
    }

    // MARK: - 4.2

    @Test("an Expires is kept to the second") func anExpiresIsKept() {
        #expect(stored("Expires: {61}\nDate: {0}").lifetime == 61)
    }

    @Test("nothing in the module knows a clock or a time zone") func nothingInTheModuleKnows() throws {
        let sources = try Sources.of("Sources/Cache/HTTPSemantics")
        #expect(sources.count > 30)
        for (name, text) in sources {
            let imports = text.split(separator: "\n").filter { $0.contains(#/^\s*(@\w+ )*import /#) }
            #expect(imports.isEmpty, "\(name) imports \(imports)")
        }
    }

    @Test("no heuristic where an explicit lifetime is present") func noHeuristicWhereAnExplicitLifetime() {
        for explicit in ["Cache-Control: max-age=5", "Cache-Control: max-age=x", "Expires: {5}", "Expires: 0"] {
            let facts = stored("\(explicit)\nDate: {0}\nLast-Modified: {-100000}")
            #expect(facts.lifetime <= 5)
            #expect(!facts.flags.contains(.isHeuristic))
        }
    }

    @Test("a heuristic only for cacheable statuses and public") func aHeuristicOnlyForCacheableStatuses() {
        let fields = "Date: {0}\nLast-Modified: {-1000}"
        #expect(stored(fields).lifetime == 100)
        #expect(stored(fields, status: 302).lifetime == 0)
        #expect(stored(fields + "\nCache-Control: public", status: 302).lifetime == 100)
    }

    @Test("Age counts from when the request was sent") func ageCountsFromWhenTheRequest() {
        #expect(stored("Age: 10", delay: 4).initialAge == 14)
    }

    @Test("no-cache and must-revalidate prohibit a stale answer") func noCacheAndMustRevalidateProhibit() {
        for directive in ["no-cache", "must-revalidate"] {
            let response = stored(
                "Cache-Control: \(directive), max-age=0, stale-while-revalidate=99, stale-if-error=99\nETag: \"x\"")
            let request = facts("Cache-Control: max-stale")
            for now in 0...10 {
                guard case .revalidate = decide(response, request, after: Int64(now)) else {
                    Issue.record("served under \(directive)")
                    return
                }
                #expect(!StaleAllowance.onFailure(facts(), response, now: receipt + Int64(now)))
            }
        }
    }

    @Test("a stale answer only where client or origin permits it") func aStaleAnswerOnlyWhereClient() {
        #expect(decide(stored(Self.minute), after: 61) == .revalidate(.stale))
        #expect(
            decide(stored(Self.minute), facts("Cache-Control: max-stale=1"), after: 61) == .stale(.acceptedByClient))
        let permitted = stored("Cache-Control: max-age=60, stale-while-revalidate=5")
        #expect(decide(permitted, after: 61) == .stale(.whileRevalidating))
    }

    // MARK: - 4.3

    @Test("a validation carries the stored entity tag") func aValidationCarriesTheStoredEntity() {
        let fields = ConditionalFields.validating(header("ETag: W/\"x\"\nLast-Modified: {0}"))
        #expect(fields.first == .init(name: "If-None-Match", value: "W/\"x\""))
    }

    @Test("If-Match and If-Unmodified-Since are the origin's to evaluate") func ifMatchAndIfUnmodifiedSince() {
        for field in ["If-Match: \"y\"", "If-Unmodified-Since: {-1000}"] {
            #expect(decide(stored(Self.minute), facts(field), after: 0) == .fetch(.conditional))
        }
    }

    @Test("the application's own conditional request is forwarded with its own tags alone")
    func theApplicationSOwnConditionalRequest() {
        let forwarded = ForwardedRequest.make(
            request("If-None-Match: \"mine\""), policy: .useProtocolCachePolicy, validating: nil)
        #expect(forwarded.headerFields == header("If-None-Match: \"mine\""))
    }

    @Test("a full answer to a validation satisfies the request") func aFullAnswerToAValidation() {
        for status in [200, 404, 301] {
            let decision = Validation.decide(
                facts(), stored(Self.minute), answer: .status(status), sentStoredValidators: true, now: receipt + 60)
            #expect(decision == .useAnswer)
        }
    }

    @Test("a 304 whose strong entity tag differs updates nothing") func a304WhoseStrongEntityTag() {
        for stored in ["ETag: \"x\"", "ETag: W/\"x\"", "Last-Modified: {-10}"] {
            let result = Freshening.freshen(
                header(stored), with: header("ETag: \"y\"\nLast-Modified: {-10}"), sentStoredValidators: true)
            #expect(result == .differs)
        }
    }

    @Test("a 304 updates the stored fields") func a304UpdatesTheStoredFields() {
        let result = Freshening.freshen(
            header("ETag: \"x\"\nCache-Control: max-age=1"), with: header("ETag: \"x\"\nCache-Control: max-age=2"),
            sentStoredValidators: true)
        #expect(result == .freshened(header("ETag: \"x\"\nCache-Control: max-age=2")))
    }

    @Test("a HEAD that matches updates the stored fields with its own") func aHEADThatMatchesUpdates() {
        let result = HeadUpdate.decide(header("ETag: \"x\"\nA: 1"), head: header("ETag: \"x\"\nA: 2"), status: 200)
        #expect(result == .updated(header("ETag: \"x\"\nA: 2")))
    }

    // MARK: - 4.4

    @Test("an unsafe request without an error invalidates its URL") func anUnsafeRequestWithoutAnError() {
        for method in ["PUT", "POST", "DELETE", "PATCH", "FROB"] {
            #expect(Invalidation.targets(request(method: method), response(status: 204)) == [request().url])
        }
    }

    @Test("another origin is never invalidated") func anotherOriginIsNeverInvalidated() {
        let answer = response("Location: https://other.example/a\nContent-Location: http://example.org/a")
        #expect(Invalidation.targets(request(method: "POST"), answer) == [request().url])
    }
}
