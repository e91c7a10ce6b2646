@testable import GaugeMeasurement
@testable import GaugeVerdicts

extension BenchmarkCounts {
    /// Counts that repeat exactly.
    static func exact(_ values: [Metric: Double], functions: [String: Double] = [:]) -> BenchmarkCounts {
        var counts = BenchmarkCounts()
        for (metric, value) in values { counts.values[metric.name] = RepeatedCount(value, value) }
        counts.functions = functions.map { InstructionCount.Function(name: $0.key, perOperation: $0.value) }
        return counts
    }
}
