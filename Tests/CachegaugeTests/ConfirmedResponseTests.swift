import GaugeSupport
import Testing

@testable import GaugeTraces
@testable import cachegauge

/// What a 304 in a trace says of the response that it confirms (RFC 9111, sections 3.2 and 4.3.4).
@Suite("Confirmed responses of a trace") struct ConfirmedResponseTests {
    private struct Exchange {
        let second: Double
        var status = 200
        var response: [(String, String)] = []
        var request: [(String, String)] = []
        var method = "GET"
        var url = "https://a.example/"
    }

    /// 28 March 2026, 23:50:00.
    private static let start = 1_774_741_800.0

    /// Which of the requests a cache without limits answers.
    private func hits(_ exchanges: [Exchange]) -> [Bool] {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = ReferenceRules()
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [1 << 30], usesDistances: false)
        var last = 0
        return exchanges.map { exchange in
            func fields(_ pairs: [(String, String)]) -> [HTTPExchange.Field] {
                pairs.map { HTTPExchange.Field(name: Array($0.0.utf8), value: Array($0.1.utf8)) }
            }
            let time = Self.start + exchange.second
            let request = TraceRequest(
                id: DecimalText.hash(exchange.url.utf8), url: exchange.url, size: exchange.status == 304 ? nil : 100,
                time: time,
                exchange: HTTPExchange(
                    method: exchange.method, status: exchange.status, requestFields: fields(exchange.request),
                    responseFields: fields(exchange.response), sent: time, duration: 0))
            maker.add(rules.access(request))
            defer { last = maker.curve().points[0].sum.hits }
            return maker.curve().points[0].sum.hits > last
        }
    }

    private static let minute = ("Cache-Control", "max-age=60")
    private static let tag = ("ETag", "\"a\"")

    private func confirmed(_ second: Double, _ fields: (String, String)..., reload: Bool = false) -> Exchange {
        let request = reload ? [("Cache-Control", "max-age=0")] : []
        return Exchange(second: second, status: 304, response: fields + [Self.tag], request: request)
    }

    @Test("a 304 without lifetime renews that of the response which it confirms") func lifetime() {
        let first = Exchange(second: 0, response: [Self.minute])
        #expect(
            hits([first, confirmed(100), confirmed(120), confirmed(159), confirmed(160)]) == [
                false, false, true, true, false,
            ])
        let hour = Exchange(second: 0, response: [("cache-control", "max-age=3600")])
        #expect(hits([hour, confirmed(10, reload: true), confirmed(20)]) == [false, false, true])
    }

    @Test("a Last-Modified counts from the receipt of each 304, which need not repeat it") func heuristics() {
        let day = 86_400.0
        let first = Exchange(
            second: 0, response: [("Last-Modified", "Wed, 18 Mar 2026 23:50:00 GMT"), ("Date", date(0))])
        // A tenth of the age: a day at first, 1.2 days two days later.
        let moments = [0.9 * day, 2 * day, 3.1 * day, 3.3 * day]
        #expect(hits([first] + moments.map { confirmed($0) }) == [false, true, false, true, false])
    }

    private func date(_ second: Double) -> String { HTTPDateText.at(Int64(Self.start + second)) }

    @Test("a field of the 304 replaces that of the same name, for later ones too, and the others stay")
    func replaced() {
        let first = Exchange(second: 0, response: [("Cache-Control", "max-age=10"), ("Expires", date(1_000))])
        let shorter = confirmed(20, ("CACHE-CONTROL", "max-age=60"))
        #expect(
            hits([first, shorter, confirmed(70), confirmed(90), confirmed(140)]) == [
                false, false, true, false, true,
            ])
        #expect(
            hits([first, confirmed(20, ("Cache-Control", "no-cache")), confirmed(21), confirmed(22)]) == [
                false, false, false, false,
            ])
        // Expires is a moment, which no confirmation moves.
        let until = Exchange(second: 0, response: [("Expires", date(60))])
        #expect(hits([until, confirmed(59), confirmed(61), confirmed(62)]) == [false, true, false, false])
    }

    @Test("what a 304 says of age is its own") func age() {
        let first = Exchange(second: 0, response: [Self.minute, ("Age", "50")])
        #expect(hits([first, confirmed(9), confirmed(11), confirmed(70)]) == [false, true, false, true])
    }

    @Test("a 304 stands for the last full response: not for errors, parts and other methods, nor another URL's")
    func last() {
        let first = Exchange(second: 0, response: [Self.minute])
        let others = [
            Exchange(second: 70, status: 503, response: [("Retry-After", "1")]),
            Exchange(second: 70, status: 206, response: [("Cache-Control", "max-age=1")]),
            Exchange(second: 70, response: [("Cache-Control", "max-age=1")], method: "HEAD"),
            Exchange(second: 70, response: [("Cache-Control", "max-age=1")], url: "https://a.example/other"),
        ]
        for other in others {
            #expect(hits([first, other, confirmed(100), confirmed(150)]) == [false, false, false, true], "\(other)")
        }
        let forbidding = Exchange(second: 70, response: [("Cache-Control", "no-store")])
        #expect(hits([first, forbidding, confirmed(100), confirmed(101)]) == [false, false, false, false])
        let silent = Exchange(second: 70, response: [Self.tag])
        #expect(hits([first, silent, confirmed(100), confirmed(101)]) == [false, false, false, false])
        #expect(hits([confirmed(0), confirmed(1)]) == [false, false])
    }

    @Test("a 304 renews the variant that it is for, and not with the fields of another") func variants() {
        func get(_ second: Double, _ language: String, lifetime: Int? = nil) -> Exchange {
            let fields = lifetime.map { [("Cache-Control", "max-age=\($0)"), ("Vary", "Accept-Language")] }
            return Exchange(
                second: second, status: lifetime == nil ? 304 : 200, response: (fields ?? []) + [Self.tag],
                request: [("Accept-Language", language)])
        }
        let both = [get(0, "de", lifetime: 1_000), get(1, "en", lifetime: 10)]
        #expect(hits(both + [get(2_000, "de"), get(2_900, "de")]) == [false, false, false, true])
        #expect(hits(both + [get(20, "de"), get(21, "en"), get(40, "en")]) == [false, false, true, false, false])
        // Of a variant that was not seen before, the last response of the URL is the best guess.
        #expect(hits(both + [get(100, "fr"), get(105, "fr"), get(120, "fr")]) == [false, false, false, true, false])
    }
}
