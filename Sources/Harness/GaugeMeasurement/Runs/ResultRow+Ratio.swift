import GaugeStatistics

extension ResultRow {
    /// Each row of a case, with that of its reference.
    static func pairs(
        of results: [BenchmarkMeasurements], _ rows: [[ResultRow]]
    ) -> [(row: ResultRow, reference: ResultRow?)] {
        zip(results, rows).flatMap { result, lines in
            let other = results.firstIndex { $0.benchmark.name.subject == result.benchmark.reference }
            return lines.map { line in (line, other.flatMap { rows[$0].first { $0.name.case == line.name.case } }) }
        }
    }

    /// Fills in the ratio to the row of the reference.
    mutating func compare(with reference: ResultRow?, _ variation: RunVariation?) {
        guard let reference, reference.operations > 0 else { return }
        guard name != reference.name else {
            ratio = 1
            return
        }
        guard let (estimate, figure) = Self.ratio(self, to: reference, variation) else { return }
        ratio = estimate.value
        ratioInterval = estimate.interval
        isRatioTypical = figure == .typical
    }

    /// The ratio of two rows' times, set by set: of means, of undisturbed times, or, where the machine was not at full
    /// speed often enough, of slices in the same mood. Undisturbed times that different sets have are divided as a whole.
    ///
    /// - Returns: `nil` when the rows have no set in common that says anything.
    package static func ratio(
        _ row: ResultRow, to reference: ResultRow, _ variation: RunVariation? = nil
    ) -> (estimate: Estimate, figure: SetFigure)? {
        let usesMean = row.comparison == .mean || reference.comparison == .mean
        for figure in usesMean ? [SetFigure.mean] : [.undisturbed, .typical] {
            let figures = figure.ratios(row, to: reference)
            if figure == .undisturbed, !UndisturbedTime.isEnough(figures.values.count, of: figures.sets) {
                // Both may have undisturbed times all the same, in different sets.
                guard let time = row.undisturbed, let other = reference.undisturbed else { continue }
                return (time.over(other), figure)
            }
            guard let estimate = figures.estimate(variation?.ofRatios(figure)) else { continue }
            guard figure == .undisturbed else { return (estimate, figure) }
            // Both feel most moods alike.
            let (ours, theirs) = (row.moodError, reference.moodError)
            return (estimate.widened(by: (ours * ours + theirs * theirs).squareRoot() / 2), figure)
        }
        return nil
    }
}
