import GaugeStatistics

/// The kinds of figures that sets of processes give.
package enum SetFigure: CaseIterable, Sendable {
    /// The undisturbed time (see `UndisturbedTime`).
    case undisturbed
    /// The median of the slices, in whatever mood the machine was.
    case typical
    /// The mean of all operations.
    case mean

    /// A mean includes rare, long work, so a set that contains such work is no outlier.
    var trimmed: Double { self == .mean ? 0 : TrimmedMean.trimmed }

    /// The figure of one set.
    func value(_ set: SetTimes) -> Double? {
        switch self {
        case .undisturbed: set.undisturbed
        case .typical: set.typical
        case .mean: set.mean
        }
    }

    /// The ratio of two rows in one set, in which they ran in turns.
    func ratio(_ set: SetTimes, to other: SetTimes) -> Double? {
        if self == .typical { return set.pairedRatio(to: other) }
        guard let time = value(set), let other = value(other), time > 0, other > 0 else { return nil }
        return time / other
    }

    /// The variance of a set's figure that the scatter within it explains.
    func scatter(_ set: SetTimes) -> Double { self == .undisturbed ? set.scatter : set.sliceScatter }

    /// The figures of a row's sets.
    func values(_ row: ResultRow) -> SetFigures {
        let sets = row.measuredSets.filter { value($0) != nil }
        return SetFigures(
            values: sets.compactMap { value($0) }, within: Samples(sets.map { scatter($0) }).median ?? 0,
            trimmed: trimmed, sets: row.measuredSets.count)
    }

    /// The ratios of two rows in their sets.
    func ratios(_ row: ResultRow, to reference: ResultRow) -> SetFigures {
        let pairs = zip(row.sets, reference.sets).filter { !$0.slices.isEmpty && !$1.slices.isEmpty }
        let ratios = pairs.compactMap { ratio($0, to: $1) }
        let within = pairs.filter { ratio($0, to: $1) != nil }.map { scatter($0) + scatter($1) }
        return SetFigures(
            values: ratios, within: Samples(within).median ?? 0, trimmed: trimmed, sets: pairs.count)
    }
}

/// Figures of one kind, one of each set that has it.
package struct SetFigures {
    package let values: [Double]
    /// The variance of one value that the scatter within its set explains.
    let within: Double
    let trimmed: Double
    /// The number of all sets.
    let sets: Int

    /// - Parameter variation: the usual variation between sets.
    package func estimate(_ variation: SetVariation?) -> Estimate? {
        SetEstimate.of(values, trimmed: trimmed, within: within, variation: variation)
    }

    var variation: SetVariation.Row? { SetEstimate.row(values, trimmed: trimmed, within: within) }
}
