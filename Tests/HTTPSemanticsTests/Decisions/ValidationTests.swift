import HTTPSemantics
import Testing

@Suite("Validation") struct ValidationTests {
    struct Row: CustomTestStringConvertible {
        var decision: Validation.Decision
        var answer: Validation.Answer
        var fields: String
        var seconds: Int64
        var request: String
        var policy: RequestPolicy
        var sentStoredValidators: Bool
        var testDescription: String {
            "\(answer) to [\(request)] \(policy), [\(fields)] after \(seconds) s".replacing("\n", with: " | ")
        }

        init(
            _ decision: Validation.Decision, _ answer: Validation.Answer, _ fields: String, _ seconds: Int64 = 61,
            request: String = "", policy: RequestPolicy = .useProtocolCachePolicy, sentStoredValidators: Bool = true
        ) {
            self.decision = decision
            self.answer = answer
            self.fields = fields
            self.seconds = seconds
            self.request = request
            self.policy = policy
            self.sentStoredValidators = sentStoredValidators
        }
    }

    static let minute = "Cache-Control: max-age=60\nETag: \"x\""
    static let lenient = "Cache-Control: max-age=60, stale-if-error=30\nETag: \"x\""
    static let strict = "Cache-Control: max-age=60, stale-if-error=30, must-revalidate\nETag: \"x\""
    static let suspect = "Cache-Control: max-age=60, stale-if-error=30, no-cache\nETag: \"x\""
    static let failures: [Validation.Answer] = [.status(500), .status(502), .status(503), .status(504), .none]

    static func gotFailure(_ answer: Validation.Answer) -> Validation.Decision { answer == .none ? .fail : .useAnswer }

    static let rows: [Row] =
        failures.flatMap { (failure: Validation.Answer) -> [Row] in
            let passedOn = gotFailure(failure)
            return [
                .init(.serveStale, failure, lenient, 60),
                .init(.serveStale, failure, lenient, 89),
                .init(passedOn, failure, lenient, 90),
                .init(passedOn, failure, minute),
                .init(passedOn, failure, strict),
                .init(passedOn, failure, suspect),
                .init(passedOn, failure, suspect, 0),
                .init(passedOn, failure, "Cache-Control: max-age=60, stale-if-error=x"),
                .init(passedOn, failure, "Cache-Control: max-age=60, stale-if-error=30, y=\"z"),
                .init(.serveStale, failure, minute, 89, request: "Cache-Control: stale-if-error=30"),
                .init(.serveStale, failure, lenient, 89, request: "Cache-Control: stale-if-error=0"),
                .init(passedOn, failure, strict, request: "Cache-Control: stale-if-error=30"),
                .init(.serveStale, failure, lenient, request: "Cache-Control: max-age=0"),
                .init(passedOn, failure, lenient, request: "Cache-Control: no-cache"),
                .init(passedOn, failure, lenient, request: "If-None-Match: \"x\""),
                .init(passedOn, failure, lenient, request: "Range: bytes=1-"),
                .init(passedOn, failure, lenient, policy: .reloadIgnoringLocalCacheData),
                .init(passedOn, failure, lenient, policy: .reloadIgnoringLocalAndRemoteCacheData),
                .init(passedOn, failure, lenient, policy: .reloadRevalidatingCacheData),
            ]
        }
        + [200, 204, 301, 400, 403, 404, 410, 429, 501, 505].map { .init(.useAnswer, .status($0), lenient) }
        + [
            .init(.freshen, .status(304), minute),
            .init(.freshen, .status(304), suspect),
            .init(.freshen, .status(304), minute, policy: .reloadRevalidatingCacheData),
            .init(.useAnswer, .status(304), minute, request: "If-None-Match: \"x\"", sentStoredValidators: false),
            .init(.useAnswer, .status(304), minute, sentStoredValidators: false),
        ]

    @Test("the answer to a validation is freshened with, used, or replaced by the stale response", arguments: rows)
    func theAnswerToAValidation(row: Row) {
        let decision = Validation.decide(
            facts(row.request, policy: row.policy), stored(row.fields), answer: row.answer,
            sentStoredValidators: row.sentStoredValidators, now: receipt + row.seconds)
        #expect(decision == row.decision)
    }

    @Test(
        "validators go back as they were received, both where both are there",
        arguments: [
            ("", []),
            ("ETag: \"x\"", ["If-None-Match: \"x\""]),
            ("ETag: W/\"x\"", ["If-None-Match: W/\"x\""]),
            ("ETag: unquoted", ["If-None-Match: unquoted"]),
            ("ETag: ", []),
            ("ETag: \t\nLast-Modified:   ", []),
            ("ETag:  \"x\" ", ["If-None-Match: \"x\""]),
            ("ETag: \"x\"\nETag: \"y\"", ["If-None-Match: \"x\""]),
            ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"]),
            ("Last-Modified: Sun, 06 Nov 1994 08:49:37 +0000", ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 +0000"]),
            ("Last-Modified: ", []),
            ("last-modified: lately\netag: \"x\"", ["If-None-Match: \"x\"", "If-Modified-Since: lately"]),
        ] as [(String, [String])])
    func validatorsGoBackAsTheyWere(fields: String, sent: [String]) {
        let conditional = ConditionalFields.validating(header(fields))
        #expect(conditional.map { "\($0.name.rawName): \($0.value)" } == sent)
        #expect(stored(fields).hasValidator == !sent.isEmpty)
    }

    @Test(
        "the forwarded request says what policy and validation need and otherwise what the application wrote",
        arguments: [
            (.useProtocolCachePolicy, "Accept: a", nil, "Accept: a"),
            (.useProtocolCachePolicy, "Accept: a", "ETag: \"x\"", "Accept: a\nIf-None-Match: \"x\""),
            (.useProtocolCachePolicy, "Cache-Control: no-cache", nil, "Cache-Control: no-cache"),
            (.reloadIgnoringLocalCacheData, "", nil, ""),
            (.reloadIgnoringLocalAndRemoteCacheData, "", nil, "Cache-Control: no-cache\nPragma: no-cache"),
            (
                .reloadIgnoringLocalAndRemoteCacheData, "cache-control: no-store\nCache-Control: no-transform", nil,
                "Cache-Control: no-cache, no-store, no-transform\nPragma: no-cache"
            ),
            (
                .reloadIgnoringLocalAndRemoteCacheData, "Cache-Control: x=\"open", nil,
                "Cache-Control: no-cache, x=\"open\nPragma: no-cache"
            ),
            (
                .reloadIgnoringLocalAndRemoteCacheData, "Cache-Control: max-age=0, No-Cache", nil,
                "Cache-Control: max-age=0, No-Cache\nPragma: no-cache"
            ),
            (.returnCacheDataElseLoad, "", nil, ""),
            (.reloadRevalidatingCacheData, "", "ETag: \"x\"", "If-None-Match: \"x\"\nCache-Control: max-age=0"),
            (.reloadRevalidatingCacheData, "Cache-Control: no-cache", nil, "Cache-Control: no-cache"),
            (.useProtocolCachePolicy, "If-None-Match: \"mine\"", nil, "If-None-Match: \"mine\""),
        ] as [(RequestPolicy, String, String?, String)])
    func theForwardedRequestSaysWhatPolicy(policy: RequestPolicy, fields: String, stored: String?, sent: String) {
        let forwarded = ForwardedRequest.make(request(fields), policy: policy, validating: stored.map(header))
        #expect(forwarded.headerFields == header(sent))
        #expect(forwarded.url == request().url)
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
}
