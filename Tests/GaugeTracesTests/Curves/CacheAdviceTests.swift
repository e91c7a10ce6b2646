import Testing

@testable import GaugeTraces

/// What a curve says to somebody who chooses a capacity.
@Suite("Advice") struct CacheAdviceTests {
    private func advice(_ lru: [Int], _ gdsf: [Int], wanted: [Int]? = nil) -> CacheAdvice {
        func points(_ policy: String, _ hits: [Int]) -> [MissRatioCurve.Point] {
            hits.enumerated().map {
                .init(policy: policy, capacity: 1 << $0.offset, sum: HitSum(hits: $0.element, bytes: 0))
            }
        }
        return CacheAdvice(
            MissRatioCurve(
                unit: .bytes, points: points("lru", lru) + points("gdsf", gdsf), requests: 1000, requestedBytes: 1000,
                objects: 10), wanted: wanted)
    }

    @Test("the advised capacity gets 85 % of the most, and above the full one nothing is gained") func knee() {
        let advice = advice([100, 300, 700, 800, 800], [300, 710, 800, 800, 800])
        #expect(advice.advised?.capacity == 4 && advice.full?.capacity == 8 && advice.most == 800)
        #expect(advice.advised.map(advice.share) == 0.875)
    }

    @Test("another policy is worth the capacity that the usual one needs for as many hits, if it has more")
    func reach() {
        #expect(advice([100, 300, 700, 790, 800], [300, 710, 795, 800, 800]).reach(of: 1) == 8)
        #expect(advice([100, 300, 700, 790, 800], [300, 710, 720, 800, 800]).reach(of: 1) == nil)
        // Of a plateau the smallest, and none where both have the same hits.
        #expect(advice([100, 680, 700, 700, 700], [300, 700, 700, 700, 700]).reach(of: 1) == 4)
        #expect(advice([700, 700, 700], [700, 700, 700]).reach(of: 1) == nil)
        #expect(advice([100, 700, 710], [100, 700, 710]).reach(of: 2) == nil)
    }

    @Test("of a curve with more capacities those are used that fit the trace, and the largest if none does")
    func wanted() {
        let hits = [100, 300, 700, 790, 800]
        #expect(advice(hits, hits, wanted: [2, 4, 8]).steps.map(\.capacity) == [2, 4, 8])
        #expect(advice(hits, hits, wanted: [64, 128]).steps.map(\.capacity) == [8, 16])
        #expect(advice(hits, hits, wanted: [1]).steps.map(\.capacity) == [1])
    }

    @Test("where nothing is asked for again, nothing is advised") func nothing() {
        let advice = advice([0, 0], [0, 0])
        #expect(advice.advised == nil && advice.full == nil && advice.reach(of: 1) == nil)
    }

    @Test("capacities are powers of two up to what holds all objects, of which no single one stretches them")
    func capacities() {
        #expect(
            CacheAdvice.capacities(workingSet: 1_000_000, largest: 10, share: 20, least: 1 << 16)
                == (16...20).map { 1 << $0 })
        #expect(CacheAdvice.capacities(workingSet: 100, largest: 90, share: 20, least: 1).last == 256)
        // Of few objects, none would fit into twice their sum.
        #expect(CacheAdvice.capacities(workingSet: 100, largest: 90, median: 90, share: 20, least: 1).last == 2048)
        #expect(CacheAdvice.capacities(workingSet: 1 << 40, largest: .max, share: 20, least: 1).count == 11)
        #expect(CacheAdvice.capacities(workingSet: 0, largest: 0, share: 20, least: 1 << 16) == [1 << 16])
    }

    @Test("a working set tells the objects above a limit") func workingSet() {
        let set = WorkingSet([5, 1, 9, 7])
        #expect(set.bytes == 22 && set.largest == 9 && set.objects == 4 && set.median == 7)
        #expect(WorkingSet([]).median == 0)
        #expect(set.above(6)?.count == 2 && set.above(6)?.least == 7 && set.above(9) == nil)
    }

    @Test("the working set of rules has the last cost of each object, without those that are not cached")
    func ofRules() {
        var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
        for (id, size) in [(1, 10), (2, 20), (1, 30)] as [(UInt64, Int)] {
            _ = rules.access(TraceRequest(id: id, size: size))
        }
        #expect(rules.workingSet.bytes == 50 && rules.workingSet.objects == 2)
    }
}
