import Testing

@testable import GaugeTraces
@testable import cachegauge

/// Examples of the caching rules for replays. The parsing of the fields is tested with HTTPReference.
@Suite("Caching rules for replays") struct ReferenceRulesTests {
    private func verdict(
        _ response: [String: String], request: [String: String] = [:], method: String = "GET", status: Int = 200,
        duration: Double = 0, hasFields: Bool = true
    ) -> CachingVerdict {
        func fields(_ values: [String: String]) -> [HTTPExchange.Field] {
            values.map { HTTPExchange.Field(name: Array($0.key.utf8), value: Array($0.value.utf8)) }
        }
        return ReferenceRules().verdict(
            on: HTTPExchange(
                method: method, status: status, requestFields: fields(request), responseFields: fields(response),
                sent: 1_795_255_200.5, duration: duration, hasFields: hasFields))
    }

    @Test("the lifetime is what is left of it when the response has been received") func lifetime() {
        #expect(verdict(["cache-control": "max-age=60"]) == CachingVerdict(mayBeAnswered: true, freshSeconds: 60))
        #expect(verdict(["cache-control": "max-age=60", "age": "50"]).freshSeconds == 10)
        #expect(verdict(["cache-control": "max-age=60", "age": "70"]).freshSeconds == 0)
        #expect(verdict(["cache-control": "max-age=60"], duration: 5).freshSeconds == 55)
        #expect(verdict(["cache-control": "no-cache, max-age=60"]).freshSeconds == 0)
        #expect(verdict(["expires": "0"]).freshSeconds == 0)
        #expect(verdict([:]).freshSeconds == 0)
        #expect(
            verdict(["date": "Sat, 21 Nov 2026 10:00:00 GMT", "last-modified": "Sat, 21 Nov 2026 09:00:00 GMT"])
                .freshSeconds == 360)
    }

    @Test("only a GET is stored, and not every answer to it") func storing() {
        #expect(verdict(["cache-control": "no-store"]).freshSeconds == nil)
        #expect(verdict(["cache-control": "max-age=60", "vary": "*"]).freshSeconds == nil)
        #expect(verdict(["cache-control": "max-age=60"], status: 206).freshSeconds == nil)
        #expect(verdict(["cache-control": "max-age=60"], status: 0).freshSeconds == nil)
        #expect(verdict(["cache-control": "max-age=60"], method: "HEAD").freshSeconds == nil)
        #expect(verdict(["cache-control": "max-age=60"], request: ["range": "bytes=0-1"]).freshSeconds == nil)
        let post = verdict(["cache-control": "max-age=60"], method: "POST")
        #expect(post == CachingVerdict(mayBeAnswered: false, freshSeconds: nil, invalidates: true, reason: .method))
        #expect(!verdict([:], method: "POST", status: 500).invalidates)
    }

    @Test("what is of no use to a cache has its reason") func reasons() {
        let fresh = ["cache-control": "max-age=60"]
        #expect(verdict(fresh).reason == nil && verdict([:], hasFields: false).reason == nil)
        #expect(verdict(fresh, method: "POST").reason == .method && verdict(fresh, method: "HEAD").reason == .method)
        #expect(verdict(fresh, status: 206).reason == .part)
        #expect(verdict(fresh, request: ["range": "bytes=0-1"]).reason == .part)
        #expect(verdict(fresh.merging(["content-range": "bytes 0-1/2"]) { $1 }).reason == .part)
        #expect(verdict(fresh, status: 416).reason == .status(416) && verdict([:], status: 0).reason == .status(0))
        #expect(verdict([:], status: 500).reason == .status(500) && verdict([:], status: 302).reason == .noLifetime)
        #expect(verdict(fresh, request: ["cache-control": "no-store"]).reason == .requestNoStore)
        #expect(verdict(["cache-control": "no-store"]).reason == .noStore)
        #expect(verdict(fresh.merging(["vary": "*"]) { $1 }).reason == .variesOnEverything)
        #expect(verdict(fresh, request: ["cache-control": "no-cache"]).reason == .requestReload)
        #expect(verdict(["cache-control": "no-cache"]).reason == .staleAtOnce && verdict([:]).reason == .staleAtOnce)
    }

    @Test("a reload wants the origin, and a condition of the browser's own cache does not") func wishes() {
        let response = ["cache-control": "max-age=60"]
        #expect(!verdict(response, request: ["cache-control": "no-cache"]).mayBeAnswered)
        #expect(!verdict(response, request: ["cache-control": "max-age=0"]).mayBeAnswered)
        #expect(!verdict(response, request: ["pragma": "no-cache"]).mayBeAnswered)
        #expect(verdict(response, request: ["if-none-match": "\"a\""]).mayBeAnswered)
    }

    @Test("a log without fields says nothing of freshness") func logs() {
        #expect(verdict([:], hasFields: false).freshSeconds == .max)
        #expect(verdict([:], status: 500, hasFields: false).freshSeconds == nil)
    }

    @Test(
        "of times that no clock shows, a long delay uses the lifetime up, and any other counts as none",
        arguments: [(Double.nan, 60), (.infinity, 0), (-.infinity, 60), (1e300, 0), (-1e300, 60)] as [(Double, Int64)])
    func oddTimes(time: Double, fresh: Int64) {
        let field = HTTPExchange.Field(name: Array("cache-control".utf8), value: Array("max-age=60".utf8))
        let exchange = HTTPExchange(
            method: "GET", status: 200, requestFields: [], responseFields: [field], sent: time, duration: time)
        let verdict = CachingVerdict(mayBeAnswered: true, freshSeconds: fresh, reason: fresh == 0 ? .staleAtOnce : nil)
        #expect(ReferenceRules().verdict(on: exchange) == verdict)
    }
}
