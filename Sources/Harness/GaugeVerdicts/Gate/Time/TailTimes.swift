import GaugeStatistics

/// The 99th percentiles of the operations of all variants in one set of processes.
///
/// A mean hides work that is done on every 64th operation, such as a scan; the 99th percentile shows it. Slices of all
/// variants are measured in turns, and each row of slices gives one percentile for each variant, so that the variants
/// are compared in pairs as their means are (see `Replicate`). Where a slice has too few operations, several rows are
/// merged.
package struct TailTimes {
    package static let part = 0.99
    /// The fewest operations of each variant from which a percentile is taken: ten of them lie beyond it.
    package static let leastOperations: UInt64 = 1_000
    /// The length of a slice of an operation that is otherwise timed in batches, milliseconds, and the number of slices of
    /// each variant in a set.
    package static let slice = 2.0
    package static let slices = 12

    /// The percentiles by variant, nanoseconds, one row for each group of slices.
    package private(set) var rows: [[Double]] = []
    /// The number of operations in all slices of the variant that has fewest.
    package private(set) var operations: UInt64 = 0
    private var pending: [Histogram] = []

    package init() {}

    /// Adds a row of slices, one of each variant.
    package mutating func add(_ row: [Histogram]) {
        operations += row.map(\.count).min() ?? 0
        if pending.isEmpty { pending = row.map { _ in Histogram() } }
        for (variant, slice) in row.enumerated() { pending[variant].merge(slice) }
        guard pending.allSatisfy({ $0.count >= Self.leastOperations }) else { return }
        rows.append(pending.map { max($0.quantile(Self.part) ?? 0, 1) })
        pending = []
    }

    /// The ratios of the percentiles, or the reason why they are missing.
    package var tail: TimedSet.Tail {
        guard !rows.isEmpty, let ratios = Replicate(slices: rows) else {
            return .unknown(
                reason: "a set of processes has \(operations) operations of each build, "
                    + "and \(Self.leastOperations) are needed")
        }
        return .ratios(ratios)
    }
}
