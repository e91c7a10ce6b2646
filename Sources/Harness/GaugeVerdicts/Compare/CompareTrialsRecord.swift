/// A line of the log of `compare --self-test`.
package enum CompareTrialsRecord: Codable, Equatable, Sendable {
    case settings(Settings)
    case attempt(CompareTrials.Try)

    /// The settings that all tries of a log share, in its first line.
    package struct Settings: Codable, Equatable, Sendable {
        package let seed: UInt64
        package let benchmarks: [String]
        package let delta: Double

        package init(seed: UInt64, benchmarks: [String], delta: Double) {
            self.seed = seed
            self.benchmarks = benchmarks
            self.delta = delta
        }
    }
}

extension LineLog<CompareTrialsRecord> {
    package var settings: CompareTrialsRecord.Settings? {
        if case .settings(let settings)? = records.first { settings } else { nil }
    }

    package var tries: [CompareTrials.Try] {
        records.compactMap { if case .attempt(let attempt) = $0 { attempt } else { nil } }
    }
}
