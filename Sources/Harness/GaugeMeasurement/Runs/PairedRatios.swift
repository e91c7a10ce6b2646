import Foundation
import GaugeSupport

/// One slice of one row in its turn, beside a slice of each other row of the case.
package struct TurnTime: Equatable {
    /// The lower quartile of the uninterrupted batches, or the median of the operations with one outcome, nanoseconds
    /// at the reference clock rate.
    package var time: Double
    /// How many times as long as at full speed the speed probes beside these took; 1 if none ran. It is the same part
    /// of the distribution as the time: of two probes beside a batch the longer has its lower quartile where one has
    /// its median.
    package var mood = 1.0
    /// Whether other work took the processor in all batches, or at all while operations were timed one by one.
    package var isInterrupted = false
}

extension MeasuredSlice {
    /// The time of its turn; `nil` without operations of the outcome.
    package func turn(of outcome: Outcome?, _ speed: FullSpeed?) -> TurnTime? {
        func mood(_ durations: [Double], _ part: Double) -> Double {
            guard let speed, let duration = Samples(durations).quantile(part) else { return 1 }
            return duration / speed.duration
        }
        let correction = speed?.correction(probes.compactMap(\.cycle)) ?? 1
        if let outcome {
            guard let time = outcomes[outcome]?.quantile(0.5) else { return nil }
            return TurnTime(
                time: time * correction, mood: mood(probes.map(\.duration), 0.5),
                isInterrupted: !interruptions.isEmpty)
        }
        let quiet = batches.indices.filter { !interruptions.contains($0) }
        let used = quiet.isEmpty ? Array(batches.indices) : quiet
        guard let time = Samples(used.map { batches[$0] }).quantile(UndisturbedTime.part) else { return nil }
        let isProbed = probes.count == batches.count + 1
        let durations = used.map { isProbed ? max(probes[$0].duration, probes[$0 + 1].duration) : 0 }
        return TurnTime(
            time: time * correction, mood: isProbed ? mood(durations, UndisturbedTime.part) : 1,
            isInterrupted: quiet.isEmpty)
    }
}

/// The ratio of two rows' undisturbed times on a machine that was too rarely at full speed: from slices that ran one
/// after another and felt the same, converted to full speed.
///
/// The ratio changes with the mood of the machine, since one of the rows may feel a shared core more than the other.
/// Over all pairs the logarithm of the ratio is a line in the logarithm of the mood, whose value at full speed is
/// wanted. Its slope is fitted with Huber's weights ("Robust estimation of a location parameter", 1964), in which each
/// set counts the same, and drawn towards 0 as far as the moods say little about it.
struct PairedRatios {
    /// One of each set with pairs, at full speed.
    private(set) var values: [Double] = []
    /// The variance of one value's logarithm that the scatter of its pairs explains.
    private(set) var within = 0.0
    /// The relative error of the conversion to full speed, common to all values, at 95 %.
    private(set) var conversion = 0.0

    /// Both slices felt the same if their moods differ by at most this factor.
    static let sameMood = FullSpeed.tolerance
    /// The standard deviation of slopes where nothing is known: about that between rows that each feel any part of the
    /// mood.
    static let usualSlope = 0.4
    /// The slope between a row that feels the mood as the probes do and one that feels nothing. Drawing slopes towards
    /// 0 as if they spread by less would bias those.
    private static let widestSlope = 1.0
    private static let rounds = 12
    /// Of the slope's error with few sets, which then comes from the scatter of their pairs.
    private static let leastDegrees = 8.0

    private struct Pair {
        let mood: Double
        let ratio: Double
        let share: Double
    }

    /// - Parameter sets: the turns of both rows in each set.
    init(_ sets: [(ours: [TurnTime?], theirs: [TurnTime?])]) {
        let pairs = sets.map { Self.pairs($0.ours, $0.theirs) }.filter { !$0.isEmpty }
        guard !pairs.isEmpty else { return }
        let all = pairs.flatMap(\.self)
        let count = Double(pairs.count)
        let mood = all.reduce(0) { $0 + $1.share * $1.mood } / count
        // From least squares: seen from another slope, a few sets at full speed would be outliers.
        var (slope, reach) = Self.line(all, all.map(\.share), 0)
        for _ in 0..<Self.rounds {
            let centre = Samples(all.map { $0.ratio - slope * $0.mood }).median ?? 0
            let residuals = all.map { $0.ratio - slope * $0.mood - centre }
            let scale = 1.4826 * (Samples(residuals.map(abs)).median ?? 0)
            let weights = zip(all, residuals).map { $0.share * min(1, 1.5 * max(scale, 1e-9) / max(abs($1), 1e-9)) }
            (slope, reach) = Self.line(all, weights, Self.variance(pairs, slope))
        }
        values = pairs.map { exp(Self.middle($0, slope)) }
        within = Samples(pairs.map { Self.scatter($0, slope) }).median ?? 0
        let degrees = max(Self.leastDegrees, count - 2)
        conversion = StudentT.quantile(exceededBy: (1 - SetEstimate.level) / 2, degrees: degrees) * abs(mood) * reach
    }

    /// The slope and its standard error.
    ///
    /// - Parameter variance: that of a set's ratio.
    private static func line(_ pairs: [Pair], _ weights: [Double], _ variance: Double) -> (Double, Double) {
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return (0, usualSlope) }
        func mean(_ value: (Pair) -> Double) -> Double {
            zip(pairs, weights).reduce(0) { $0 + value($1.0) * $1.1 } / sum
        }
        let (mood, ratio) = (mean(\.mood), mean(\.ratio))
        let spread = mean { ($0.mood - mood) * ($0.mood - mood) } * sum
        let joint = mean { ($0.mood - mood) * ($0.ratio - ratio) } * sum
        // At least as much as the moods' own error of a thousandth.
        let variance = max(variance, 1e-6)
        let error = variance / (spread + variance / (usualSlope * usualSlope))
        return (joint / (spread + variance / (widestSlope * widestSlope)), error.squareRoot())
    }

    /// The variance of a set's ratio, from that of the sets and at least what the scatter of the pairs explains.
    private static func variance(_ pairs: [[Pair]], _ slope: Double) -> Double {
        let between = Samples(pairs.map { middle($0, slope) }).standardDeviation ?? 0
        return max(between * between, Samples(pairs.map { scatter($0, slope) }).median ?? 0)
    }

    private static func middle(_ pairs: [Pair], _ slope: Double) -> Double {
        Samples(pairs.map { $0.ratio - slope * $0.mood }).median ?? 0
    }

    /// The variance of the median of a set's pairs, from their interquartile range: that of a normal distribution is
    /// 1.35 standard deviations.
    private static func scatter(_ pairs: [Pair], _ slope: Double) -> Double {
        let values = Samples(pairs.map { $0.ratio - slope * $0.mood })
        guard let low = values.quantile(0.25), let high = values.quantile(0.75) else { return 0 }
        let deviation = (high - low) / 1.35
        return deviation * deviation / Double(pairs.count)
    }

    /// The turns in which both felt the same.
    private static func pairs(_ ours: [TurnTime?], _ theirs: [TurnTime?]) -> [Pair] {
        let both = zip(ours, theirs).compactMap { ours, theirs -> (mood: Double, ratio: Double)? in
            guard let ours, let theirs, ours.isInterrupted == theirs.isInterrupted, ours.time > 0, theirs.time > 0,
                max(ours.mood, theirs.mood) <= min(ours.mood, theirs.mood) * sameMood
            else { return nil }
            return (log(ours.mood * theirs.mood) / 2, log(ours.time / theirs.time))
        }
        return both.map { Pair(mood: $0.mood, ratio: $0.ratio, share: 1 / Double(both.count)) }
    }
}
