import GaugeStatistics

/// How long a run measures, how much in each set, and when a row is precise enough.
package struct RunPlan: Sendable {
    package static let defaultSeconds = 45.0

    /// The time after which no set begins that would end later, seconds.
    package var seconds = RunPlan.defaultSeconds
    /// The most sets of each case; `nil` for as many as there is time for.
    package var sets: Int?
    /// Slices of each benchmark in a set; `nil` for a number that suits the preparation.
    package var samples: Int?
    /// A benchmark is measured no further once the intervals of its time and ratio reach at most this part of them to
    /// either side: 0.01 for one per cent. `nil` measures on.
    package var precision: Double?

    package init(
        seconds: Double = RunPlan.defaultSeconds, sets: Int? = nil, samples: Int? = nil, precision: Double? = nil
    ) {
        self.seconds = seconds
        self.sets = sets
        self.samples = samples
        self.precision = precision
    }

    /// The fewest sets after which a benchmark can be precise enough: the spread of fewer says little.
    package static let leastSets = 5

    /// Whether a benchmark with these rows needs no more sets.
    package func isPrecise(_ rows: [ResultRow]) -> Bool {
        guard let precision else { return false }
        return rows.allSatisfy { row in
            guard row.measuredSets.count >= Self.leastSets else { return false }
            // Every set has its own clock rate in common with its run; more of them do not make a time more certain.
            let time = SetEstimate.of(row.measuredSets.compactMap(\.undisturbed))?.error
            let errors = [time, row.ratioInterval == nil ? nil : row.ratioError].compactMap(\.self)
            return !errors.isEmpty && errors.allSatisfy { $0 <= precision }
        }
    }
}
