import Foundation
import GaugeSupport

/// The verdicts on all figures of a row after some sets of processes.
package struct RowJudgement: Equatable, Sendable {
    /// The verdict on the time of an operation, and which time that is.
    package private(set) var time: Judgement
    package private(set) var face: TimeFace
    /// The verdicts on the other figures that are known.
    package private(set) var tails: [JudgedFigure: Judgement] = [:]

    /// Judges the sets.
    ///
    /// - Parameters:
    ///   - before: the verdicts at the look before. They stay, since the looks share their probability of error.
    package init(_ sets: [SetChanges], _ rule: JudgingRule, before: RowJudgement? = nil) {
        (time, face) = Self.time(sets, rule)
        for figure in JudgedFigure.allCases where figure != .time {
            let known = sets.compactMap { $0.tails[figure] }
            guard known.count == sets.count, !known.isEmpty else { continue }
            tails[figure] = Judgement(known, JudgingRule(figure, times: rule))
        }
        guard let before else { return }
        if !before.time.isOpen { (time, face) = (before.time, before.face) }
        for (figure, judgement) in before.tails where !judgement.isOpen { tails[figure] = judgement }
    }

    /// Whether more sets may lead to a further verdict.
    package var isOpen: Bool { time.isOpen || tails.values.contains(where: \.isOpen) }

    /// Judges the undisturbed time if the mean certainly moves with it, to within half of delta; otherwise the mean.
    private static func time(_ sets: [SetChanges], _ rule: JudgingRule) -> (judgement: Judgement, face: TimeFace) {
        let rule = JudgingRule(.time, times: rule)
        let undisturbed = Judgement(sets.map(\.time), rule)
        let means = sets.compactMap(\.mean)
        guard sets.count >= rule.leastSets, means.count == sets.count,
            let differences = TrimmedMean(zip(means, sets).map { $0.change - $1.time.change }, trimmed: 0)
        else { return (undisturbed, .undisturbed) }
        let excess = Judgement.Effect(differences, tail: rule.changeTail)
        guard excess.reach > rule.bound / 2 else { return (undisturbed, .undisturbed) }
        let isCertain = excess.interval.lowerBound > rule.bound / 2 || excess.interval.upperBound < -rule.bound / 2
        return (Judgement(means, rule.ofMeans(inBursts: isCertain)), isCertain ? .bursts : .mean)
    }
}

/// How each figure differs between the arms in one set of processes.
package struct SetChanges: Equatable, Sendable {
    /// The undisturbed time; the mean, if operations are timed one by one.
    package let time: Contrast
    /// The mean processor time; `nil` if unknown, or if the time is a mean itself.
    package var mean: Contrast?
    package var tails: [JudgedFigure: Contrast] = [:]
}

extension SetChanges {
    /// - Returns: `nil` without times.
    package init?(_ record: SetRecord) {
        func rows(_ values: [[Double]]) -> [[Double]] {
            (0..<(values.map(\.count).min() ?? 0)).map { row in values.map { $0[row] } }
        }
        guard let time = Contrast(rows(record.arms.map(\.times))) else { return nil }
        var tails: [JudgedFigure: Contrast] = [:]
        for (figure, _, _) in JudgedFigure.percentiles {
            tails[figure] = Contrast(rows(record.arms.map { $0.percentiles[figure.rawValue] ?? [] }))
        }
        let courses = record.arms.compactMap(\.course)
        let areAll = courses.count == record.arms.count
        if areAll { tails[.pause] = Contrast([courses.map { max($0.pause, ArmCourse.leastPause) }]) }
        let means = courses.compactMap(\.mean)
        self.init(time: time, mean: areAll && means.count == courses.count ? Contrast([means]) : nil, tails: tails)
    }
}

/// How one figure differs between the arms in one set of processes, the unit of replication.
///
/// Slices of one set aren't independent: the layout of memory and heap stays fixed for the life of a process, and
/// changes its times by some tenths of a per cent, sometimes by 5 %. So each set gives one value, however many slices
/// it has, and the sample size is the number of sets (Kalibera and Jones, "Rigorous benchmarking in reasonable time",
/// ISMM 2013). All values are logarithms of a ratio: 0.01 means one per cent more.
package struct Contrast: Equatable, Sendable {
    /// The judged arm against the base.
    package let change: Double
    /// The base against itself, and the padded base against the base; `nil` with only two arms.
    package var same: Double?
    package var layout: Double?
}

extension Contrast {
    /// - Parameter rows: the figure by arm, in rows measured one after another, so that slower changes of the machine
    ///   affect all arms of a row. Two arms are A and B; four are those of `GateArms`.
    ///
    /// Two arms are compared by the mean of the middle half of their paired logarithms: if the machine changes its
    /// speed between two slices, either is as likely to be disturbed, so leaving such pairs out doesn't bias the
    /// middle. A gate's base is the mean of both of its processes, whose variance is a quarter lower than that of one.
    /// (Pairing with the mean of both base processes would bias it: twice as many interruptions there made builds look
    /// 0.1 % faster than they were.)
    package init?(_ rows: [[Double]]) {
        guard let arms = rows.first?.count, rows.allSatisfy({ $0.count == arms }) else { return nil }
        func middle(_ arm: Int, over base: Int) -> Double? {
            let sorted = rows.filter { $0[arm] > 0 && $0[base] > 0 && $0[arm].isFinite && $0[base].isFinite }
                .map { log($0[arm]) - log($0[base]) }.sorted()
            let kept = sorted.dropFirst(sorted.count / 4).dropLast(sorted.count / 4)
            return kept.isEmpty ? nil : kept.reduce(0, +) / Double(kept.count)
        }
        if arms == 2 {
            guard let change = middle(1, over: 0) else { return nil }
            self.init(change: change)
        } else {
            let (base, again, padded, current) = GateArms.positions
            guard arms == GateArms.count, let same = middle(again, over: base),
                let change = middle(current, over: base), let changeAgain = middle(current, over: again),
                let layout = middle(padded, over: base), let layoutAgain = middle(padded, over: again)
            else { return nil }
            self.init(change: (change + changeAgain) / 2, same: same, layout: (layout + layoutAgain) / 2)
        }
    }
}
