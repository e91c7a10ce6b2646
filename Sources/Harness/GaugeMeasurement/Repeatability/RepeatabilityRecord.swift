/// What the log of `run --self-test` holds.
package enum RepeatabilityRecord {
    package typealias Line = SelfTestLine<Settings, Run>

    /// The settings shared by all runs of a log, in its first line.
    package struct Settings: Codable, Equatable, Sendable {
        package let seed: UInt64
        /// How long each run measures, seconds.
        package let seconds: Double
        package let sets: Int?
        package let samples: Int?
        /// Threads that keep processors busy during the runs.
        package let busy: Int?
        package let benchmarks: [String]

        package init(seed: UInt64, plan: RunPlan, busy: Int = 0, benchmarks: [String]) {
            self.seed = seed
            seconds = plan.seconds
            sets = plan.sets
            samples = plan.samples
            self.busy = busy > 0 ? busy : nil
            self.benchmarks = benchmarks
        }
    }

    package struct Run: Codable, Equatable, Sendable {
        /// From 0.
        package let number: Int
        /// Seconds since 1970.
        package let date: Double
        package let seconds: Double
        package var stolen: Double?
        package var loadBefore: Double?
        package var loadAfter: Double?
        package var fullSpeed: Double?
        /// The clock rate, gigahertz. All runs convert their times to the first run's.
        package var clock: Double?
        /// Differences of benchmarks measured against themselves.
        package var pairs: [Double] = []
        package let rows: [Row]
    }

    /// One row of a run. Times are nanoseconds.
    package struct Row: Codable, Equatable, Sendable {
        package let name: String
        package var time: Figure?
        package var typical: Double?
        /// The ratio to the reference; `nil` for the reference itself.
        package var ratio: Figure?
        package var allocations: Double?
        package var sets = 0
    }

    package struct Figure: Codable, Equatable, Sendable {
        package let value: Double
        package let low: Double?
        package let high: Double?

        package init(_ value: Double, _ interval: ClosedRange<Double>?) {
            self.value = value
            low = interval?.lowerBound
            high = interval?.upperBound
        }

        /// Whether the interval contains `truth`; `nil` without one.
        func covers(_ truth: Double) -> Bool? {
            guard let low, let high else { return nil }
            return low <= truth && truth <= high
        }
    }
}

extension RepeatabilityRecord.Row {
    init(_ row: ResultRow) {
        typealias Figure = RepeatabilityRecord.Figure
        let ratio = row.ratioInterval.flatMap { interval in row.ratio.map { Figure($0, interval) } }
        self.init(
            name: row.name.description, time: row.undisturbed.map { Figure($0.value, $0.interval) },
            typical: row.median, ratio: row.isRatioPaired ? nil : ratio, allocations: row.allocations,
            sets: row.measuredSets.count)
    }
}
