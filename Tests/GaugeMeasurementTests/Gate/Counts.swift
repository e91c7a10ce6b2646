@testable import GaugeMeasurement

extension BenchmarkCounts {
    /// Counts that repeat exactly.
    static func exact(_ values: [Metric: Double], functions: [String: Double] = [:]) -> BenchmarkCounts {
        var counts = BenchmarkCounts()
        for (metric, value) in values { counts.values[metric.name] = RepeatedCount(value, value) }
        counts.functions = functions.map { InstructionCount.Function(name: $0.key, perOperation: $0.value) }
        return counts
    }
}

/// A count that repeats exactly.
extension RepeatedCount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// A count that is written as `0.5`.
    public init(floatLiteral value: Double) { self.init(value, value) }
    /// A count that is written as `1`.
    public init(integerLiteral value: Int) { self.init(Double(value), Double(value)) }
}
