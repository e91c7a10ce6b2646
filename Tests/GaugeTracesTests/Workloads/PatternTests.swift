import Testing

@testable import GaugeTraces

@Suite("Request patterns") struct PatternTests {
    @Test("one seed gives one stream", arguments: WorkloadPlan.presets)
    func oneSeedOneStream(plan: WorkloadPlan) {
        var first = Workload(plan, seed: 3).keys()
        var second = Workload(plan, seed: 3).keys()
        #expect(first.draw(3_000) == second.draw(3_000))
    }

    @Test("a hotspot gets its share, and has moved through all objects in the end") func hotspot() {
        var stream = HotspotKeys(objects: 1_000, fraction: 0.1, share: 0.9, every: 100, step: 0.5, seed: 1)
        let first = stream.draw(100)
        // 90 % and a tenth of the rest; four standard deviations are 12 in 100.
        #expect(first.filter { $0 < 100 }.count > 79)
        var counts = [Int](repeating: 0, count: 1_000)
        for key in stream.draw(20 * 100 * 10) { counts[Int(key)] += 1 }
        #expect(counts.allSatisfy { $0 > 0 })
        var still = HotspotKeys(objects: 1_000, fraction: 0.1, share: 1, every: 10, step: 0, seed: 1)
        #expect(still.draw(1_000).allSatisfy { $0 < 100 })
    }

    @Test("a page has 60 to 100 requests, the same every time, and its document begins the visit") func pages() {
        var stream = PageKeys(objects: 6_000, pattern: PagePattern(), seed: 9)
        var visits: [[UInt64]] = []
        for _ in 0..<20_000 {
            let key = stream.next()
            if stream.beginsVisit { visits.append([]) }
            visits[visits.count - 1].append(key)
        }
        visits.removeLast()
        #expect(visits.allSatisfy { (60...100).contains($0.count) })
        var byDocument: [UInt64: [UInt64]] = [:]
        for visit in visits { #expect(byDocument.updateValue(visit, forKey: visit[0]) ?? visit == visit) }
        #expect(byDocument.count > 50)
        let all = visits.joined()
        let shared = Double(all.filter { $0 < 600 }.count) / Double(all.count)
        #expect((0.35...0.45).contains(shared))
        #expect(all.allSatisfy { $0 < 6_000 })
    }

    @Test("a mixture keeps its weights and runs, and its scan requests only objects outside the shared range")
    func mixture() {
        let parts = [MixturePart(weight: 3, run: 10, keys: .uniform), MixturePart(weight: 1, run: 10, keys: .scan)]
        var stream = MixedKeys(objects: 100, parts: parts, seed: 2)
        let keys = stream.draw(40_000)
        let scanned = keys.filter { $0 >= 100 }
        #expect(scanned == Array(100..<(100 + UInt64(scanned.count))))
        #expect((0.22...0.28).contains(Double(scanned.count) / 40_000))
        #expect(scanned.count % 10 == 0)
    }

    @Test("several scans of a mixture request different objects, and none twice") func scans() {
        let parts = [
            MixturePart(weight: 2, run: 10, keys: .scan), MixturePart(weight: 0, keys: .scan),
            MixturePart(weight: 1, run: 7, keys: .scan),
        ]
        var stream = MixedKeys(objects: 1_000_000, parts: parts, seed: 2)
        #expect(Set(stream.draw(100_000)).count == 100_000)
    }

    @Test("a histogram of sizes keeps its weights") func histogram() {
        let sizes = BodySizes(
            .histogram([SizeBin(from: 10, to: 19, weight: 3), SizeBin(from: 100, to: 100, weight: 1)]), seed: 4)
        let drawn = (0..<10_000).map { sizes.size(of: $0) }
        #expect(drawn.allSatisfy { (10...19).contains($0) || $0 == 100 })
        #expect((2_300...2_700).contains(drawn.filter { $0 == 100 }.count))
        #expect(Set(drawn).count == 11)
        #expect(sizes.longest == 100)
    }

    @Test("header classes and operations come by weight") func weights() {
        let classes = [HeaderClass(weight: 1, noStore: true), HeaderClass(weight: 0), HeaderClass(weight: 3)]
        let chosen = (0..<10_000).map { HeaderClass.of($0, among: classes, seed: 5) }
        #expect((2_300...2_700).contains(chosen.filter(\.noStore).count))
        #expect(!chosen.contains { $0.weight == 0 })
        let mix = OperationMix(read: 4, store: 3, remove: 1)
        #expect(
            [0, 0.49, 0.5, 0.87, 0.875, 0.999].map { mix.operation(at: $0) } == [
                .read, .read, .store, .store, .remove, .remove,
            ])
    }
}
