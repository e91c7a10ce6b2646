import HTTPSemantics
import Testing

@Suite("Reuse") struct ReuseTests {
    struct Row: CustomTestStringConvertible {
        var decision: ReuseDecision
        var fields: String
        var seconds: Int64
        var request: String
        var method: String
        var policy: RequestPolicy
        var testDescription: String {
            "\(method) [\(request)] \(policy), [\(fields)] after \(seconds) s".replacing("\n", with: " | ")
        }

        /// - Parameter seconds: the time of the request, in seconds after the response was received.
        init(
            _ decision: ReuseDecision, _ fields: String, _ seconds: Int64, request: String = "", method: String = "GET",
            policy: RequestPolicy = .useProtocolCachePolicy
        ) {
            self.decision = decision
            self.fields = fields
            self.seconds = seconds
            self.request = request
            self.method = method
            self.policy = policy
        }

        var decided: ReuseDecision {
            decide(stored(fields), facts(request, method: method, policy: policy), after: seconds)
        }
    }

    static let minute = "Cache-Control: max-age=60\nETag: \"x\""

    static let responses: [Row] = [
        .init(.fresh, minute, 59),
        .init(.revalidate(.stale), minute, 60),
        .init(.revalidate(.stale), "Cache-Control: max-age=60\nLast-Modified: {-100}", 60),
        .init(.revalidate(.stale), "Cache-Control: max-age=60\nLast-Modified: not a date", 60),
        .init(.fetch(.noValidator), "Cache-Control: max-age=60", 60),
        .init(.fetch(.noValidator), "Cache-Control: max-age=60\nETag: ", 60),
        .init(.fetch(.noValidator), "Cache-Control: max-age=60\nLast-Modified: ", 60),
        .init(.fresh, "Expires: {60}\nDate: {0}", 59),
        .init(.fetch(.noValidator), "Expires: {60}\nDate: {0}", 60),
        .init(.fresh, "Last-Modified: {-105}\nDate: {-5}", 4),
        .init(.revalidate(.stale), "Last-Modified: {-105}\nDate: {-5}", 5),
        // no-cache
        .init(.revalidate(.responseNoCache), "Cache-Control: no-cache\nETag: \"x\"", 0),
        .init(.revalidate(.responseNoCache), "Cache-Control: max-age=60, no-cache\nETag: \"x\"", 0),
        .init(.revalidate(.responseNoCache), "Cache-Control: max-age=60, no-cache=\"Set-Cookie\"\nETag: \"x\"", 0),
        .init(.fetch(.noValidator), "Cache-Control: max-age=60, no-cache", 0),
        .init(.fresh, "Pragma: no-cache\n" + minute, 0),
        // must-revalidate does nothing to a fresh response
        .init(.fresh, "Cache-Control: max-age=60, must-revalidate\nETag: \"x\"", 59),
        .init(.revalidate(.stale), "Cache-Control: max-age=60, must-revalidate\nETag: \"x\"", 60),
        // proxy-revalidate and s-maxage are for shared caches
        .init(.stale(.whileRevalidating), "Cache-Control: max-age=60, proxy-revalidate, stale-while-revalidate=30", 70),
        .init(.fresh, "Cache-Control: s-maxage=0, max-age=60", 59),
        // An unreadable part may contain no-cache.
        .init(.revalidate(.responseNoCache), "Cache-Control: max-age=60, x=\"a\nETag: \"x\"", 0),
        .init(.revalidate(.stale), "Cache-Control: max-age=abc\nETag: \"x\"", 0),
        // immutable lengthens nothing
        .init(.revalidate(.stale), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 60),
        // unknown directives are ignored
        .init(.fresh, "Cache-Control: max-age=60, frobnicate, no-cacher\nETag: \"x\"", 59),
    ]

    static let requests: [Row] = [
        .init(.fresh, minute, 30, request: "Cache-Control: max-age=30"),
        .init(.revalidate(.olderThanMaxAge), minute, 31, request: "Cache-Control: max-age=30"),
        .init(
            .revalidate(.olderThanMaxAge), "Age: 60\nCache-Control: max-age=600\nETag: \"x\"", 0,
            request: "Cache-Control: max-age=30"),
        .init(.revalidate(.olderThanMaxAge), minute, 0, request: "Cache-Control: max-age=0"),
        .init(.revalidate(.olderThanMaxAge), minute, 1, request: "Cache-Control: max-age=0"),
        .init(.revalidate(.olderThanMaxAge), minute, 0, request: "Cache-Control: max-age=abc"),
        .init(.revalidate(.olderThanMaxAge), minute, 1, request: "Cache-Control: max-age=abc"),
        .init(.fetch(.noValidator), "Cache-Control: max-age=60", 31, request: "Cache-Control: max-age=30"),
        .init(.fresh, minute, 30, request: "Cache-Control: min-fresh=30"),
        .init(.revalidate(.lessThanMinFresh), minute, 31, request: "Cache-Control: min-fresh=30"),
        .init(.revalidate(.lessThanMinFresh), minute, 0, request: "Cache-Control: min-fresh=120"),
        .init(.revalidate(.lessThanMinFresh), minute, 0, request: "Cache-Control: min-fresh=x"),
        .init(.stale(.acceptedByClient), minute, 180, request: "Cache-Control: max-stale=180"),
        .init(.stale(.acceptedByClient), minute, 240, request: "Cache-Control: max-stale=180"),
        .init(.revalidate(.stale), minute, 241, request: "Cache-Control: max-stale=180"),
        .init(.stale(.acceptedByClient), minute, 1_000_000_000, request: "Cache-Control: max-stale"),
        .init(.revalidate(.stale), minute, 70, request: "Cache-Control: max-stale=x"),
        .init(.revalidate(.stale), minute, 70, request: "Cache-Control: max-stale, max-stale=5"),
        .init(.revalidate(.olderThanMaxAge), minute, 70, request: "Cache-Control: max-stale, max-age=65"),
        .init(.revalidate(.lessThanMinFresh), minute, 70, request: "Cache-Control: max-stale, min-fresh=1"),
        .init(
            .revalidate(.stale), "Cache-Control: max-age=60, must-revalidate\nETag: \"x\"", 61,
            request: "Cache-Control: max-stale"),
        .init(
            .revalidate(.responseNoCache), "Cache-Control: max-age=60, no-cache\nETag: \"x\"", 61,
            request: "Cache-Control: max-stale"),
        .init(.revalidate(.requestNoCache), minute, 0, request: "Cache-Control: no-cache"),
        .init(.revalidate(.requestNoCache), minute, 0, request: "Pragma: no-cache"),
        .init(.revalidate(.requestNoCache), minute, 0, request: "Pragma: x, No-Cache"),
        .init(.fresh, minute, 0, request: "Pragma: no-cache\nCache-Control: max-age=60"),
        .init(.fresh, minute, 0, request: "Pragma: no-cache\nCache-Control: "),
        .init(.revalidate(.requestNoCache), minute, 0, request: "Cache-Control: x=\"a"),
        .init(.fresh, minute, 0, request: "Cache-Control: no-store"),
        .init(.fresh, minute, 0, request: "Cache-Control: no-transform"),
        .init(.fresh, minute, 0, request: "Authorization: Basic eDp5"),
        .init(.fresh, minute, 0, method: "HEAD"),
        .init(.revalidate(.stale), minute, 60, method: "HEAD"),
        // only-if-cached
        .init(.fresh, minute, 59, request: "Cache-Control: only-if-cached"),
        .init(.gatewayTimeout, minute, 60, request: "Cache-Control: only-if-cached"),
        .init(.gatewayTimeout, minute, 31, request: "Cache-Control: only-if-cached, max-age=30"),
        .init(.gatewayTimeout, minute, 0, request: "Cache-Control: only-if-cached, no-cache"),
        .init(.stale(.acceptedByClient), minute, 90, request: "Cache-Control: only-if-cached, max-stale=60"),
        .init(.select, minute, 0, request: "Cache-Control: only-if-cached\nIf-None-Match: \"y\""),
        .init(.gatewayTimeout, minute, 61, request: "Cache-Control: only-if-cached\nIf-None-Match: \"y\""),
        .init(.fresh, minute, 0, request: "Cache-Control: only-if-cached\nIf-Match: \"y\""),
        .init(.select, minute, 0, request: "Cache-Control: only-if-cached\nRange: bytes=0-1"),
        .init(.gatewayTimeout, minute, 0, request: "Cache-Control: only-if-cached", method: "OPTIONS"),
        .init(.fetch(.method), minute, 0, request: "Cache-Control: only-if-cached", method: "POST"),
        // The application's own questions go through.
        .init(.select, minute, 0, request: "If-None-Match: \"x\""),
        .init(.fetch(.conditional), minute, 60, request: "If-None-Match: \"x\""),
        .init(.fetch(.conditional), minute, 0, request: "If-None-Match: \"x\"\nCache-Control: no-cache"),
        .init(.fetch(.conditional), minute, 5, request: "If-None-Match: \"x\"\nCache-Control: max-age=4"),
        .init(.fetch(.conditional), minute, 0, request: "If-None-Match: \"x\"\nIf-Match: \"x\""),
        .init(.select, minute, 0, request: "If-None-Match: \"x\"", method: "HEAD"),
        .init(.fresh, minute, 0, request: "Range: bytes=5-", method: "HEAD"),
        .init(.fresh, minute, 0, request: "If-Range: \"x\""),
        .init(.select, minute, 0, request: "if-modified-since: {-100}"),
        .init(.fetch(.conditional), minute, 0, request: "If-Match: \"x\""),
        .init(.fetch(.conditional), minute, 0, request: "If-Unmodified-Since: {-100}"),
        .init(.select, minute, 0, request: "Range: bytes=5-\nIf-Range: \"x\""),
        .init(.select, minute, 0, request: "Range: bytes=5-"),
        .init(.fetch(.range), minute, 60, request: "Range: bytes=5-"),
        // Other methods are not answered from the store.
        .init(.fetch(.method), minute, 0, method: "POST"),
        .init(.fetch(.method), minute, 0, method: "OPTIONS"),
        .init(.fetch(.method), minute, 0, method: "get"),
        .init(.fetch(.method), minute, 0, method: "PROPFIND"),
    ]

    static let staleWhileRevalidate = "Cache-Control: max-age=60, stale-while-revalidate=30\nETag: \"x\""

    static let allowances: [Row] = [
        .init(.fresh, staleWhileRevalidate, 59),
        .init(.stale(.whileRevalidating), staleWhileRevalidate, 60),
        .init(.stale(.whileRevalidating), staleWhileRevalidate, 89),
        .init(.revalidate(.stale), staleWhileRevalidate, 90),
        .init(.stale(.whileRevalidating), "Cache-Control: max-age=60, stale-while-revalidate=30", 89),
        .init(.revalidate(.stale), "Cache-Control: max-age=60, stale-while-revalidate=0\nETag: \"x\"", 60),
        .init(.revalidate(.stale), "Cache-Control: max-age=60, stale-while-revalidate\nETag: \"x\"", 60),
        .init(.revalidate(.stale), "Cache-Control: max-age=60, stale-while-revalidate=-1\nETag: \"x\"", 60),
        .init(.revalidate(.stale), "Cache-Control: max-age=60, stale-if-error=600\nETag: \"x\"", 60),
        .init(
            .revalidate(.stale), "Cache-Control: must-revalidate, max-age=60, stale-while-revalidate=30\nETag: \"x\"",
            61),
        .init(
            .revalidate(.responseNoCache),
            "Cache-Control: no-cache, max-age=60, stale-while-revalidate=30\nETag: \"x\"", 61),
        .init(.revalidate(.requestNoCache), staleWhileRevalidate, 61, request: "Cache-Control: no-cache"),
        .init(.revalidate(.stale), staleWhileRevalidate, 61, request: "Cache-Control: max-age=600"),
        .init(.revalidate(.lessThanMinFresh), staleWhileRevalidate, 61, request: "Cache-Control: min-fresh=0"),
        .init(.revalidate(.stale), staleWhileRevalidate, 80, request: "Cache-Control: max-stale=10"),
        .init(.stale(.acceptedByClient), staleWhileRevalidate, 70, request: "Cache-Control: max-stale=10"),
    ]

    static let strict = "Cache-Control: max-age=60, must-revalidate\nETag: \"x\""
    static let suspect = "Cache-Control: no-cache\nETag: \"x\""

    static let policies: [Row] =
        [.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadIgnoringCacheData].flatMap {
            (policy: RequestPolicy) in
            [
                .init(.fetch(.policy), minute, 0, policy: policy),
                .init(.fetch(.policy), minute, 600, policy: policy),
                .init(.fetch(.policy), minute, 0, request: "If-None-Match: \"x\"", policy: policy),
                .init(.fetch(.policy), minute, 0, request: "Cache-Control: max-stale", policy: policy),
                .init(.gatewayTimeout, minute, 0, request: "Cache-Control: only-if-cached", policy: policy),
                .init(.fetch(.method), minute, 0, method: "POST", policy: policy),
            ]
        }
        + [.returnCacheDataElseLoad, .returnCacheDataDontLoad].flatMap { (policy: RequestPolicy) in
            [
                .init(.fresh, minute, 0, policy: policy),
                .init(.stale(.policy), minute, 1_000_000_000, policy: policy),
                .init(.stale(.policy), strict, 61, policy: policy),
                .init(.stale(.policy), suspect, 0, policy: policy),
                .init(.fresh, minute, 0, request: "Cache-Control: no-cache", policy: policy),
                .init(.fresh, minute, 30, request: "Cache-Control: max-age=0", policy: policy),
                .init(.fresh, minute, 0, request: "If-None-Match: \"x\"", policy: policy),
                .init(.fresh, minute, 0, request: "Range: bytes=5-", policy: policy),
                .init(.stale(.policy), minute, 61, request: "Cache-Control: only-if-cached", policy: policy),
                .init(.stale(.policy), minute, 61, method: "HEAD", policy: policy),
            ]
        } + [
            .init(.fetch(.method), minute, 0, method: "POST", policy: .returnCacheDataElseLoad),
            .init(.fail, minute, 0, method: "POST", policy: .returnCacheDataDontLoad),
            .init(.revalidate(.policy), minute, 0, policy: .reloadRevalidatingCacheData),
            .init(.revalidate(.policy), minute, 600, policy: .reloadRevalidatingCacheData),
            .init(.revalidate(.policy), staleWhileRevalidate, 61, policy: .reloadRevalidatingCacheData),
            .init(
                .revalidate(.policy), minute, 61, request: "Cache-Control: max-stale",
                policy: .reloadRevalidatingCacheData),
            .init(
                .fresh, "Cache-Control: max-age=60, immutable\nETag: \"x\"", 59, request: "",
                policy: .reloadRevalidatingCacheData),
            .init(
                .revalidate(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 60, request: "",
                policy: .reloadRevalidatingCacheData),
            .init(
                .revalidate(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0,
                request: "Cache-Control: max-age=0",
                policy: .reloadRevalidatingCacheData),
            .init(
                .revalidate(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0,
                request: "Cache-Control: no-cache",
                policy: .reloadRevalidatingCacheData),
            .init(
                .revalidate(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0,
                request: "Pragma: no-cache",
                policy: .reloadRevalidatingCacheData),
            .init(
                .fetch(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0, request: "",
                policy: .reloadIgnoringLocalCacheData),
            .init(
                .fetch(.policy), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0, request: "",
                policy: .reloadIgnoringLocalAndRemoteCacheData),
            .init(
                .revalidate(.requestNoCache), "Cache-Control: max-age=60, immutable\nETag: \"x\"", 0,
                request: "Cache-Control: no-cache",
                policy: .useProtocolCachePolicy),
            .init(
                .revalidate(.policy), "Cache-Control: max-age=60, immutable, no-cache\nETag: \"x\"", 0,
                policy: .reloadRevalidatingCacheData),
            .init(.fetch(.noValidator), "Cache-Control: max-age=60", 0, policy: .reloadRevalidatingCacheData),
            .init(
                .fetch(.conditional), minute, 0, request: "If-None-Match: \"x\"", policy: .reloadRevalidatingCacheData),
            .init(.fetch(.range), minute, 0, request: "Range: bytes=5-", policy: .reloadRevalidatingCacheData),
            .init(
                .gatewayTimeout, minute, 0, request: "Cache-Control: only-if-cached",
                policy: .reloadRevalidatingCacheData),
            .init(.fetch(.method), minute, 0, method: "DELETE", policy: .reloadRevalidatingCacheData),
        ]

    @Test("what the response says decides whether it is reused", arguments: responses)
    func whatTheResponseSaysDecides(row: Row) { #expect(row.decided == row.decision) }

    @Test("what the request says decides whether a stored response is reused", arguments: requests)
    func whatTheRequestSaysDecides(row: Row) {
        #expect(row.decided == row.decision)
    }

    @Test(
        "stale-while-revalidate serves stale only within its window and only to requests that set no limits",
        arguments: allowances)
    func staleWhileRevalidateServesStale(row: Row) {
        #expect(row.decided == row.decision)
    }

    @Test("each of the six policies does what its name says", arguments: policies)
    func eachOfTheSixPolicies(row: Row) { #expect(row.decided == row.decision) }

    @Test(
        "with nothing stored a request is forwarded unless directive or policy forbids",
        arguments: [
            ("", "GET", .useProtocolCachePolicy, .fetch(.nothingStored)),
            ("", "HEAD", .useProtocolCachePolicy, .fetch(.nothingStored)),
            ("", "POST", .useProtocolCachePolicy, .fetch(.method)),
            ("Cache-Control: only-if-cached", "GET", .useProtocolCachePolicy, .gatewayTimeout),
            ("Cache-Control: only-if-cached", "POST", .useProtocolCachePolicy, .fetch(.method)),
            ("Cache-Control: only-if-cached", "GET", .returnCacheDataElseLoad, .gatewayTimeout),
            ("", "GET", .returnCacheDataElseLoad, .fetch(.nothingStored)),
            ("", "GET", .returnCacheDataDontLoad, .fail),
            ("", "POST", .returnCacheDataDontLoad, .fail),
            ("Cache-Control: only-if-cached", "GET", .returnCacheDataDontLoad, .fail),
            ("If-None-Match: \"x\"", "GET", .returnCacheDataDontLoad, .fail),
            ("", "GET", .reloadIgnoringLocalCacheData, .fetch(.nothingStored)),
            ("", "GET", .reloadRevalidatingCacheData, .fetch(.nothingStored)),
        ] as [(String, String, RequestPolicy, ReuseDecision)])
    func withNothingStoredARequest(fields: String, method: String, policy: RequestPolicy, decision: ReuseDecision) {
        #expect(Reuse.decideWithoutStored(facts(fields, method: method, policy: policy)) == decision)
    }

    @Test("an immutable response is confirmed on a reload over http", arguments: ["http", "HTTPS", "httpsx"])
    func immutableOverHTTP(scheme: String) {
        let request = request(url: "\(scheme)://example.org/a")
        let facts = RequestFacts(request, policy: .reloadRevalidatingCacheData)
        let decision = decide(stored("Cache-Control: max-age=60, immutable\nETag: \"x\""), facts, after: 0)
        #expect(decision == (scheme == "HTTPS" ? .fresh : .revalidate(.policy)))
    }

    @Test("an unsafe request is written through whatever the request says") func anUnsafeRequestIsWrittenThrough() {
        for directive in ["only-if-cached", "max-stale", "max-age=100"] {
            let request = facts("Cache-Control: \(directive)", method: "POST")
            #expect(decide(stored(Self.minute), request, after: 0) == .fetch(.method))
            #expect(Reuse.decideWithoutStored(request) == .fetch(.method))
        }
    }
}
