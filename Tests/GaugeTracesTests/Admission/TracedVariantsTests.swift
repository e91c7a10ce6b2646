import Testing

@testable import GaugeTraces

/// Variants of a URL, with rules made for the test: a `Vary` names one field, whose value selects.
@Suite("Variants by Vary") struct TracedVariantsTests {
    private struct Rules: CachingRules {
        func verdict(on exchange: HTTPExchange) -> CachingVerdict {
            let isStored = exchange.method == "GET" && exchange.status == 200
            return CachingVerdict(
                mayBeAnswered: exchange.method == "GET", freshSeconds: isStored ? 60 : nil,
                invalidates: exchange.method == "POST")
        }

        func selection(of request: [HTTPExchange.Field], by vary: [UInt8]) -> [UInt8] {
            vary.isEmpty ? [] : vary + [0] + (request.first { $0.name == vary }?.value ?? [1])
        }
    }

    private func request(
        _ value: String?, vary: String? = "a", _ method: String = "GET", status: Int = 200, id: UInt64 = 5
    ) -> TraceRequest {
        func field(_ name: String, _ value: String) -> HTTPExchange.Field {
            HTTPExchange.Field(name: Array(name.utf8), value: Array(value.utf8))
        }
        return TraceRequest(
            id: id, url: "https://a.example/?q#f", size: 10,
            exchange: HTTPExchange(
                method: method, status: status, requestFields: value.map { [field("a", $0), field("b", "x")] } ?? [],
                responseFields: vary.map { [field("vArY", $0)] } ?? [], sent: 0, duration: 0))
    }

    /// The numbers of the objects that the requests are for.
    private func objects(_ requests: TraceRequest...) -> [Int] {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        rules.caching = Rules()
        return requests.map { rules.access($0).object }
    }

    @Test("each value of a field that Vary names is an object of its own, and URLs without Vary are one")
    func values() {
        #expect(objects(request("x"), request("y"), request("x"), request("y"), request("z")) == [0, 1, 0, 1, 2])
        #expect(objects(request("x", vary: nil), request("y", vary: nil)) == [0, 0])
        #expect(objects(request("x"), request("x", id: 6), request("x")) == [0, 1, 0])
        // An absent field is a value.
        let absent = request("", vary: "c")
        #expect(objects(absent, request("x", vary: "c"), request("y", vary: "c")) == [0, 0, 0])
    }

    @Test("the last Vary of a URL counts, also where a confirmation or an error has none") func last() {
        let without = [request("x", vary: nil, status: 304), request("x", vary: nil, status: 500)]
        for request in without {
            #expect(objects(self.request("x"), request, self.request("y"), self.request("x")) == [0, 0, 1, 0])
        }
        #expect(objects(request("x"), request("y", vary: nil), request("z", vary: nil)) == [0, 1, 1])
        #expect(objects(request("x"), request("x", vary: "b"), request("y", vary: "b")) == [0, 1, 1])
        // What isn't stored doesn't tell what selects.
        #expect(objects(request("x", status: 500), request("y", status: 500)) == [0, 0])
    }

    @Test("a request whose fields are not known is for the variant before it") func unknown() {
        #expect(objects(request("x"), request("y"), request(nil), request("x"), request(nil)) == [0, 1, 1, 0, 0])
        #expect(objects(request(nil), request(nil)) == [0, 0])
        // The first request whose fields are known is for the variant that came before.
        #expect(objects(request(nil), request("x"), request("y"), request("x"), request(nil)) == [0, 0, 1, 0, 0])
        var cached = request("provisional")
        cached.exchange?.isOfBrowserCache = true
        #expect(objects(request("x"), cached, request("y"), cached) == [0, 0, 1, 1])
    }

    @Test("an entry that a browser's own cache answered is known by the names of Chrome and Safari")
    func browserCaches() throws {
        for (member, isOfCache) in [
            (#""_fromCache":"memory","#, true), (#""_fromCache":"disk","#, true),
            (#""_fetchType":"Disk Cache","#, true),
            (#""_fetchType":"Network Load","#, false), (#""_fromCache":null,"#, false), ("", false),
        ] {
            let text = """
                {"log":{"entries":[{\(member)"request":{"url":"https://a.example/"},"response":{"status":200}}]}}
                """
            #expect(try TraceReading.all(text, nil).map { $0.exchange?.isOfBrowserCache } == [isOfCache], "\(member)")
        }
    }

    @Test("a successful unsafe request ends every variant") func unsafe() {
        let post = request(nil, vary: nil, "POST")
        #expect(objects(request("x"), request("y"), post, request("y"), request("x")) == [0, 1, 1, 2, 3])
        #expect(objects(request("x", vary: nil), post, request("x", vary: nil)) == [0, 0, 0])
    }

    @Test("a variant has a URL of its own, without the fragment, and an object that does not vary has its own")
    func urls() {
        #expect(TracedVariants.url("https://a.example/#f", of: 255) == "https://a.example/?vary=ff")
        #expect(TracedVariants.url("https://a.example/?q#f?", of: 255) == "https://a.example/?q&vary=ff")
        #expect(TracedVariants.url("https://a.example/#f", of: nil) == "https://a.example/#f")
        #expect(TracedVariants.url(nil, of: 255) == nil)
    }
}
