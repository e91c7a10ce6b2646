import GaugeMeasurement

/// All counts of one benchmark in one build.
package struct BenchmarkCounts: Equatable, Sendable {
    /// The counts by the name of the metric.
    package var values: [String: RepeatedCount] = [:]
    /// The reasons why counts are missing, by the name of the metric.
    package var reasons: [String: String] = [:]
    /// The functions that execute the instructions.
    package var functions: [InstructionCount.Function] = []
    /// The functions that execute the instructions of the most expensive hundredth of a sequence.
    package var worstFunctions: [InstructionCount.Function] = []
    /// The reason why the benchmark was not counted at all.
    package var failure: String?
    /// The number of wrong answers.
    package var wrong = 0

    /// Joins two countings of the same benchmark. A metric that only one of them has is treated as not counted.
    package init(_ first: WorkCounts, _ second: WorkCounts) {
        wrong = max(first.wrong, second.wrong)
        for (name, value) in first.values {
            if let other = second.values[name] { values[name] = RepeatedCount(value, other) }
        }
    }

    package init() {}

    package init(failure: String) { self.failure = failure }

    package mutating func add(_ first: InstructionCount, _ second: InstructionCount) {
        values[Metric.instructions.name] = RepeatedCount(first.perOperation, second.perOperation)
        if let calls = first.systemCalls, let again = second.systemCalls {
            values[Metric.systemCalls.name] = RepeatedCount(calls, again)
        }
        functions = first.functions
    }

    package mutating func add(_ first: SequenceCount, _ second: SequenceCount) {
        func add(_ metric: Metric, _ value: (SequenceCount) -> Double?) {
            if let one = value(first), let other = value(second) { values[metric.name] = RepeatedCount(one, other) }
        }
        add(.worstPercentInstructions) { $0.instructions.worstPercent }
        add(.worstInstructions) { $0.instructions.worst }
        add(.worstSystemCalls) { $0.systemCalls }
        worstFunctions = first.functions
    }

    /// Adds both repetitions of one counting. A sequence that only one of them has is treated as not counted.
    package mutating func add(
        _ first: (whole: InstructionCount, each: SequenceCount?),
        _ second: (whole: InstructionCount, each: SequenceCount?)
    ) {
        add(first.whole, second.whole)
        if let each = first.each, let again = second.each { add(each, again) }
    }

    /// Adds a further counting.
    package mutating func join(_ other: BenchmarkCounts) {
        failure = failure ?? other.failure
        wrong = max(wrong, other.wrong)
        for (name, value) in values { values[name] = other.values[name].map(value.joined) }
        reasons.merge(other.reasons) { first, _ in first }
    }

    package mutating func addNoInstructions(because reason: String) {
        for metric in [Metric.instructions, .systemCalls] { reasons[metric.name] = reason }
    }
}
