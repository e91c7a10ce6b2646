/// How many values lie far above the others, by Tukey's fences ("Exploratory Data Analysis", 1977): beyond 1.5 times the
/// distance of the quartiles above the upper one, and beyond 3 times.
///
/// They are counted and kept: an interruption is part of what a caller sees, and no figure leaves it out.
package struct Outliers: Equatable {
    /// Beyond 1.5 times, the far ones among them.
    package var high = 0
    /// Beyond 3 times.
    package var far = 0
    /// All values.
    package var total = 0

    /// None of none.
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
