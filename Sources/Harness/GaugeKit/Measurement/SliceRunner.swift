/// Runs a prepared benchmark in slices of time. Lives in the worker.
struct SliceRunner: ~Copyable {
    private let clock: MeasurementClock
    private let allocations: (@Sendable () -> AllocationTotals)?
    private let body: PreparedBenchmark.Body
    private let team: ThreadTeam?
    private var recorder = LatencyRecorder()
    private var batch: BatchSize
    private let readingItself: CounterChange

    /// Batches of a body that the harness times: 0.5 ms each.
    static let batchTarget: UInt64 = 500_000
    /// Calls of a body that times its operations itself, and batches on several threads, which take longer to start.
    static let callTarget: UInt64 = 2_000_000
    /// A slice ends early after this many batches, for which there is room from the start: growing an array inside the
    /// measured region would count as allocation.
    static let mostBatches = 4_096

    init(
        _ prepared: PreparedBenchmark, clock: MeasurementClock = .system,
        allocations: (@Sendable () -> AllocationTotals)? = nil
    ) {
        self.clock = clock
        self.allocations = allocations
        body = prepared.body
        switch prepared.body {
        case .batched:
            team = nil
            batch = BatchSize(target: Self.batchTarget)
        case .timed:
            team = nil
            batch = BatchSize(target: Self.callTarget)
        case .threaded(let threads, let body):
            team = ThreadTeam(threads: max(1, threads), body: body)
            batch = BatchSize(target: Self.callTarget)
        }
        // Two readings with nothing between them. The first pays for what is set up lazily.
        _ = CounterTotals.now(allocations: allocations)
        let first = CounterTotals.now(allocations: allocations)
        readingItself = CounterChange(from: first, to: .now(allocations: allocations))
    }

    /// Finds the number of operations in a batch, at most for `budget` nanoseconds. What runs here is not reported.
    mutating func settle(budget: UInt64) {
        let start = clock.elapsed()
        var batches = 0
        while !batch.isSettled, clock.elapsed() - start < budget, batches < 64 {
            batch.adjust(nanoseconds: runBatch().quickest)
            batches += 1
        }
        recorder.removeAll()
    }

    /// Runs batches until `budget` nanoseconds have passed, at least one.
    mutating func run(budget: UInt64) -> SliceReport {
        var report = SliceReport()
        report.batches.reserveCapacity(Self.mostBatches)
        let operations = batch.operations
        let threads = if case .threaded(let threads, _) = body { max(1, threads) } else { 1 }

        let before = CounterTotals.now(allocations: allocations)
        let cpu = team == nil ? clock.threadCPU : clock.processCPU
        let start = clock.elapsed()
        let cpuStart = cpu()
        var quickest: UInt64 = 0
        repeat {
            let time = runBatch()
            report.batches.append(time.whole)
            quickest &+= time.quickest
        } while clock.elapsed() - start < budget && report.batches.count < Self.mostBatches
        report.cpuNanoseconds = cpu() - cpuStart
        let after = CounterTotals.now(allocations: allocations)

        report.operations = operations * threads * report.batches.count
        report.nanoseconds = report.batches.reduce(0, &+)
        report.counters = CounterChange(from: before, to: after, readingItself: readingItself)
        report.residentBytes = ResidentMemory.now
        report.peakResidentBytes = ResidentMemory.peak
        // The mean corrects a size that was found while everything was cold.
        batch.adjust(nanoseconds: quickest / UInt64(report.batches.count))
        if case .timed = body {
            report.histograms = recorder.histograms
            report.batches = []
            recorder.removeAll()
        } else {
            report.batchOperations = operations * threads
        }
        return report
    }

    /// Runs exactly so many operations, untimed, where a tool that counts instructions looks (see `MeasuredRegion`). Of a
    /// body with several threads nothing is run.
    mutating func count(operations: Int) -> WorkReport {
        recorder.removeAll()
        let before = CounterTotals.now(allocations: allocations)
        switch body {
        case .batched(let run): MeasuredRegion.run { run(operations) }
        case .timed(let run): MeasuredRegion.run { run(operations, &recorder) }
        case .threaded: break
        }
        let after = CounterTotals.now(allocations: allocations)
        let report = WorkReport(
            counters: CounterChange(from: before, to: after, readingItself: readingItself),
            outcomes: recorder.histograms.mapValues(\.count))
        recorder.removeAll()
        return report
    }

    private mutating func runBatch() -> BatchTime {
        switch body {
        case .batched(let run):
            let start = clock.elapsed()
            run(batch.operations)
            return BatchTime(clock.elapsed() - start)
        case .timed(let run):
            let start = clock.elapsed()
            run(batch.operations, &recorder)
            return BatchTime(clock.elapsed() - start)
        case .threaded:
            return team?.run(operations: batch.operations) ?? BatchTime(0)
        }
    }
}
