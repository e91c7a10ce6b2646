import Testing

@testable import GaugeKit
@testable import GaugeTraces

@Suite("Warnings of a miss-ratio curve") struct CurveWarningsTests {
    private func texts(
        _ capacities: [Int], unit: MissRatioCurve.Unit = .entries, rate: Double? = 0.25, requests: Int = 1_000,
        offline: [OfflinePolicy] = []
    ) -> [String] {
        let curve = MissRatioCurve(
            unit: unit,
            points: capacities.map { .init(policy: "lru", capacity: $0, sum: HitSum(hits: 0, bytes: 0)) },
            requests: requests, requestedBytes: 50_000, objects: 10,
            sample: rate.map { SampleSummary(rate: $0, seed: 1, shards: [0], of: 1) })
        return CurveWarnings(curve, offline: offline).texts
    }

    @Test("a sampled cache is small below a hundred entries of mean size") func small() {
        // At a rate of a quarter, 400 entries; by bytes 50 times as many.
        #expect(texts([400, 800]) == [] && texts([20_000], unit: .bytes) == [])
        #expect(texts([0, 399, 800])[0].hasPrefix("at 399 the sampled cache holds fewer than 100 entries"))
        #expect(texts([800, 399, 128])[0].hasPrefix("at 128 to 399 the sampled cache "))
        #expect(texts([19_456], unit: .bytes)[0].hasPrefix("at 19 KiB the sampled cache "))
        #expect(texts([1], rate: 1) == [] && texts([1], rate: nil) == [])
    }

    @Test("a policy that is left out has the reason that applies") func missing() {
        let offline: [OfflinePolicy] = [.belady, .footprint]
        let names = offline.map(\.rawValue).joined(separator: " and ")
        #expect(texts([800], offline: offline)[0].hasPrefix("\(names) left out: they need the whole trace"))
        #expect(
            texts([800], rate: nil, offline: offline) == ["\(names) left out: computed only by bytes; pass --by bytes"])
        let longest = texts([800], rate: nil, requests: ReuseLog.longest, offline: offline)
        #expect(longest[0].contains("computed only by bytes"))
        let longer = texts([800], rate: nil, requests: ReuseLog.longest + 1, offline: offline)
        #expect(longer[0].contains("the trace has more than \(ReuseLog.longest) requests"))
    }
}
