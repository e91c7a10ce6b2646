import Foundation
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Change of a reported row") struct ReportedRowTests {
    private static let times = ResultRow.curve.indices.map { Double($0) }

    /// A row of a result: an undisturbed time, or a typical one, with its interval.
    private static func row(_ time: Double, in interval: ClosedRange<Double>, isTypical: Bool = false) throws
        -> ReportedRow
    {
        let name = isTypical ? "over_sets" : "undisturbed"
        let entry: [String: JSONValue] = [
            "run_name": .text("a/b/c"), "run_type": .text("iteration"), name: .number(time),
            "\(name)_low": .number(interval.lowerBound), "\(name)_high": .number(interval.upperBound),
            "median_low": .number(1), "median_high": .number(2), "median": .number(1.5), "operations": .number(1_000),
            "quantiles": .list(Self.times.map { .number($0) }),
        ]
        return try #require(ReportedRow(.object(entry)))
    }

    @Test("the farther ends add as squares beyond the time as measured and at this clock, and noise is the least reach")
    func changes() throws {
        var random = Xoshiro256(seed: 71)
        for _ in 0..<200 {
            let isTypical = random.next(below: 2) == 0
            let ends = (0..<4).map { _ in exp(0.2 * random.nextUnit()) }
            let (first, second) = (10 + random.nextUnit(), 10 + random.nextUnit())
            let one = try Self.row(first, in: first / ends[0]...first * ends[1], isTypical: isTypical)
            let other = try Self.row(second, in: second / ends[2]...second * ends[3], isTypical: isTypical)
            let noise = 0.3 * random.nextUnit()
            let change = try #require(one.change(to: other, noise: noise, clocks: 0.01))
            let value = log(second / first) + (isTypical ? 0 : 0.01)
            let reaches = [log(max(ends[0], ends[1])), log(max(ends[2], ends[3]))]
            let reach = max(pow(reaches[0] * reaches[0] + reaches[1] * reaches[1], 0.5), log1p(noise))
            let interval = try #require(change.interval)
            #expect(abs(change.value - value) < 1e-9)
            #expect(abs(interval.upperBound - value - reach) < 1e-9)
            #expect(abs(log(second / first) - interval.lowerBound - reach) < 1e-9)
        }
    }

    @Test("another run's undisturbed time is told for this run's clock, and a typical one as measured, beside any row")
    func clockOfTheOther() throws {
        let (time, typical) = (try Self.row(10, in: 9...11), try Self.row(10, in: 9...11, isTypical: true))
        for row in [time, typical] {
            #expect(try abs(#require(row.time(of: time, clocks: log(1.5))) - 15) < 1e-9)
            #expect(row.time(of: typical, clocks: log(1.5)) == 10)
        }
    }

    @Test("the curve of latencies ends at the slowest of its operations, not at all of them") func curve() throws {
        let row = try Self.row(1, in: 1...1)
        #expect(row.curve.last?.x == 0.999 && row.curve.last?.y == Self.times.last)
        #expect(row.curve.allSatisfy { $0.x < 1 })
    }

    @Test("the time of a row is the undisturbed one, else that over sets, else the median; of stores the mean first")
    func time() throws {
        let figures: [String: JSONValue] = [
            "name": .text("a/b/c"), "run_type": .text("iteration"), "median": .number(12), "median_low": .number(9),
            "median_high": .number(14), "over_sets": .number(11), "over_sets_low": .number(10),
            "over_sets_high": .number(13), "undisturbed": .number(8), "undisturbed_low": .number(7),
            "undisturbed_high": .number(8.5),
        ]
        func row(_ without: [String], ratioOf: String) throws -> ReportedRow {
            var entry = figures.merging(["ratio_of": .text(ratioOf)]) { $1 }
            for name in without { entry[name] = nil }
            return try #require(ReportedRow(.object(entry)))
        }
        let cases: [(without: [String], ratioOf: String, time: Double, interval: ClosedRange<Double>, typical: Bool)] =
            [
                ([], "undisturbed", 8, 7...8.5, false), (["undisturbed"], "undisturbed", 11, 10...13, true),
                ([], "mean", 11, 10...13, false), (["undisturbed"], "mean", 11, 10...13, false),
                (["over_sets"], "mean", 8, 7...8.5, false), (["undisturbed", "over_sets"], "mean", 12, 9...14, false),
                (["undisturbed", "over_sets"], "undisturbed", 12, 9...14, true),
                (["undisturbed", "over_sets"], "typical", 12, 9...14, false),
            ]
        for next in cases {
            let row = try row(next.without, ratioOf: next.ratioOf)
            #expect(row.time == next.time && row.timeInterval == next.interval && row.isTypical == next.typical)
        }
    }

    @Test("a row of another program is a peer's unless its last part is the usual subject") func subject() throws {
        func row(_ name: String) throws -> ReportedRow {
            try #require(ReportedRow(.object(["name": .text(name), "run_type": .text("iteration")])))
        }
        #expect(try !row("a/b/tiered").isPeer && row("a/b/x").isPeer)
        #expect(try row("a/b/d/x").name == "a/b/d/x" && row("a/b/d/x").case == "b/d" && row("a/b/d/x").subject == "x")
    }

    @Test("a faster clock of the other run makes its equal time a longer one") func clocks() {
        func context(_ gigahertz: Double) -> JSONValue {
            .object(["noise": .object(["reference_clock_ghz": .number(gigahertz)])])
        }
        #expect(abs(RunConditions.clocks(context(2), context(3)) - log(1.5)) < 1e-12)
        #expect(RunConditions.clocks(context(0), context(3)) == 0 && RunConditions.clocks(.null, context(3)) == 0)
    }
}
