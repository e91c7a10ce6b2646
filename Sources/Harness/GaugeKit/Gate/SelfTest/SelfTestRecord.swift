/// A line of a self-test's log.
enum SelfTestRecord: Codable, Equatable, Sendable {
    case settings(Settings)
    case instructions(Instructions)
    case round(Round)

    /// What all rounds of a log have in common. The first line.
    struct Settings: Codable, Equatable, Sendable {
        let seed: UInt64
        let delta: Double
        /// How long a round may take.
        let seconds: Double
        let benchmarks: [String]
    }

    /// That planted work is executed: instructions of one operation, as callgrind counts them.
    struct Instructions: Codable, Equatable, Sendable {
        let benchmark: String
        let size: Double
        let without: Double
        let with: Double
    }

    /// What a round has decided.
    struct Round: Codable, Equatable, Sendable {
        /// From 0.
        let number: Int
        let seconds: Double
        let decisions: [Decision]
    }

    /// One benchmark of a round.
    struct Decision: Codable, Equatable, Sendable {
        let benchmark: String
        /// The part of extra work that the current arm did; 0 for a clean one.
        let planted: Double
        let verdict: TimeJudgement.Verdict
        let doubt: String?
        /// Ratio of times less 1, with the interval that was judged.
        let change: Double?
        let low: Double?
        let high: Double?
        /// Ratio less 1 of the base against itself, and of the padded base against the base.
        let same: Double?
        let layout: Double?
        /// The smallest effect that the round could have seen.
        let resolution: Double?
        let sets: Int
        /// Why it was not measured.
        let failure: String?
    }
}
