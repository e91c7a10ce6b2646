import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// A ratio means the same in a good hour and in a bad one, with the mark and without.
@Suite("Ratios of a bad hour") struct BadHourTests {
    /// Both feel the machine's moods alike, or the reference does and the other hardly.
    static let feelings = [1.0, 0.2]

    private static func subjects(_ feeling: Double) -> [BadHour.Subject] {
        [BadHour.Subject(time: 20, feeling: 1), BadHour.Subject(time: 150, feeling: feeling)]
    }

    /// The second row in 20 hours, and the ratio of a quiet one.
    private static func hours(
        _ feeling: Double, _ disturbance: BadHour.Disturbance, part: Double
    ) throws -> (quiet: Double, rows: [ResultRow]) {
        var good = BadHour(seed: 100, part: 0)
        let quiet = try #require(good.rows(subjects(feeling), sets: 60)[1].ratio)
        #expect(abs(quiet / 7.5 - 1) < 0.003)
        let rows = (0..<20 as Range<UInt64>).map { seed in
            var hour = BadHour(seed: seed, disturbance, part: part)
            return hour.rows(subjects(feeling))[1]
        }
        return (quiet, rows)
    }

    /// How many of the ratios lie within their own intervals of the quiet one.
    private static func agreeing(_ rows: [ResultRow], _ quiet: Double) -> Int {
        rows.count { $0.ratioInterval?.contains(quiet) == true }
    }

    @Test(
        "where four slices of five are slowed, the ratio is that of a quiet hour, within its interval",
        arguments: BadHour.Disturbance.allCases, feelings)
    func mostSlices(_ disturbance: BadHour.Disturbance, feeling: Double) throws {
        let (quiet, rows) = try Self.hours(feeling, disturbance, part: 0.8)
        #expect(Self.agreeing(rows, quiet) >= 19)
        #expect(rows.allSatisfy { ($0.ratioError ?? 1) < 0.03 })
    }

    @Test(
        "where hardly a slice is at full speed, it is so too, with the mark and a wider interval",
        arguments: BadHour.Disturbance.allCases, feelings)
    func nearlyAllSlices(_ disturbance: BadHour.Disturbance, feeling: Double) throws {
        let (quiet, rows) = try Self.hours(feeling, disturbance, part: 0.99)
        let marked = rows.filter { $0.ratioMark == ResultRow.slowMark }
        #expect(marked.count >= 10, "\(marked.count) of 20 are marked")
        #expect(Self.agreeing(rows, quiet) >= 19)
        #expect(marked.allSatisfy { ($0.ratioError ?? 1) < 0.15 })
        let errors = try #require(Samples(marked.compactMap(\.ratioError)).median)
        let usual = try Self.hours(feeling, disturbance, part: 0).rows.compactMap(\.ratioError)
        #expect(try errors > #require(Samples(usual).median))
    }
}
