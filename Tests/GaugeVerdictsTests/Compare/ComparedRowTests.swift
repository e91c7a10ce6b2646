import Foundation
import Testing

@testable import GaugeSupport
@testable import GaugeVerdicts

@Suite("Row of a comparison")
struct ComparedRowTests {
    private static let pairs: [(a: Double, b: Double)] = [(10, 13), (20, 27), (40, 50), (80, 90), (15, 22)]

    private static func result(_ count: Int) throws -> PairedTiming.Result {
        var result = PairedTiming.Result(sets: try pairs.prefix(count).map { try #require(PairedSet([$0])) })
        result.wrong = (2, 5)
        return result
    }

    @Test("the ratio is the power of the mean logarithm, the times are the middle ones, and all rows share the error")
    func measured() throws {
        let row = ComparedRow(name: "a/b/c", try Self.result(5), delta: 0.005, comparisons: 9)
        // Of five sets the lowest and the highest are left out.
        let logs = Self.pairs.map { log($0.b / $0.a) }.sorted()[1...3]
        #expect(abs(try #require(row.ratio) - exp(logs.reduce(0, +) / 3)) < 1e-12)
        #expect(row.times.a == 20 && row.times.b == 27 && row.sets == 5 && row.name == "a/b/c")
        let nine = PairedVerdict(try Self.result(5).sets, delta: 0.005, comparisons: 9)
        let one = PairedVerdict(try Self.result(5).sets, delta: 0.005)
        let (interval, wide) = (try #require(row.interval), try #require(nine.interval))
        #expect(interval == exp(wide.lowerBound)...exp(wide.upperBound) && row.kind == nine.kind)
        #expect(try #require(one.interval).upperBound < wide.upperBound)
        #expect(row.remarks == ["A gave 2 wrong answers", "B gave 5 wrong answers"])
    }

    @Test("too few sets are told with the number that is needed")
    func few() throws {
        let row = ComparedRow(name: "a/b/c", try Self.result(3), delta: 0.005, comparisons: 1)
        #expect(row.ratio == nil && row.interval == nil && row.kind == .inconclusive)
        #expect(row.remarks.last == "3 sets of processes, 4 are needed; give it more --seconds")
        #expect(row.remarks.count == 3)
    }

    @Test("without any set there are no times, and no answer was wrong") func none() {
        let row = ComparedRow(name: "a/b/c", PairedTiming.Result(sets: []), delta: 0.005, comparisons: 1)
        #expect(row.times.a == nil && row.times.b == nil && row.sets == 0)
        #expect(row.remarks == ["0 sets of processes, 4 are needed; give it more --seconds"])
    }
}
