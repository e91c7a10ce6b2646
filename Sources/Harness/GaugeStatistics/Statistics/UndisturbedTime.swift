/// The time of an operation in one process while nothing else disturbs it: the lower quartile of the measured times.
///
/// Disturbances only lengthen a time, so the lower part of the distribution is the one that repeats (Chen and Revels,
/// "Robust benchmarking in noisy environments", 2016, who take the minimum). A minimum depends on the number of
/// measurements and on a single lucky one; the lower quartile does not, and it stays in the fast mode as long as a
/// quarter of the measurements are. Only those count that ran without interruption and, by the probes beside them, at full
/// speed (see `FullSpeed`).
package enum UndisturbedTime {
    package static let part = 0.25
    /// The number of undisturbed times that a set needs, unless a quarter of its times are fewer.
    package static let least = 6

    /// - Parameter times: all times of a set, each with whether it was measured at full speed and without interruption.
    /// - Returns: `nil` when too few were undisturbed.
    package static func of(_ times: [(time: Double, isUndisturbed: Bool)]) -> Double? {
        let undisturbed = times.filter(\.isUndisturbed).map(\.time)
        guard undisturbed.count >= max(1, min(least, times.count / 4)) else { return nil }
        return Samples(undisturbed).quantile(part)
    }

    /// This number of sets with an undisturbed time is enough, however many sets have only a typical one.
    package static let enoughSets = 4

    /// Whether so many sets with an undisturbed time are enough for a figure: four, or a quarter of all, and two, or one
    /// of two.
    ///
    /// One set has no interval, and so its figure says little about other processes.
    package static func isEnough(_ undisturbed: Int, of sets: Int) -> Bool {
        guard undisturbed < enoughSets else { return true }
        return undisturbed > 0 && undisturbed * 4 >= sets && (undisturbed > 1 || sets <= 2)
    }
}
