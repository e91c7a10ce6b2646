/// What is read of the JSON of `run`.
struct RunResults: Decodable {
    struct Row: Decodable {
        let name: String
        let aggregate: String?
        let repetitions: Int
        let ratioOf: String?
        let undisturbed, overSets, median: Double?
        let hitRatio: Double?
        let wrong: Int?
        let failure: String?

        private enum CodingKeys: String, CodingKey {
            case name = "run_name"
            case aggregate = "aggregate_name"
            case ratioOf = "ratio_of"
            case overSets = "over_sets"
            case hitRatio = "hit_ratio"
            case failure = "error_message"
            case repetitions, undisturbed, median, wrong
        }

        /// The time that the harness's table shows: that of stores is the mean.
        var time: Double? { (ratioOf == "mean" ? overSets : undisturbed) ?? median }
    }

    let benchmarks: [Row]

    /// A row as a whole: of several sets the aggregate named median has it.
    func row(_ name: String) -> Row? {
        benchmarks.first { $0.name == name && ($0.repetitions == 1 || $0.aggregate == "median") }
    }
}

/// What is read of the JSON of `verify`.
struct VerifyResults: Decodable {
    struct Finding: Decodable {
        let promise: String
        let verdict: String
    }

    let kept: Int
    let broken: Int
    let promises: [Finding]

    /// The names of the promises with a verdict.
    func names(_ verdict: String) -> [String] { promises.filter { $0.verdict == verdict }.map(\.promise) }
}
