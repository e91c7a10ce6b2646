import Platform

/// What a fixed number of operations of one benchmark does, counted in one process without valgrind.
struct WorkCounts: Equatable, Sendable {
    /// Of one operation, or as the benchmark counts it; by the name of the metric.
    let values: [String: Double]
    let wrong: Int
    /// How long one operation took, nanoseconds: decides whether counting instructions is worth the wait.
    let nanoseconds: Double
    /// Several threads: instructions are not counted.
    let isThreaded: Bool

    /// Operations that are counted; as many as callgrind sees at most, after half as many that are not.
    static let operations = 2 * InstructionCounter.operations

    /// Starts a worker and lets it count.
    ///
    /// - Parameter patience: seconds after which a worker that gives no answer counts as hung.
    /// - Throws: `WorkerFailure`, `GaugeError`, `Interrupted`.
    init(
        of benchmark: String, executable: String, libraries: String, settings: RunSettings, directory: String,
        interruption: Interruption?, setarch: String?, patience: Double = 120
    ) throws {
        let worker = try WorkerProcess(
            executable: executable,
            arguments: WorkerCommand.arguments(benchmark: benchmark, settings: settings, directory: directory),
            wrapper: setarch.map { [$0, "-R"] } ?? [],
            environment: FixedSurroundings.environment(libraries: libraries, isUnhurried: true),
            interruption: interruption)
        defer { worker.end() }
        do {
            try worker.beginPreparing(within: patience)
            let prepared = try worker.finishPreparing(within: patience)
            isThreaded = prepared.kind == .threaded
            try worker.count(operations: Self.operations / 2, within: patience)
            let start = monotonicNanoseconds()
            let report = try worker.count(operations: Self.operations, within: patience)
            nanoseconds = Double(monotonicNanoseconds() - start) / Double(Self.operations)
            let last = try worker.finish(within: patience)
            wrong = last.wrong
            values = Self.values(isThreaded ? nil : report, last.figures, isTimed: prepared.kind == .timed)
        } catch WorkerFailure.failed(let reason) {
            throw GaugeError(reason)
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw GaugeError("its worker \(failure)\(words)")
        }
    }

    /// Puts what was reported under the names of the metrics. What a platform does not count is not there.
    static func values(_ report: WorkReport?, _ figures: [Figure], isTimed: Bool) -> [String: Double] {
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
            if isTimed {
                let count = { (outcomes: [Outcome]) in outcomes.reduce(0) { $0 + (report.outcomes[$1] ?? 0) } }
                add(.memoryHits, count([.memoryHit]))
                add(.diskHits, count([.diskHit, .promotion]))
                add(.misses, count([.miss]))
                add(.evictingStores, count([.storeEvict]))
            }
        }
        for figure in figures where figure.unit != .nanoseconds {
            if Metric.figures.contains(where: { $0.name == figure.name }) { values[figure.name] = figure.value }
        }
        return values
    }
}
