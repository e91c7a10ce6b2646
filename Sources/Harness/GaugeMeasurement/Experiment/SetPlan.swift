/// How a set of processes is measured.
package struct SetPlan: Equatable, Sendable {
    package enum Length: Equatable, Sendable {
        /// So many slices of each arm (`timed` of them if operations are timed one by one), or `least` once a set has
        /// taken so many seconds.
        case rows(Int, timed: Int, least: Int, seconds: Double)
        /// As many slices as fit into the seconds, at least `least`.
        case seconds(Double, least: Int)
        /// So many slices of each arm, fewer of one whose operations take longer than a slice.
        case shares(Int)
    }

    /// The length of a slice, milliseconds, and of one with operations timed one by one. Brief disturbances average out
    /// over shorter slices, and longer ones affect all arms alike.
    package let slice: Double
    package let timedSlice: Double
    package let length: Length
    /// The most that a set is stretched if work comes in rare bursts.
    package let mostStretch: Double

    /// Slices before those that count. They alternate as well: if files of megabytes are read, the arm that warmed up
    /// last is faster by 4 % for as long as eight slices.
    package static let warmUps = 2
    /// The length of a slice of single operations that are otherwise timed in batches, milliseconds, and the most such
    /// slices of each arm in a set.
    package static let tailSlice = 2.0
    package static let tailSlices = 12
    /// A set should see so many bursts, so that one more or less matters little.
    package static let burstsOfSet = 8.0

    /// The length of a slice of a run and of the gate, milliseconds.
    package static let usualSlice = 4.0
    /// The length of a slice of a run that measures by time, milliseconds. A queue of requests outlives short ones.
    package static let longSlice = 100.0
    /// The longest warming of caches before a slice of a run, milliseconds.
    package static let warming = 24.0
    /// The fewest and the most slices of a set of a run, unless `RunPlan.samples` says otherwise.
    package static let sliceCounts = 6...48

    package static let gate = SetPlan(
        slice: usualSlice, timedSlice: usualSlice, length: .rows(16, timed: 32, least: 6, seconds: 1.5), mostStretch: 8)

    /// The plan of a comparison of so many seconds: a set takes 1/32 of them. Sets shorter than 40 ms mostly start
    /// processes; sets longer than 250 ms repeat what is known.
    package static func comparison(seconds: Double) -> SetPlan {
        let set = min(max(seconds / 32, 0.04), 0.25)
        return SetPlan(slice: 2, timedSlice: 4, length: .seconds(set, least: 8), mostStretch: seconds < 5 ? 1 : 4)
    }

    /// The plan of a set of a run, once its arms are prepared.
    ///
    /// Its slices take about half as long as preparing did. With fewer, the run would mostly prepare, and more from one
    /// process repeat what the first ones say.
    ///
    /// - Parameters:
    ///   - samples: slices of each arm instead.
    ///   - seconds: how long to measure instead, in longer slices.
    ///   - preparing: how long preparing took, seconds.
    package static func run(samples: Int? = nil, seconds: Double? = nil, preparing: Double, arms: Int) -> SetPlan {
        func fitting(_ seconds: Double, _ slice: Double) -> Int {
            Int(min(seconds * 1_000 / (slice * Double(max(1, arms))), 1e9))
        }
        let bounds = sliceCounts
        let usual = min(max(fitting(preparing / 2, usualSlice), bounds.lowerBound), bounds.upperBound)
        let slice = seconds == nil ? usualSlice : longSlice
        let count = seconds.map { max(1, fitting($0, longSlice)) } ?? samples ?? usual
        return SetPlan(slice: slice, timedSlice: slice, length: .shares(count), mostStretch: 1)
    }

    /// The time of each arm in a set of a run, milliseconds; `nil` if arms are compared.
    package var share: Double? {
        if case .shares(let count) = length { slice * Double(count) } else { nil }
    }

    /// Whether a set has all its slices, or enough for the time that it took.
    package func isComplete(rows: Int, seconds: Double, isTimed: Bool, stretch: Double = 1) -> Bool {
        switch length {
        case .rows(let all, let timed, let least, let longest):
            Double(rows) >= Double(isTimed ? timed : all) * stretch || rows >= least && seconds > longest * stretch
        case .seconds(let set, let least): rows >= least && seconds >= set * stretch
        case .shares(let count): rows >= count
        }
    }

    /// The additional slices with operations timed one by one. Timed operations need none, and a short set has few.
    package static func tailRows(after rows: Int, isTimed: Bool) -> Int {
        isTimed ? 0 : min(tailSlices, max(1, rows / 4))
    }

    /// How many times as long as usual the next set measures: if the sets saw few pauses each, chance decides how many,
    /// and with it the mean.
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
