import Testing

@testable import GaugeTraces

@Suite("Body sizes") struct BodySizesTests {
    @Test("web-like sizes have the stated median and mean") func webLikeSizesHaveTheStatedMedianAndMean() {
        let sizes = BodySizes.webLike(seed: 1)
        let drawn = (0..<50_000).map { sizes.size(of: UInt64($0)) }.sorted()
        #expect(abs(drawn[25_000] - 11_580) < 300)
        #expect(abs(drawn.reduce(0, +) / drawn.count - 27_600) < 1000)
        #expect(drawn[0] >= 64 && drawn[49_999] <= 1 << 20)
    }

    @Test("a size depends only on seed and key") func aSizeFollowsFromSeedAndKey() {
        #expect(BodySizes.webLike(seed: 3).size(of: 99) == BodySizes.webLike(seed: 3).size(of: 99))
        let differing = (0..<100).filter {
            BodySizes.webLike(seed: 3).size(of: $0) != BodySizes.webLike(seed: 4).size(of: $0)
        }
        #expect(differing.count > 95)
    }

    @Test("parameters whose sizes are never within the bounds give the minimum")
    func parametersThatNeverLandInTheirBoundsGiveTheMinimum() {
        let sizes = BodySizes(.lognormal(mu: 50, sigma: 0, minimum: 10, maximum: 20), seed: 1)
        #expect(sizes.size(of: 1) == 10)
        #expect(BodySizes(.lognormal(mu: .nan, sigma: .nan, minimum: 10, maximum: 20), seed: 1).size(of: 1) == 10)
        #expect(BodySizes(.constant(-1), seed: 1).size(of: 1) == 0)
    }
}
