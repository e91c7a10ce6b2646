import GaugeSupport

/// What one set of processes measured.
package struct SetRecord: Equatable, Sendable {
    /// One arm. Times are nanoseconds of one operation.
    package struct Arm: Equatable, Sendable {
        /// The time in each slice (see `SliceReply.time`). Slices with the same number ran one after another.
        package var times: [Double] = []
        /// What all slices cost; `nil` if unknown.
        package var course: ArmCourse?
        /// Percentiles of operations timed one by one, by figure; those at one position come from slices that ran one
        /// after another.
        package var percentiles: [String: [Double]] = [:]
        package var wrong = 0

        package var time: Double? { times.isEmpty ? nil : times.sorted()[times.count / 2] }
    }

    package var arms: [Arm]
    /// How many times as long as usual it measured (see `SetPlan.stretch`).
    package var stretch = 1.0
    /// Why percentiles are unknown, in all sets.
    package var tailObstacle: String?

    /// Whether all processes shared one processor.
    package var isBound = true
}

extension SetRecord {
    /// - Parameters:
    ///   - tails: rows of histograms of single operations, one per arm, measured one after another.
    package init(slices: [[SliceReply]], tails: [[Histogram]], stretch: Double = 1, tailObstacle: String? = nil) {
        let speed = FullSpeed(of: slices.joined())
        var arms = slices.map { reports in
            Arm(times: reports.map(\.time), course: ArmCourse(reports, speed: speed), wrong: reports.last?.wrong ?? 0)
        }
        var obstacle = tailObstacle
        if obstacle == nil {
            for (figure, part, least) in JudgedFigure.percentiles {
                let rows = Self.percentiles(tails, part: part, least: least)
                for arm in arms.indices where !rows.isEmpty {
                    arms[arm].percentiles[figure.rawValue] = rows.map { $0[arm] }
                }
            }
            let operations = arms.indices.map { arm in tails.reduce(0) { $0 + $1[arm].count } }.min() ?? 0
            let least = JudgedFigure.percentiles[0].leastOperations
            if operations < least {
                obstacle = "a set of processes has \(operations) operations of each build, and \(least) are needed"
            }
        }
        self.init(arms: arms, stretch: stretch, tailObstacle: obstacle)
    }

    /// Each arm's percentile, one row per group of slices: as many as give each arm enough operations.
    static func percentiles(_ rows: [[Histogram]], part: Double, least: UInt64) -> [[Double]] {
        var found: [[Double]] = []
        var pending: [Histogram] = []
        for row in rows {
            if pending.isEmpty { pending = row.map { _ in Histogram() } }
            for (arm, slice) in row.enumerated() { pending[arm].merge(slice) }
            guard pending.allSatisfy({ $0.count >= least }) else { continue }
            found.append(pending.map { max($0.quantile(part) ?? 0, 1) })
            pending = []
        }
        return found
    }
}
