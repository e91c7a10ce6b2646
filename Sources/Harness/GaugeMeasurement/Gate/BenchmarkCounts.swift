import GaugeSupport
import Platform

package struct BenchmarkCounts: Equatable, Sendable {
    package var values: [String: RepeatedCount] = [:]
    /// Why counts are missing, by metric.
    package var reasons: [String: String] = [:]
    package var functions: [InstructionCount.Function] = []
    /// The functions that execute the instructions of a sequence's most expensive hundredth.
    package var worstFunctions: [InstructionCount.Function] = []
    /// Why the benchmark wasn't counted at all.
    package var failure: String?
    package var wrong = 0

    /// Joins the countings of one benchmark. A metric that one of them lacks counts as missing.
    package init(_ countings: [WorkCounts]) {
        wrong = countings.map(\.wrong).max() ?? 0
        for name in countings.first?.values.keys ?? [:].keys {
            values[name] = RepeatedCount(countings.map { $0.values[name] })
        }
    }

    package init() {}

    package init(failure: String) { self.failure = failure }

    /// Adds the countings of instructions. A sequence that one of them lacks counts as missing.
    package mutating func add(_ countings: [KeptCounts.Count]) {
        func add(_ metric: Metric, _ value: (KeptCounts.Count) -> Double?) {
            if let count = RepeatedCount(countings.map(value)) { values[metric.name] = count }
        }
        add(.instructions) { $0.whole.perOperation }
        add(.systemCalls) { $0.whole.systemCalls }
        functions = countings.first?.whole.functions ?? []
        guard countings.allSatisfy({ $0.each != nil }) else { return }
        add(.worstPercentInstructions) { $0.each?.instructions.worstPercent }
        add(.worstInstructions) { $0.each?.instructions.worst }
        add(.worstSystemCalls) { $0.each?.systemCalls }
        worstFunctions = countings.first?.each?.functions ?? []
    }

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

/// The work of a fixed number of operations of one benchmark, counted in one process without valgrind.
package struct WorkCounts: Equatable, Sendable {
    /// Counts per operation, or figures that the benchmark counts itself, by metric.
    package let values: [String: Double]
    package let wrong: Int
    /// The time of one operation, nanoseconds. It tells whether counting instructions would take too long.
    package let nanoseconds: Double
    /// Whether the benchmark has several threads, so that its instructions aren't counted.
    package let isThreaded: Bool

    /// How many operations are counted: as many as in callgrind's longer run. Half as many run before, uncounted.
    package static let operations = 2 * InstructionCounter.operations

    /// How many operations to count if the first ones took `nanoseconds` each. Few if they take more than 5 ms, so that
    /// a counting ends within a minute. A busy machine never makes an operation of microseconds that slow, so the
    /// counts don't depend on the load.
    static func operations(taking nanoseconds: Double) -> Int { nanoseconds <= 5e6 ? operations : operations / 10 }
}

extension WorkCounts {
    /// Starts a worker and lets it count.
    ///
    /// - Parameter timeOut: the time-out for each answer of the worker, seconds.
    /// - Throws: `WorkerFailure`, `GaugeError`, `Interrupted`.
    package init(
        of benchmark: String, executable: String, libraries: String, settings: RunSettings, directory: String,
        interruption: Interruption?, setarch: String?, timeOut: Double = 120
    ) throws {
        let worker = try WorkerProcess(
            executable: executable,
            arguments: WorkerArguments.make(benchmark: benchmark, settings: settings, directory: directory),
            wrapper: setarch.map { [$0, "-R"] } ?? [],
            environment: FixedSurroundings.environment(libraries: libraries, isUnhurried: true),
            interruption: interruption)
        defer { worker.end() }
        do {
            try worker.beginPreparing(within: timeOut)
            let prepared = try worker.finishPreparing(within: timeOut)
            isThreaded = prepared.kind == .threaded
            let first = monotonicNanoseconds()
            try worker.count(operations: Self.operations / 2, within: timeOut)
            let operations = Self.operations(
                taking: Double(monotonicNanoseconds() - first) * 2 / Double(Self.operations))
            let start = monotonicNanoseconds()
            let report = try worker.count(operations: operations, within: timeOut)
            nanoseconds = Double(monotonicNanoseconds() - start) / Double(operations)
            let sequence = operations == Self.operations ? SequenceCount.operations : operations
            let each = isThreaded ? nil : try worker.countEach(operations: sequence, within: timeOut)
            let last = try worker.finish(within: timeOut)
            wrong = last.wrong
            values = Self.values(
                isThreaded ? nil : report, last.figures, isTimed: prepared.kind == .timed, operations: operations
            ).merging(each.map(Self.tails) ?? [:]) { whole, _ in whole }
        } catch WorkerFailure.failed(let reason) {
            throw GaugeError(reason)
        } catch let failure as WorkerFailure {
            throw GaugeError("its worker \(failure)\(worker.lastLine(after: failure))")
        }
    }

    /// The most expensive operations of a sequence.
    package static func tails(_ report: SequenceReply) -> [String: Double] {
        var values: [String: Double] = [:]
        if let tail = CostTail(report.allocations) {
            values[Metric.worstPercentAllocations.name] = tail.worstPercent
            values[Metric.worstAllocations.name] = tail.worst
        }
        if let tail = CostTail(report.allocatedBytes) {
            values[Metric.worstPercentAllocatedBytes.name] = tail.worstPercent
            values[Metric.worstAllocatedBytes.name] = tail.worst
        }
        return values
    }

    /// Assigns a report's values to metrics. What the platform doesn't count is absent.
    package static func values(
        _ report: WorkReply?, _ figures: [Figure], isTimed: Bool, operations: Int = WorkCounts.operations
    ) -> [String: Double] {
        var values: [String: Double] = [:]
        func add(_ metric: Metric, _ count: UInt64?) {
            if let count { values[metric.name] = Double(count) / Double(operations) }
        }
        if let report {
            add(.allocations, report.counters.allocations)
            add(.allocatedBytes, report.counters.allocatedBytes)
            add(.readCalls, report.counters.readCalls)
            add(.writeCalls, report.counters.writeCalls)
            add(.writtenBytes, report.counters.writtenBytes)
            add(.callsUnderLock, report.counters.callsUnderLock)
            if isTimed {
                let count = { (outcomes: [Outcome]) in outcomes.reduce(0) { $0 + (report.outcomes[$1] ?? 0) } }
                add(.memoryHits, count([.memoryHit]))
                add(.diskHits, count([.diskHit, .promotion]))
                add(.misses, count([.miss]))
                add(.evictingStores, count([.storeEvict]))
            }
        }
        let kept = Set(Metric.figures.map(\.name))
        for figure in figures where figure.unit != .nanoseconds && kept.contains(figure.name) {
            values[figure.name] = figure.value
        }
        return values
    }
}
