import Foundation
import GaugeSupport

/// A line of a comparison: one case, or one benchmark of two builds or of two files.
package struct ComparedRow {
    package let name: String
    package let kind: PairedVerdict.Kind
    /// B's time over A's; `nil` where it was not measured.
    package let ratio: Double?
    package let interval: ClosedRange<Double>?
    /// Times of one operation, nanoseconds.
    package let times: (a: Double?, b: Double?)
    /// The number of sets of processes; 0 for files.
    package let sets: Int
    /// Notes beside the verdict: wrong answers, or the reason why it is missing.
    package var remarks: [String] = []

    package init(
        name: String, kind: PairedVerdict.Kind, ratio: Double? = nil, interval: ClosedRange<Double>? = nil,
        times: (a: Double?, b: Double?) = (nil, nil), sets: Int = 0, remarks: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.ratio = ratio
        self.interval = interval
        self.times = times
        self.sets = sets
        self.remarks = remarks
    }

    /// Judges measured sets.
    ///
    /// - Parameter comparisons: the number of rows that are judged together.
    package init(name: String, _ result: PairedTiming.Result, delta: Double, comparisons: Int) {
        let verdict = PairedVerdict(result.sets, delta: delta, comparisons: comparisons)
        func middle(_ time: (PairedSet) -> Double) -> Double? {
            let sorted = result.sets.map(time).sorted()
            return sorted.isEmpty ? nil : sorted[sorted.count / 2]
        }
        self.init(
            name: name, kind: verdict.kind, ratio: verdict.change.map { exp($0) },
            interval: verdict.interval.map { exp($0.lowerBound)...exp($0.upperBound) },
            times: (middle(\.times.a), middle(\.times.b)), sets: result.sets.count)
        for (side, wrong) in [("A", result.wrong.a), ("B", result.wrong.b)] where wrong > 0 {
            remarks.append(Self.wrongAnswers(of: side, wrong))
        }
        if verdict.change == nil {
            remarks.append(
                "\(result.sets.count) sets of processes, \(PairedVerdict.leastSets) are needed; give it more --seconds")
        }
    }

    static func wrongAnswers(of side: String, _ count: Int) -> String { "\(side) gave \(count) wrong answers" }
}
