/// All that was counted of one benchmark of one build.
struct BenchmarkCounts: Equatable, Sendable {
    /// By the name of the metric.
    var values: [String: RepeatedCount] = [:]
    /// Why what could have been counted was not, by the name of the metric.
    var reasons: [String: String] = [:]
    /// Where the instructions are spent.
    var functions: [InstructionCount.Function] = []
    /// Why nothing was counted at all.
    var failure: String?
    /// Wrong answers that its operations gave.
    var wrong = 0

    /// Joins two countings of the same; what only one of them has is as good as not counted.
    init(_ first: WorkCounts, _ second: WorkCounts) {
        wrong = max(first.wrong, second.wrong)
        for (name, value) in first.values {
            if let other = second.values[name] { values[name] = RepeatedCount(value, other) }
        }
    }

    init() {}

    init(failure: String) { self.failure = failure }

    mutating func add(_ first: InstructionCount, _ second: InstructionCount) {
        values[Metric.instructions.name] = RepeatedCount(first.perOperation, second.perOperation)
        if let calls = first.systemCalls, let again = second.systemCalls {
            values[Metric.systemCalls.name] = RepeatedCount(calls, again)
        }
        functions = first.functions
    }

    /// Joins what was counted once more.
    mutating func join(_ other: BenchmarkCounts) {
        failure = failure ?? other.failure
        wrong = max(wrong, other.wrong)
        for (name, value) in values { values[name] = other.values[name].map(value.joined) }
        reasons.merge(other.reasons) { first, _ in first }
    }

    mutating func addNoInstructions(because reason: String) {
        for metric in [Metric.instructions, .systemCalls] { reasons[metric.name] = reason }
    }
}
