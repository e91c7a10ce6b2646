/// How a set of processes is measured.
package struct TrialPlan: Equatable, Sendable {
    package enum Length: Equatable, Sendable {
        /// This many slices of each arm, or where operations are timed one by one the second number, or the fewest once a
        /// set has taken so many seconds.
        case rows(Int, timed: Int, least: Int, seconds: Double)
        /// As many slices as fit into the seconds, at least so many.
        case seconds(Double, least: Int)
    }

    /// The length of a slice, milliseconds, and of one where operations are timed one by one. Brief disturbances average
    /// out over shorter slices, and longer ones affect all arms alike.
    package let slice: Double
    package let timedSlice: Double
    package let length: Length
    /// The most that a set may be stretched where work comes in rare bursts.
    package let mostStretch: Double

    /// Slices before those that count. They alternate as well: where files of megabytes are read, an arm that warmed up
    /// last is faster by 4 % for as long as eight slices.
    package static let warmUps = 2
    /// The length of a slice of an operation that is otherwise timed in batches, milliseconds, and the most slices of each
    /// arm in a set.
    package static let tailSlice = 2.0
    package static let tailSlices = 12
    /// The bursts that a set should see, so that one more or less matters little.
    package static let burstsOfSet = 8.0

    /// The plan of a gate.
    package static let gate = TrialPlan(
        slice: 4, timedSlice: 4, length: .rows(16, timed: 32, least: 6, seconds: 1.5), mostStretch: 8)

    /// The plan of a comparison of so many seconds: a set takes 1/32 of them. Sets shorter than 40 ms spend most of their
    /// time on starting processes; longer ones than 250 ms repeat what is known.
    package static func comparison(seconds: Double) -> TrialPlan {
        let set = min(max(seconds / 32, 0.04), 0.25)
        return TrialPlan(slice: 2, timedSlice: 4, length: .seconds(set, least: 8), mostStretch: seconds < 5 ? 1 : 4)
    }

    /// Whether a set has all its slices, or enough of them for the time that it took.
    package func isComplete(rows: Int, seconds: Double, isTimed: Bool, stretch: Double = 1) -> Bool {
        switch length {
        case .rows(let all, let timed, let least, let longest):
            Double(rows) >= Double(isTimed ? timed : all) * stretch || rows >= least && seconds > longest * stretch
        case .seconds(let set, let least): rows >= least && seconds >= set * stretch
        }
    }

    /// The slices beside those of the time in which operations are timed one by one. Timed operations need none, and a
    /// short set has few.
    package static func tailRows(after rows: Int, isTimed: Bool) -> Int {
        isTimed ? 0 : min(tailSlices, max(1, rows / 4))
    }

    /// How many times as long as usual the next set measures: where the sets so far saw pauses, but few in each, their
    /// number in a set is chance, and with it the mean.
    package func stretch(after sets: [SetRecord]) -> Double {
        let usual = sets.reduce(0) { $0 + $1.stretch }
        guard sets.count >= 2, usual > 0 else { return 1 }
        let seen =
            (sets[0].arms.indices).map { arm in
                sets.reduce(0) { $0 + Double($1.arms[arm].course?.bursts ?? 0) } / usual
            }.max() ?? 0
        return seen > 0 ? min(max(Self.burstsOfSet / seen, 1), mostStretch) : 1
    }
}
