import GaugeStatistics

extension ResultRow {
    /// Fills in the ratio to the row of the reference.
    mutating func compare(with reference: ResultRow?) {
        guard let reference, reference.operations > 0 else { return }
        guard name != reference.name else {
            ratio = 1
            return
        }
        let estimate = Self.ratio(self, to: reference)
        ratio = estimate?.value
        ratioInterval = estimate?.interval
    }

    /// The ratio of two rows' times, set by set.
    ///
    /// - Returns: `nil` when too few sets have both times.
    package static func ratio(_ row: ResultRow, to reference: ResultRow) -> Estimate? {
        let usesMean = row.comparison == .mean || reference.comparison == .mean
        let pairs = zip(row.sets, reference.sets).filter { !$0.slices.isEmpty && !$1.slices.isEmpty }
        let ratios = pairs.compactMap { ours, theirs -> Double? in
            guard let time = usesMean ? ours.mean : ours.undisturbed,
                let other = usesMean ? theirs.mean : theirs.undisturbed, time > 0, other > 0
            else { return nil }
            return time / other
        }
        guard UndisturbedTime.isEnough(ratios.count, of: pairs.count) else { return nil }
        return SetEstimate.of(ratios, trimmed: usesMean ? 0 : TrimmedMean.trimmed)
    }
}
