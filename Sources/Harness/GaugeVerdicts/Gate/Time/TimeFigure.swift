/// One judged time of a benchmark: its mean, or its 99th percentile.
package struct TimeFigure {
    package let name: String
    package let judgement: TimeJudgement
    /// The largest relative difference that counts as equivalent.
    package let delta: Double
    /// The reason why it was not measured.
    package let failure: String?
}
