import GaugeMeasurement
import GaugeStatistics

/// How the cost of an operation grows in one build.
package struct Growth: Equatable, Sendable {
    package let order: GrowthOrder
    /// Instructions of one operation, by increasing number of entries.
    package let costs: [Double]
    /// The functions at the largest number of entries.
    package let functions: [InstructionCount.Function]
    /// The cost at the largest number of entries, as a multiple of that at the smallest.
    package let factor: Double

    /// Returns `nil` when a member was not counted.
    ///
    /// - Parameter counts: the instructions of each benchmark.
    package init?(of series: GrowthSeries, counts: [String: InstructionCount]) {
        let found = series.members.compactMap { counts[$0.benchmark] }
        guard found.count == series.members.count, let first = found.first, let last = found.last,
            let order = GrowthOrder(
                fitting: zip(series.members, found).map { (Double($0.entries), $1.perOperation) })
        else { return nil }
        self.order = order
        costs = found.map(\.perOperation)
        functions = last.functions
        factor = last.perOperation / first.perOperation
    }

    /// A difference of factors below this one is no other order: a curve can be near two.
    package static let leastChange = 1.2

    /// The verdict on a change of the order.
    package static func verdict(base: Growth, head: Growth) -> CountVerdict {
        if head.order > base.order, head.factor > base.factor * leastChange { return .regressed }
        if head.order < base.order, head.factor * leastChange < base.factor { return .improved }
        return .unchanged
    }
}

extension CountComparison {
    /// Compares the growth of a series in two builds.
    package init(_ series: GrowthSeries, base: Growth?, head: Growth?) {
        func count(_ growth: Growth?) -> RepeatedCount? {
            growth.map { RepeatedCount(Double($0.order.rawValue), Double($0.order.rawValue)) }
        }
        let verdict: CountVerdict =
            if let base, let head { Growth.verdict(base: base, head: head) } else {
                .notComparable(base == nil ? "the base does not count all sizes" : "not all sizes were counted")
            }
        var (causes, note): ([FunctionChange], String?) = ([], nil)
        if let base, let head, verdict != .unchanged {
            let sizes = series.members.map { "\($0.entries)" }.joined(separator: ", ")
            func text(_ growth: Growth) -> String { growth.costs.map(GateTable.number).joined(separator: ", ") }
            causes = FunctionChange.changes(from: base.functions, to: head.functions)
            note = "instructions at \(sizes) entries: \(text(base)) → \(text(head))"
        }
        self.init(
            benchmark: series.name,
            lines: [Line(metric: .growth, base: count(base), head: count(head), verdict: verdict)],
            causes: causes, note: note)
    }
}
