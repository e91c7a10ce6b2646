import Testing

@testable import GaugeTraces

@Suite("Requests that no cache answers") struct UncachedRequestsTests {
    private func request(_ id: UInt64, _ method: String = "GET", status: Int = 200, size: Int?) -> TraceRequest {
        TraceRequest(
            id: id, url: "http://a.example/\(id)", size: size, exchange: HTTPExchange(method: method, status: status))
    }

    @Test("they are summed by reason and by URL, what costs most first") func sums() {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: RequestURLs(seed: 1))
        for request in [
            request(1, size: 900), request(2, "POST", size: 10), request(2, "POST", size: 30),
            request(3, status: 500, size: 5_000), request(1, status: 206, size: 40), request(4, "POST", size: nil),
        ] { _ = rules.access(request) }
        let reasons = rules.uncached.byReason
        #expect(reasons.map(\.reason) == [.status(500), .method, .part])
        #expect(reasons.map(\.cost.requests) == [1, 3, 1] && reasons.map(\.cost.bytes) == [5_000, 110, 40])
        let costliest = rules.uncached.costliest()
        #expect(costliest.map(\.name) == [3, 4, 2, 1].map { "http://a.example/\($0)" })
        #expect(costliest.map(\.cost.bytes) == [5_000, 70, 40, 40] && costliest.map(\.cost.requests) == [1, 1, 2, 1])
        #expect(rules.uncached.costliest(1).map(\.reason) == [.status(500)])
    }

    @Test("a request that an earlier response answers is none of them") func answered() {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: RequestURLs(seed: 1))
        for request in [
            request(1, size: 900), request(1, status: 500, size: 10), request(1, "HEAD", size: nil),
            request(1, status: 403, size: 10), request(2, "HEAD", size: nil),
        ] { _ = rules.access(request) }
        #expect(rules.uncached.byReason.map(\.reason) == [.method])
        #expect(rules.uncached.byReason.map(\.cost.requests) == [1] && rules.uncached.costliest()[0].cost.bytes == 0)
        // From here on there is nothing that could answer.
        _ = rules.access(request(1, "POST", size: 10))
        _ = rules.access(request(1, status: 500, size: 10))
        #expect(rules.uncached.byReason.map(\.reason) == [.method, .status(500)])
    }

    @Test("of a URL's reasons the most frequent is named, and of several the first") func frequent() {
        var uncached = UncachedRequests()
        let reasons: [UncachedReason] = [.status(403), .noStore, .status(500), .status(500), .noStore]
        for reason in reasons { uncached.note(reason, request(1, size: 0), bytes: 1) }
        #expect(uncached.costliest().map(\.reason) == [.noStore])
    }

    @Test("an entry larger than the cache keeps, and a URL without a key, are reasons; what is stored is none")
    func ofTheCache() {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: RequestURLs(seed: 1))
        rules.admission = AdmissionRule(keyBytes: { $0.hasSuffix("9") ? nil : $0.utf8.count }, overhead: 100, share: 20)
        rules.largestEntry = 1_000
        for (id, size) in [(1, 800), (2, 1_000), (9, 10)] as [(UInt64, Int)] {
            _ = rules.access(request(id, size: size))
        }
        #expect(rules.uncached.byReason.map(\.reason) == [.tooLarge, .url])
        #expect(rules.uncached.costliest().map(\.name) == ["http://a.example/2", "http://a.example/9"])
        // Also where a trace has URLs alone.
        _ = rules.access(TraceRequest(id: 3, url: "http://a.example/3", size: 1_000))
        #expect(rules.uncached.byReason.map(\.cost.requests) == [2, 1])
    }

    @Test("of more URLs than are remembered, those stay that cost much") func bounded() {
        var uncached = UncachedRequests(most: 8)
        for round in 0..<50 {
            uncached.note(.noStore, request(1, size: 0), bytes: 1_000)
            uncached.note(.noStore, request(UInt64(100 + round), size: 0), bytes: 1)
        }
        let costliest = uncached.costliest(100)
        #expect(costliest.count <= 8 && costliest[0].name == "http://a.example/1" && costliest[0].cost.bytes == 50_000)
        #expect(uncached.byReason.map(\.cost.requests) == [100])
    }

    @Test("half of the URLs are forgotten at once, so that not each further one sorts all") func forgetting() {
        var uncached = UncachedRequests(most: 8)
        let kept = (1...13).map { number in
            uncached.note(.noStore, request(UInt64(number), size: 0), bytes: 1)
            return uncached.costliest(100).count
        }
        #expect(kept == [1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 5])
    }

    @Test("a trace without HTTP metadata has none") func plain() {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: RequestURLs(seed: 1))
        _ = rules.access(TraceRequest(id: 1, size: 10))
        #expect(rules.uncached.isEmpty && rules.uncached.costliest().isEmpty)
    }
}
