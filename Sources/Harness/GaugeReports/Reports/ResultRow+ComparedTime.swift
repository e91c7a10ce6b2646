import GaugeMeasurement

extension ResultRow {
    /// The time by which the row is compared, nanoseconds: the undisturbed one, or the mean of stores and mixtures.
    package var comparedTime: Double? { comparison == .mean ? mean : undisturbed?.value }

    /// The larger distance from `comparedTime` to an end of its interval, as a part of it; means have no interval.
    package var comparedError: Double? { comparison == .mean ? nil : error }
}
