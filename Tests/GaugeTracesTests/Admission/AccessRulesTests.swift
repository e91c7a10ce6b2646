import GaugeSupport
import Testing

@testable import GaugeTraces

@Suite("Rules of accesses")
struct AccessRulesTests {
    private let urls = RequestURLs(seed: 1)

    private func rules(_ admission: AdmissionRule) -> AccessRules {
        var rules = AccessRules(sizes: BodySizes(.constant(70), seed: 1), urls: urls)
        rules.admission = admission
        return rules
    }

    @Test("an entry counts its key, its body with at least a header, and the overhead")
    func costs() {
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

    @Test("a body as long as the longest is stored, and a longer one removes what is stored")
    func longest() {
        let longest = AdmissionRule.longestBody
        for isPlain in [true, false] {
            var rules = rules(AdmissionRule(keyBytes: nil, overhead: 0, share: 1))
            let responses = [longest, longest + 1].map { size in
                rules.access(TraceRequest(id: 1, url: isPlain ? nil : "https://a.example/", size: size)).response
            }
            #expect(responses == [.stored(expiry: .infinity), .removes])
        }
    }

    @Test("a time never goes back, and an unknown one is the last")
    func times() {
        for url in [nil, "https://a.example/"] {
            var rules = rules(.any)
            let times = [5, 3, nil, 9, 8].map { rules.access(TraceRequest(id: 1, url: url, size: 1, time: $0)).now }
            #expect(times == [5, 5, 5, 9, 9])
        }
    }
}
