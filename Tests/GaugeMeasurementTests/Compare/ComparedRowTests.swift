import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Row of a comparison") struct ComparedRowTests {
    private static let pairs: [(a: Double, b: Double)] = [(10, 13), (20, 27), (40, 50), (80, 90), (15, 22)]

    private static func sets(_ count: Int) -> [SetRecord] {
        pairs.prefix(count).map { pair in
            var set = SetRecord(ratio: 1, times: pair)
            (set.arms[0].wrong, set.arms[1].wrong) = (2, 5)
            return set
        }
    }

    @Test("the ratio is the power of the mean logarithm, the times are the middle ones, and all rows share the error")
    func measured() throws {
        let row = ComparedRow(name: "a/b/c", Self.sets(5), .comparison(delta: 0.005, comparisons: 9))
        // Of five sets the lowest and the highest are left out.
        let logs = Self.pairs.map { log($0.b / $0.a) }.sorted()[1...3]
        #expect(abs(try #require(row.ratio) - exp(logs.reduce(0, +) / 3)) < 1e-12)
        #expect(row.times.a == 20 && row.times.b == 27 && row.sets == 5 && row.name == "a/b/c")
        let one = ComparedRow(name: "a/b/c", Self.sets(5), .comparison(delta: 0.005))
        #expect(try #require(one.interval).upperBound < #require(row.interval).upperBound)
        #expect(row.remarks == ["A gave 2 wrong answers", "B gave 5 wrong answers"])
    }

    @Test("too few sets are told with the number that is needed") func few() {
        let row = ComparedRow(name: "a/b/c", Self.sets(3), .comparison(delta: 0.005))
        #expect(row.ratio == nil && row.interval == nil && row.verdict == .inconclusive)
        #expect(row.remarks.last == "3 sets of processes, 4 are needed; give it more --seconds")
        #expect(row.remarks.count == 3)
    }

    @Test("without any set there are no times, and no answer was wrong") func none() {
        let row = ComparedRow(name: "a/b/c", [], .comparison(delta: 0.005))
        #expect(row.times.a == nil && row.times.b == nil && row.sets == 0)
        #expect(row.remarks == ["0 sets of processes, 4 are needed; give it more --seconds"])
    }

    @Test("a row in bursts has means as its times, says so, and says how rare a pause it could have missed")
    func bursts() {
        let sets = (0..<8).map { SetRecord(ratio: 1.3, mean: 0.9 + Double($0) * 1e-4) }
        let row = ComparedRow(name: "a/b/c", sets, .comparison(delta: 0.005))
        #expect(row.face == .bursts && row.verdict == .better)
        #expect(row.times.a == 100 && abs((row.times.b ?? 0) - 90) < 0.1)
        // Eight sets of 100,000 operations, of which twenty bursts are asked.
        #expect(
            row.remarks == [
                "in bursts: judged by the mean; pauses that are rarer than 1 in 40000 operations were not seen often enough"
            ])
        #expect(ComparisonReport.sentence(row)?.contains("times faster than A on average") == true)
    }
}
