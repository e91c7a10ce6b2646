import Foundation
import GaugeSupport

/// A line of a comparison: one case, or one benchmark of two builds or of two files.
package struct ComparedRow {
    package let name: String
    package let verdict: Verdict
    /// B's time over A's; `nil` if not measured.
    package var ratio: Double?
    package var interval: ClosedRange<Double>?
    package var face = TimeFace.undisturbed
    /// Times of one operation, nanoseconds.
    package var times: (a: Double?, b: Double?) = (nil, nil)
    /// The known verdicts on percentiles and the longest pause.
    package var tails: [Figure] = []
    /// The number of sets of processes; 0 for files.
    package var sets = 0
    /// Whether most processes take the same time, and some are so far from it, on either side or both, that the mean of
    /// all isn't.
    package var differsInSome = false
    /// Notes beside the verdict: wrong answers, or why it is missing.
    package var remarks: [String] = []

    /// The time, then the others.
    var figures: [Figure] {
        [Figure(figure: .time, verdict: verdict, ratio: ratio, interval: interval, times: times)] + tails
    }

    package struct Figure {
        package let figure: JudgedFigure
        package let verdict: Verdict
        package let ratio: Double?
        package let interval: ClosedRange<Double>?
        /// Nanoseconds: percentiles, or pauses.
        package let times: (a: Double?, b: Double?)
    }
}

extension ComparedRow {
    /// The row of a benchmark that couldn't be measured.
    package init(name: String, failure: String) { self.init(name: name, verdict: .inconclusive, remarks: [failure]) }

    package init(name: String, _ sets: [SetRecord], _ rule: JudgingRule) {
        let judgement = RowJudgement(sets.compactMap { SetChanges($0) }, rule)
        let time = judgement.time
        func middle(_ value: (SetRecord.Arm) -> Double?) -> (a: Double?, b: Double?) {
            func middle(_ arm: Int) -> Double? {
                let sorted = sets.compactMap { value($0.arms[arm]) }.sorted()
                return sorted.isEmpty ? nil : sorted[sorted.count / 2]
            }
            return (middle(0), middle(1))
        }
        let tails = JudgedFigure.allCases.compactMap { figure -> Figure? in
            guard let tail = judgement.tails[figure] else { return nil }
            return Figure(
                figure: figure, verdict: tail.verdict, ratio: tail.change.map { exp($0.value) },
                interval: tail.change.map { Self.ratios($0.interval) },
                times: middle {
                    figure == .pause ? $0.course?.pause : $0.percentiles[figure.rawValue].flatMap { Samples($0).median }
                })
        }
        self.init(
            name: name, verdict: time.verdict, ratio: time.change.map { exp($0.value) },
            interval: time.change.map { Self.ratios($0.interval) }, face: judgement.face,
            times: judgement.face == .undisturbed ? middle(\.time) : middle { $0.course?.mean }, tails: tails,
            sets: sets.count)
        for (side, arm) in [("A", 0), ("B", 1)] {
            if let wrong = sets.map({ $0.arms[arm].wrong }).max(), wrong > 0 {
                remarks.append(Self.wrongAnswers(of: side, wrong))
            }
        }
        if time.doubt == .someProcesses {
            differsInSome = true
            remarks.append(
                "most processes are alike, and the mean of all, with those far from it, differs by "
                    + Quantity.change(expm1(time.overall ?? 0)))
        }
        if time.doubt == .fewSets {
            remarks.append("\(sets.count) sets of processes, \(rule.leastSets) are needed; give it more --seconds")
        }
        guard let note = judgement.face.note else { return }
        let operations = sets.flatMap(\.arms).compactMap { $0.course?.operations }.reduce(0, +) / 2
        remarks.append(
            judgement.face == .bursts
                ? "\(note); pauses that are rarer than 1 in \(operations / ArmCourse.enoughBursts) operations were not seen "
                    + "often enough"
                : "\(note), which in this measurement may move otherwise than the undisturbed time")
    }

    private static func ratios(_ interval: ClosedRange<Double>) -> ClosedRange<Double> {
        exp(interval.lowerBound)...exp(interval.upperBound)
    }

    static func wrongAnswers(of side: String, _ count: Int) -> String { "\(side) gave \(count) wrong answers" }
}
