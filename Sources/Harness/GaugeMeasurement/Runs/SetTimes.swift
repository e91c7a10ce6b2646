import GaugeSupport

/// The times of one row in one set of processes, nanoseconds per operation.
package struct SetTimes: Equatable {
    package var operations = 0
    /// The undisturbed time (see `UndisturbedTime`); `nil` if the machine was too rarely at full speed.
    package var undisturbed: Double?
    package var mean: Double?
    /// Processor time.
    package var cpu: Double?
    /// The medians of the slices, in order; of a mixture of outcomes, the means.
    package var slices: [Double] = []
    /// Each slice in its turn, for the ratio to another row; `nil` for one without a time.
    package var turns: [TurnTime?] = []
    /// The variance of the undisturbed time that its batches' scatter explains, as a squared logarithm.
    package var scatter = 0.0
    /// Half the interquartile range of the undisturbed batches, relative to their median.
    package var spread = 0.0
}

extension SetTimes {
    package var typical: Double? { Samples(slices).median }

    package var time: Double { undisturbed ?? typical ?? 0 }

    /// The variance of the typical time, or of the mean, that the slices' scatter explains.
    package var sliceScatter: Double { Self.scatter(slices) }

    /// The times of batches, or of the operations with one outcome.
    init(_ measured: [MeasuredSlice], _ outcome: Outcome?, _ speed: FullSpeed?) {
        self.init(meanOf: measured)
        let tallies = measured.map { $0.tally(of: outcome) }
        if outcome != nil {
            operations = tallies.reduce(0) { $0 + Int(clamping: $1.count) }
            let sum = tallies.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.value * Double($1.count) } }
            mean = operations > 0 ? sum / Double(operations) : nil
        }
        slices = tallies.compactMap { $0.quantile(0.5) }
        turns = measured.map { $0.turn(of: outcome, speed) }
        let times = measured.flatMap { $0.times(of: outcome, speed) }
        undisturbed = UndisturbedTime.of(times)
        let fast = times.filter(\.isUndisturbed).map(\.time)
        scatter = Self.scatter(fast)
        spread = Samples(fast).spread ?? 0
    }

    /// Only the means, for a mixture of outcomes.
    init(meanOf measured: [MeasuredSlice]) {
        operations = measured.reduce(0) { $0 + $1.operations }
        slices = measured.compactMap(\.timedMean)
        guard operations > 0 else { return }
        mean = measured.reduce(0) { $0 + ($1.timedMean ?? 0) * Double($1.operations) } / Double(operations)
        cpu = measured.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(operations)
    }

    /// The variance of the median of some times, from their interquartile range: that of a normal distribution is 1.35
    /// standard deviations.
    private static func scatter(_ times: [Double]) -> Double {
        guard let spread = Samples(times).spread else { return 0 }
        let deviation = 2 * spread / 1.35
        return deviation * deviation / Double(times.count)
    }
}

/// The kinds of figures that sets of processes give.
package enum SetFigure: CaseIterable, Sendable {
    /// The undisturbed time (see `UndisturbedTime`).
    case undisturbed
    /// The median of the slices, in any mood of the machine; as a ratio, that of undisturbed times from slices in the
    /// same mood (see `PairedRatios`).
    case typical
    case mean

    /// A mean includes rare, long work, so a set that contains it is no outlier.
    var trimmed: Double { self == .mean ? 0 : TrimmedMean.trimmed }

    func value(_ set: SetTimes) -> Double? {
        switch self {
        case .undisturbed: set.undisturbed
        case .typical: set.typical
        case .mean: set.mean
        }
    }

    /// The ratio of two rows in one set, where they ran in turns.
    func ratio(_ set: SetTimes, to other: SetTimes) -> Double? {
        guard let time = value(set), let other = value(other), time > 0, other > 0 else { return nil }
        return time / other
    }

    /// The variance of a set's figure that the scatter within it explains.
    func scatter(_ set: SetTimes) -> Double { self == .undisturbed ? set.scatter : set.sliceScatter }

    func values(_ row: ResultRow) -> SetFigures {
        let sets = row.measuredSets.filter { value($0) != nil }
        return SetFigures(
            values: sets.compactMap { value($0) }, within: Samples(sets.map { scatter($0) }).median ?? 0,
            trimmed: trimmed, sets: row.measuredSets.count)
    }

    func ratios(_ row: ResultRow, to reference: ResultRow) -> SetFigures {
        let pairs = zip(row.sets, reference.sets).filter { !$0.slices.isEmpty && !$1.slices.isEmpty }
        if self == .typical {
            let paired = PairedRatios(pairs.map { ($0.turns, $1.turns) })
            return SetFigures(
                values: paired.values, within: paired.within, trimmed: trimmed, sets: pairs.count,
                conversion: paired.conversion)
        }
        let ratios = pairs.compactMap { ratio($0, to: $1) }
        let within = pairs.filter { ratio($0, to: $1) != nil }.map { scatter($0) + scatter($1) }
        return SetFigures(values: ratios, within: Samples(within).median ?? 0, trimmed: trimmed, sets: pairs.count)
    }
}

/// Figures of one kind, one from each set that has it.
package struct SetFigures {
    package let values: [Double]
    /// The variance of one value that the scatter within its set explains.
    let within: Double
    let trimmed: Double
    let sets: Int
    /// A relative error that all values have in common.
    var conversion = 0.0

    /// - Parameter variation: the usual variation between sets.
    package func estimate(_ variation: SetVariation?) -> Estimate? {
        SetEstimate.of(values, trimmed: trimmed, within: within, variation: variation)?.widened(by: conversion)
    }

    var variation: SetVariation.Row? { SetEstimate.row(values, trimmed: trimmed, within: within) }
}

/// How far sets of processes usually differ in a run, for each kind of figure (see `SetVariation`).
package struct RunVariation: Sendable {
    private var times: [SetFigure: SetVariation] = [:]
    private var ratios: [SetFigure: SetVariation] = [:]

    package init(_ measurements: [[BenchmarkMeasurements]], speed: FullSpeed?) {
        let cases = measurements.map { ResultRow.pairs(of: $0, ResultRow.rows(ofEach: $0, speed: speed)) }
        for figure in SetFigure.allCases {
            let rows = cases.joined()
            times[figure] = SetVariation(rows.compactMap { figure.values($0.row).variation })
            ratios[figure] = SetVariation(
                rows.compactMap { row, reference in
                    guard let reference, reference.name != row.name else { return nil }
                    return figure.ratios(row, to: reference).variation
                })
        }
    }

    func ofTimes(_ figure: SetFigure) -> SetVariation? { times[figure] }
    func ofRatios(_ figure: SetFigure) -> SetVariation? { ratios[figure] }
}
