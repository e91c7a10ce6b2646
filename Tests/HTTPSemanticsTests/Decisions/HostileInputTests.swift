import HTTPSemantics
import Testing

@Suite("Hostile input") struct HostileInputTests {
    /// Valid and invalid fields and values, combined at random from one seed.
    struct Fragments {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }

        mutating func pick(_ from: [String]) -> String { from[below(from.count)] }

        mutating func value() -> String {
            let parts = [
                "max-age=", "60", "99999999999999999999", "-1", "no-cache", "no-store", "\"", "\\", ",", " ", "\t", "=",
                "*",
                "must-revalidate", "stale-if-error=9", "stale-while-revalidate=9", "max-stale", "min-fresh=5", "W/",
                "\"x\"",
                "bytes 5-9/10", "bytes=5-", "Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "0",
                "\u{0}",
                "\r\n", "\u{e9}", "\u{10FFFF}", "https://example.org/", "//", "..", "/", "?", "#", "@", ":", "[::1]",
                "accept",
            ]
            return (0..<below(6)).map { _ in pick(parts) }.joined()
        }

        mutating func fields() -> HTTPFields {
            let names = [
                "Cache-Control", "Expires", "Date", "Age", "ETag", "Last-Modified", "Vary", "Pragma", "Connection",
                "Location", "Content-Location", "Content-Range", "Content-Length", "If-None-Match", "Range", "accept",
                "",
            ]
            return HTTPFields((0..<below(7)).map { _ in .init(name: .init(pick(names)), value: value()) })
        }
    }

    @Test("no header makes a decision trap, and none reuses what must be confirmed") func noHeaderMakesADecisionTrap() {
        var fragments = Fragments(state: 0x5EED)
        var fresh = 0
        for round in 0..<4_000 {
            let request = HTTPRequest(
                method: fragments.pick(["GET", "HEAD", "POST", ""]), url: "https://example.org" + fragments.value(),
                headerFields: fragments.fields())
            var response = HTTPResponse(status: fragments.below(700), headerFields: fragments.fields())
            if fragments.below(2) == 0 {
                response.status = 200
                response.headerFields.fields.append(.init(name: "Cache-Control", value: "max-age=60"))
            }
            let other = fragments.fields()
            let policy = RequestPolicy.allCases[fragments.below(RequestPolicy.allCases.count)]
            let requestFacts = RequestFacts(request, policy: policy)
            let stored = StoredFacts(response, requestTime: receipt, responseTime: receipt)

            let decision = Reuse.decide(requestFacts, stored, now: receipt + Int64(fragments.below(100)))
            let overrides = policy == .returnCacheDataElseLoad || policy == .returnCacheDataDontLoad
            if decision == .fresh, !overrides {
                fresh += 1
                #expect(
                    !stored.flags.contains(.alwaysValidate) && !requestFacts.flags.contains(.noCache), "round \(round)")
            }
            if Storability.decide(requestFacts, ResponseValues(response, responseTime: receipt)) == .store {
                #expect(!CacheControl(response.headerFields).directives.contains(.noStore), "round \(round)")
            }
            _ = Storability.supersedes(requestFacts, status: response.status)
            _ = ForwardedRequest.make(request, policy: policy, validating: response.headerFields)
            _ = Freshening.freshen(response.headerFields, with: other, sentStoredValidators: round % 2 == 0)
            _ = HeadUpdate.decide(response.headerFields, bodyCount: 1, head: other, status: 200)
            _ = StoredFields.storable(response.headerFields)
            _ = Invalidation.targets(request, response)
            _ = Resumption.fields(received: Int64(fragments.below(20)), of: response, responseTime: receipt)
            _ = Resumption.decide(response, received: 5, of: other)
            let selection = VarySelection(response.headerFields["Vary"])
            #expect((selection.variantKey(of: request.headerFields) == nil) == selection.matchesNothing)
        }
        #expect(fresh > 50)
    }

    @Test("long values are read in linear work") func longValuesAreReadInLinear() {
        let long = String(repeating: "../a,\"b ", count: 4_000)
        let fields = HTTPFields(
            ["Vary", "Connection", "Location", "Cache-Control", "ETag", "accept"].map {
                .init(name: .init($0), value: long)
            })
        #expect(Invalidation.targets(request(method: "POST"), HTTPResponse(headerFields: fields)).count == 1)
        let path = String(repeating: "/../a/.", count: 4_000)
        let targets = Invalidation.targets(
            request(method: "POST"), HTTPResponse(headerFields: ["Location": .init(path)]))
        #expect(targets == ["https://example.org/a", "https://example.org/a/"])
        #expect(VarySelection(long).matchesNothing)
        #expect(VarySelection("accept").variantKey(of: fields)?.isEmpty == false)
        #expect(StoredFields.storable(fields).fields.count == 5)
        let lines = HTTPFields((0..<4_000).map { _ in .init(name: "Accept", value: "a") })
        #expect(lines["accept"]?.utf8.count == 4_000 * 3 - 2)
    }
}
