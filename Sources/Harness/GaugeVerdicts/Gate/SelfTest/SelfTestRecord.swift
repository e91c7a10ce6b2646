/// A line of a self-test's log.
package enum SelfTestRecord: Codable, Equatable, Sendable {
    case settings(Settings)
    case instructions(Instructions)
    case round(Round)

    /// The settings that all rounds of a log share, in its first line.
    package struct Settings: Codable, Equatable, Sendable {
        package let seed: UInt64
        package let delta: Double
        /// The time limit of a round, seconds.
        package let seconds: Double
        package let benchmarks: [String]
    }

    /// Evidence that the planted work is executed: instructions of one operation, as callgrind counts them.
    package struct Instructions: Codable, Equatable, Sendable {
        package let benchmark: String
        package let size: Double
        package let without: Double
        package let with: Double
    }

    /// The decisions of a round.
    package struct Round: Codable, Equatable, Sendable {
        /// The number of the round, from 0.
        package let number: Int
        package let seconds: Double
        package let decisions: [Decision]

        package init(number: Int, seconds: Double, decisions: [Decision]) {
            self.number = number
            self.seconds = seconds
            self.decisions = decisions
        }

        /// - Parameter nanoseconds: the length of the round, which is kept to a tenth of a second.
        init(number: Int, nanoseconds: UInt64, decisions: [Decision]) {
            self.init(number: number, seconds: (Double(nanoseconds) / 1e8).rounded() / 10, decisions: decisions)
        }
    }

    /// One benchmark of a round.
    package struct Decision: Codable, Equatable, Sendable {
        package let benchmark: String
        /// The part of extra work in the current build; 0 for a clean decision.
        package let planted: Double
        package let verdict: TimeJudgement.Verdict
        package let doubt: String?
        /// The ratio of times minus 1, with the interval that was judged.
        package let change: Double?
        package let low: Double?
        package let high: Double?
        /// The ratio minus 1 of the base against itself, and of the padded base against the base.
        package let same: Double?
        package let layout: Double?
        /// The smallest effect that the round could detect.
        package let resolution: Double?
        package let sets: Int
        /// The reason why the benchmark was not measured.
        package let failure: String?
        /// The verdict on the 99th percentile, and its ratio minus 1; `nil` where it cannot be judged, and in an older log.
        package var tail: TimeJudgement.Verdict?
        package var tailChange: Double?
    }
}
