import TestSupport
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

    private static let hourCount = nightly(20, else: 8)

    /// The ratio of a quiet hour.
    private static func quiet(_ feeling: Double) throws -> Double {
        var good = BadHour(seed: 100, part: 0)
        let quiet = try #require(good.rows(subjects(feeling), sets: 60)[1].ratio)
        #expect(abs(quiet / 7.5 - 1) < 0.003)
        return quiet
    }

    /// The second row in each of some hours.
    private static func hours(_ feeling: Double, _ disturbance: BadHour.Disturbance, part: Double) -> [ResultRow] {
        (0..<UInt64(hourCount)).map { seed in
            var hour = BadHour(seed: seed, disturbance, part: part)
            return hour.rows(subjects(feeling))[1]
        }
    }

    /// How many of the ratios lie within their own intervals of the quiet one.
    private static func agreeing(_ rows: [ResultRow], _ quiet: Double) -> Int {
        rows.count { $0.ratioInterval?.contains(quiet) == true }
    }

    @Test(
        "where four slices of five are slowed, the ratio is that of a quiet hour, within its interval",
        arguments: BadHour.Disturbance.allCases, feelings)
    func mostSlices(_ disturbance: BadHour.Disturbance, feeling: Double) throws {
        let rows = Self.hours(feeling, disturbance, part: 0.8)
        #expect(try Self.agreeing(rows, Self.quiet(feeling)) >= Self.hourCount - 1)
        #expect(rows.allSatisfy { ($0.ratioError ?? 1) < 0.03 })
    }

    @Test(
        "where hardly a slice is at full speed, it is so too, with the mark and a wider interval",
        arguments: BadHour.Disturbance.allCases, feelings)
    func nearlyAllSlices(_ disturbance: BadHour.Disturbance, feeling: Double) throws {
        let rows = Self.hours(feeling, disturbance, part: 0.99)
        let marked = rows.filter { $0.ratioMark == ResultRow.slowMark }
        #expect(marked.count >= Self.hourCount / 2, "\(marked.count) of \(Self.hourCount) are marked")
        #expect(try Self.agreeing(rows, Self.quiet(feeling)) >= Self.hourCount - 1)
        #expect(marked.allSatisfy { ($0.ratioError ?? 1) < 0.15 })
        let errors = try #require(Samples(marked.compactMap(\.ratioError)).median)
        let usual = Self.hours(feeling, disturbance, part: 0).compactMap(\.ratioError)
        #expect(try errors > #require(Samples(usual).median))
    }
}
