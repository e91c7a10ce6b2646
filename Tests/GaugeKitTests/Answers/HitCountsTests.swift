import Testing

@testable import GaugeMeasurement
@testable import GaugeKit

@Suite("Counts of hits") struct HitCountsTests {
    @Test("each answer counts once, and its bytes as requested and, where it is a hit, as hit") func answers() {
        var counts = HitCounts()
        for (bytes, answer) in [
            .hit(.memoryHit), .hit(.diskHit), .hit(.promotion), .hit(.hit), .miss, .outdated, .wrong,
        ].enumerated() as EnumeratedSequence<[CheckedAnswer]> { counts.count(answer, bytes: 1 << bytes) }
        counts.countMiss(bytes: 128)
        #expect(counts.memoryHits == 1 && counts.diskHits == 2 && counts.unknownTierHits == 1)
        #expect(counts.misses == 3 && counts.wrong == 1 && counts.hits == 4 && counts.requests == 8)
        #expect(counts.requestedBytes == 255 && counts.hitBytes == 15)
        #expect(counts.hitRatio == 0.5 && counts.byteHitRatio == 15.0 / 255)
        #expect(
            counts.figures == [
                Figure("requests", 8), Figure("hit ratio", 0.5, .ratio),
                Figure("byte hit ratio", 15.0 / 255, .ratio), Figure("memory hits", 1), Figure("disk hits", 2),
                Figure("hits of unknown tier", 1),
            ])
        #expect(HitCounts().hitRatio == 0 && HitCounts().byteHitRatio == 0)
    }

    @Test("bytes stop at the largest number") func clamped() {
        var counts = HitCounts()
        for _ in 0..<2 { counts.count(.hit(.memoryHit), bytes: .max) }
        counts.countMiss(bytes: .max)
        #expect(counts.requestedBytes == .max && counts.hitBytes == .max && counts.requests == 3)
    }

    @Test(
        "tiers are told apart unless no hit was told by its tier",
        arguments: [
            (0, 0, 0, ["memory hits 0", "disk hits 0"]), (3, 0, 0, ["memory hits 3", "disk hits 0"]),
            (0, 0, 2, ["hits of unknown tier 2"]),
            (0, 4, 2, ["memory hits 0", "disk hits 4", "hits of unknown tier 2"]),
            (1, 0, 2, ["memory hits 1", "disk hits 0", "hits of unknown tier 2"]),
        ])
    func tiers(memory: Int, disk: Int, unknown: Int, told: [String]) {
        var counts = HitCounts()
        (counts.memoryHits, counts.diskHits, counts.unknownTierHits) = (memory, disk, unknown)
        #expect(counts.tiers.map { "\($0.name) \($0.count)" } == told)
    }
}
