import HTTPSemantics
import Testing

@Suite("Storability") struct StorabilityTests {
    struct Row: CustomTestStringConvertible {
        var decision: Storability.Decision
        var status: Int
        var fields: String
        var request: String
        var method: String
        var testDescription: String {
            "\(method) [\(request)] → \(status) [\(fields)]".replacing("\n", with: " | ")
        }

        init(
            _ decision: Storability.Decision, _ status: Int, _ fields: String = "", request: String = "",
            method: String = "GET"
        ) {
            self.decision = decision
            self.status = status
            self.fields = fields
            self.request = request
            self.method = method
        }
    }

    static let rows: [Row] =
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { Row(.store, $0) }
        + [201, 202, 205, 302, 303, 307, 400, 401, 403, 425, 500, 502, 503, 504, 599].flatMap { status in
            [
                Row(.refuse(.notCacheable), status),
                Row(.refuse(.notCacheable), status, "Last-Modified: {-100}\nETag: \"x\""),
                Row(.refuse(.notCacheable), status, "Cache-Control: s-maxage=60"),
                Row(.store, status, "Cache-Control: max-age=60"),
                Row(.store, status, "Cache-Control: max-age=0"),
                Row(.store, status, "Expires: {60}"),
                Row(.store, status, "Expires: 0"),
                Row(.store, status, "Cache-Control: public"),
                Row(.store, status, "Cache-Control: private"),
            ]
        } + [412, 416, 428, 429, 431, 511].map { Row(.refuse(.ofOneRequest), $0, "Cache-Control: public, max-age=60") }
        + [
            Row(.refuse(.partial), 206),
            Row(.refuse(.partial), 206, "Cache-Control: public, max-age=60\nContent-Range: bytes 0-1/2"),
            Row(.refuse(.partial), 200, "Cache-Control: max-age=60\nContent-Range: bytes 0-1/4"),
            Row(.refuse(.partial), 200, "Cache-Control: max-age=60\nContent-Range: nonsense"),
            Row(.store, 404, "Cache-Control: max-age=60\nContent-Range: bytes 0-1/4"),
            Row(.refuse(.notModified), 304, "Cache-Control: max-age=60"),
            Row(.refuse(.notFinal), 100, "Cache-Control: max-age=60"),
            Row(.refuse(.notFinal), 199, "Cache-Control: max-age=60"),
            Row(.refuse(.notFinal), 600, "Cache-Control: max-age=60"),
            Row(.refuse(.notFinal), 0, "Cache-Control: max-age=60"),
            Row(.refuse(.notFinal), -1, "Cache-Control: max-age=60"),
            // Methods
            Row(.refuse(.method), 200, "Cache-Control: max-age=60", method: "POST"),
            Row(.refuse(.method), 200, "Cache-Control: max-age=60", method: "HEAD"),
            Row(.refuse(.method), 200, "Cache-Control: max-age=60", method: "PUT"),
            Row(.refuse(.method), 200, "Cache-Control: max-age=60", method: "get"),
            Row(.refuse(.method), 200, "Cache-Control: max-age=60", method: "BREW"),
            // no-store
            Row(.refuse(.responseNoStore), 200, "Cache-Control: no-store"),
            Row(.refuse(.responseNoStore), 200, "Cache-Control: max-age=60\nCache-Control: No-Store"),
            Row(.refuse(.responseNoStore), 200, "Cache-Control: public, max-age=60, no-store"),
            Row(.refuse(.requestNoStore), 200, "Cache-Control: max-age=60", request: "Cache-Control: no-store"),
            Row(.store, 200, "Cache-Control: x=\"no-store\", max-age=60"),
            Row(.store, 200, "Cache-Control: no-storey"),
            // must-understand
            Row(.store, 200, "Cache-Control: must-understand, no-store"),
            Row(.store, 302, "Cache-Control: must-understand, no-store, max-age=60"),
            Row(.store, 200, "Cache-Control: must-understand, max-age=60"),
            Row(.refuse(.notUnderstood), 299, "Cache-Control: must-understand, max-age=60"),
            Row(.refuse(.notUnderstood), 418, "Cache-Control: must-understand, no-store, max-age=60"),
            Row(
                .refuse(.requestNoStore), 200, "Cache-Control: must-understand, no-store",
                request: "Cache-Control: no-store"),
            // These do not forbid storing in a private cache.
            Row(.store, 200, "Cache-Control: private, max-age=60"),
            Row(.store, 302, "Cache-Control: private=\"Set-Cookie\""),
            Row(.store, 200, "Cache-Control: no-cache"),
            Row(.store, 200, "Cache-Control: no-cache=\"Set-Cookie\""),
            Row(.store, 200, "Cache-Control: max-age=60", request: "Authorization: Basic eDp5"),
            Row(.store, 200, "Cache-Control: max-age=60\nSet-Cookie: a=b"),
            Row(.store, 200, "Pragma: no-cache"),
            Row(.store, 200, "Cache-Control: max-age=60", request: "Cache-Control: no-cache"),
            Row(.store, 200, "Cache-Control: frobnicate=1"),
            // Vary
            Row(.store, 200, "Vary: Accept-Encoding"),
            Row(.store, 200, "Vary: "),
            Row(.refuse(.variesOnEverything), 200, "Vary: *"),
            Row(.refuse(.variesOnEverything), 200, "Vary: not a name"),
            Row(.refuse(.variesOnEverything), 200, "Vary: Accept, *\nCache-Control: max-age=60"),
            Row(.refuse(.variesOnEverything), 200, "Vary: Accept\nVary: *"),
        ]

    @Test("a private cache stores what RFC 9111 section 3 lets it", arguments: rows)
    func aPrivateCacheStoresWhatRFC(row: Row) {
        #expect(
            storability(response(row.fields, status: row.status), facts(row.request, method: row.method))
                == row.decision)
    }

    @Test("what a reload brings is stored under every policy", arguments: RequestPolicy.allCases)
    func whatAReloadBringsIsStored(policy: RequestPolicy) {
        #expect(storability(response(), facts(policy: policy)) == .store)
    }

    @Test(
        "an answer about the resource itself outdates what was stored, even when it is not stored",
        arguments: [
            (200, true), (204, true), (206, false), (301, true), (302, true), (304, false), (400, false), (401, false),
            (404, true), (410, true), (429, false), (500, false), (503, false),
        ])
    func anAnswerAboutTheResourceItself(status: Int, outdates: Bool) {
        #expect(Storability.supersedes(facts(), status: status) == outdates)
        #expect(!Storability.supersedes(facts(method: "HEAD"), status: status))
    }

    @Test("an incomplete response is neither stored nor used") func anIncompleteResponseIsNeitherStored() {
        let values = ResponseValues(response("Cache-Control: max-age=60"), responseTime: receipt)
        #expect(Storability.decide(facts(), values, isComplete: false) == .refuse(.incomplete))
    }
}
