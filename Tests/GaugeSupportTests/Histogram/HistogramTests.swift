import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Histogram") struct HistogramTests {
    @Test("a bucket is never wider than the stated part of the times in it")
    func aBucketIsNeverWiderThanTheStatedPartOfTheTimesInIt() {
        for index in 0..<HistogramBuckets.count {
            let (lowest, width) = HistogramBuckets.bounds(ofBucket: index)
            #expect(HistogramBuckets.index(of: lowest) == index)
            #expect(HistogramBuckets.index(of: lowest + width - 1) == index)
            #expect(width == 1 || Double(width) / Double(lowest) <= HistogramBuckets.relativeError)
        }
        // The bound is reached, by the first bucket of two.
        let (lowest, width) = HistogramBuckets.bounds(ofBucket: 256)
        #expect(width == 2 && Double(width) / Double(lowest) == HistogramBuckets.relativeError)
    }

    @Test("buckets follow each other without a gap up to the longest time")
    func bucketsFollowEachOtherWithoutAGapUpToTheLongestTime() {
        for index in 1..<HistogramBuckets.count {
            let (before, width) = HistogramBuckets.bounds(ofBucket: index - 1)
            #expect(HistogramBuckets.bounds(ofBucket: index).lowest == before + width)
        }
        #expect(HistogramBuckets.index(of: HistogramBuckets.longest) == HistogramBuckets.count - 1)
    }

    @Test(
        "a percentile is within the stated error of the exact one",
        arguments: [0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0])
    func aPercentileIsWithinTheStatedErrorOfTheExactOne(part: Double) throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var histogram = Histogram()
        var times: [UInt64] = []
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Values over nine orders of magnitude: the shift is random too.
            let time = (state >> 33) >> (state >> 8 & 31)
            times.append(time)
            histogram.add(nanoseconds: time)
        }
        times.sort()
        let exact = Double(times[max(0, Int((Double(times.count) * part).rounded(.up)) - 1)])
        let read = try #require(histogram.quantile(part))
        #expect(abs(read - exact) <= exact * HistogramBuckets.relativeError, "\(read) for \(exact)")
    }

    @Test("a recorder keeps outcomes apart and count, sum, minimum and maximum exact")
    func aRecorderKeepsOutcomesApartAndCountSumMinimumAndMaximumExact() throws {
        var recorder = LatencyRecorder()
        for time in [5, 1_000_003, 77] as [UInt64] { recorder.record(.memoryHit, nanoseconds: time) }
        recorder.record(.miss, nanoseconds: 0)
        let histograms = recorder.histograms
        let hits = try #require(histograms[.memoryHit])
        #expect((hits.count, hits.sum, hits.minimum, hits.maximum) == (3, 1_000_085, 5, 1_000_003))
        let misses = try #require(histograms[.miss])
        #expect((misses.count, misses.minimum, misses.maximum) == (1, 0, 0))
        #expect(Set(histograms.keys) == [.memoryHit, .miss])
        recorder.removeAll()
        let afterwards = recorder.histograms
        #expect(afterwards.isEmpty)
    }

    @Test("a time beyond the longest counts as the longest") func aTimeBeyondTheLongestCountsAsTheLongest() {
        var recorder = LatencyRecorder()
        recorder.record(.store, nanoseconds: .max)
        let histograms = recorder.histograms
        #expect(histograms[.store]?.maximum == HistogramBuckets.longest)
        var histogram = Histogram()
        #expect(histogram.mean == nil && histogram.quantile(0.5) == nil)
        histogram.add(nanoseconds: .max)
        #expect(histogram.sum == HistogramBuckets.longest && histogram == histograms[.store])
    }

    @Test("merging two histograms equals adding all values to one")
    func mergingTwoHistogramsEqualsAddingAllValuesToOne() {
        var first = Histogram()
        var second = Histogram()
        var both = Histogram()
        for time in 0..<3_000 as Range<UInt64> {
            let squared = time * time
            if time.isMultiple(of: 3) { first.add(nanoseconds: squared) } else { second.add(nanoseconds: squared) }
            both.add(nanoseconds: squared)
        }
        first.merge(second)
        #expect(first == both)
        first.merge(Histogram())
        #expect(first == both)
        // Nothing is shorter than the shortest of the other.
        both = Histogram()
        both.add(nanoseconds: 5)
        var empty = Histogram()
        empty.merge(both)
        #expect(empty == both && empty.minimum == 5)
    }

    @Test("a histogram survives its encoding") func aHistogramSurvivesItsEncoding() throws {
        var histogram = Histogram()
        for time in [3, 500, 500, 123_456_789] as [UInt64] { histogram.add(nanoseconds: time) }
        let decoded = try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(histogram))
        #expect(decoded == histogram)
    }

    @Test("damaged buckets are refused", arguments: ["[1]", "[99999999, 1]", "[18446744073709551615, 1]", "[-1, 2]"])
    func damagedBucketsAreRefused(buckets: String) {
        let text = #"{"buckets":\#(buckets),"sum":1,"minimum":1,"maximum":1}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Histogram.self, from: Data(text.utf8)) }
    }
}
