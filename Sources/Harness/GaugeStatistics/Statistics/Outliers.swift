/// The number of values far above the others, by Tukey's fences ("Exploratory Data Analysis", 1977): more than 1.5
/// times the interquartile range above the upper quartile, and more than 3 times.
///
/// They are counted and kept: an interruption is part of the time that a caller sees, and every figure includes them.
package struct Outliers: Equatable {
    /// Values beyond 1.5 times, including the far ones.
    package var high = 0
    /// Values beyond 3 times.
    package var far = 0
    /// The number of all values.
    package var total = 0

    /// Creates empty counts.
    package init() {}

    package init(_ tally: Tally) {
        guard let lower = tally.quantile(0.25), let upper = tally.quantile(0.75) else { return }
        let distance = upper - lower
        func beyond(_ times: Double) -> Int {
            let count = tally.entries.lazy.filter { $0.value > upper + times * distance }.reduce(0) { $0 + $1.count }
            return Int(clamping: count)
        }
        (high, far, total) = (beyond(1.5), beyond(3), Int(clamping: tally.count))
    }
}
