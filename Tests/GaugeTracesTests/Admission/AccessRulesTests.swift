import GaugeSupport
import Testing

@testable import GaugeTraces

@Suite("Rules of accesses") struct AccessRulesTests {
    private let urls = RequestURLs(seed: 1)

    private func rules(_ admission: AdmissionRule) -> AccessRules {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: urls)
        rules.admission = admission
        return rules
    }

    @Test("an entry counts its key, its body with at least a header, and the overhead") func costs() {
        let admission = AdmissionRule(keyBytes: { $0.hasPrefix("x") ? nil : $0.utf8.count }, overhead: 7, share: 4)
        var rules = rules(admission)
        let named = rules.access(TraceRequest(id: 1, url: "https://a.example/", size: 100))
        #expect(named.cost == 100 + 18 + 7 && named.hasKey && named.size == 100)
        let short = rules.access(TraceRequest(id: 2, url: "https://a.example/", size: 5))
        #expect(short.cost == 32 + 18 + 7 && short.size == 5)
        let unnamed = rules.access(TraceRequest(id: 3, size: 100))
        #expect(unnamed.cost == 100 + urls.url(for: 3).utf8.count + 7)
        #expect(rules.access(TraceRequest(id: 4)).cost == 70 + urls.url(for: 4).utf8.count + 7)
        #expect(!rules.access(TraceRequest(id: 5, url: "x", size: 100)).hasKey)
        #expect(admission.largest(ofCapacity: 1_003) == 250)
        rules.countsBytes = false
        #expect(rules.access(TraceRequest(id: 6, size: 100)).cost == 1)
        // Without keys only the overhead is known, and it is never negative.
        var bare = self.rules(AdmissionRule(keyBytes: nil, overhead: -9, share: 0))
        #expect(bare.access(TraceRequest(id: 1, size: 100)).cost == 100 && bare.admission.share == 1)
    }

    @Test("a body as long as the longest is stored, and a longer one removes what is stored") func longest() {
        let longest = AdmissionRule.longestBody
        for isPlain in [true, false] {
            var rules = rules(AdmissionRule(keyBytes: nil, overhead: 0, share: 1))
            let responses = [longest, longest + 1].map { size in
                rules.access(TraceRequest(id: 1, url: isPlain ? nil : "https://a.example/", size: size)).response
            }
            #expect(responses == [.stored(expiry: .infinity), .removes])
        }
    }

    @Test("a HEAD is answered by what a GET stored, asks for no body and stores none") func heads() {
        var rules = rules(.any)
        var maker = MissRatioCurveMaker(unit: .bytes, capacities: [1_000], offline: [.footprint], usesDistances: false)
        func add(_ id: UInt64, _ method: String, _ size: Int?, status: Int = 200) -> TraceAccess {
            let exchange = HTTPExchange(method: method, status: status)
            let access = rules.access(
                TraceRequest(id: id, url: "https://a.example/\(id)", size: size, exchange: exchange))
            maker.add(access)
            return access
        }
        let accesses = [
            add(1, "GET", 100), add(1, "HEAD", nil), add(2, "HEAD", nil), add(2, "GET", 50), add(2, "HEAD", nil),
            add(1, "GET", 100),
        ]
        #expect(accesses.map(\.isHead) == [false, true, true, false, true, false])
        #expect(accesses.map(\.requested) == [100, 0, 0, 50, 0, 100] && accesses[1].response == .keeps)
        let curve = maker.curve()
        #expect(curve.requests == 6 && curve.requestedBytes == 250)
        #expect(curve.points.map(\.sum) == [HitSum(hits: 3, bytes: 100), HitSum(hits: 3, bytes: 100)])
        func lacksSize(_ method: String) -> Bool {
            TraceRequest(id: 1, exchange: HTTPExchange(method: method, status: 200)).lacksSize
        }
        #expect(!lacksSize("HEAD") && lacksSize("GET") && TraceRequest(id: 1).lacksSize)
    }

    @Test("a time never goes back, and an unknown one is the last") func times() {
        for url in [nil, "https://a.example/"] {
            var rules = rules(.any)
            let times = [5, 3, nil, 9, 8].map { rules.access(TraceRequest(id: 1, url: url, size: 1, time: $0)).now }
            #expect(times == [5, 5, 5, 9, 9])
        }
    }
}
