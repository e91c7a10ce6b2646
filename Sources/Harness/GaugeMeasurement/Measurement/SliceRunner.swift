import GaugeSupport

/// Runs a prepared benchmark in slices of time, inside the worker.
package struct SliceRunner: ~Copyable {
    private let clock: MeasurementClock
    private let allocations: (@Sendable () -> AllocationTotals)?
    private let counters: () -> Counters
    private let body: PreparedBenchmark.Body
    private let outcome: Outcome
    private let team: ThreadTeam?
    private var recorder = LatencyRecorder()
    private var batch: BatchSize
    private let readingItself: Counters
    private var turns = Xoshiro256(seed: 1, "turns")
    /// Processor time of other threads at the end of the last slice, nanoseconds.
    private var othersBefore: UInt64?
    /// Operations since the last slice.
    private var operationsSince = 0
    private let restart: () -> Void

    /// How long a batch takes that the harness times, nanoseconds: 0.5 ms.
    package static let batchTarget: UInt64 = 500_000
    /// How long a call takes to a body that times its own operations, nanoseconds; also a batch on several threads,
    /// which take longer to start.
    package static let callTarget: UInt64 = 2_000_000
    /// A slice ends early after so many batches. Their array is allocated in advance, since growing it in the measured
    /// region would count as allocation.
    package static let mostBatches = 4_096

    package init(
        _ prepared: PreparedBenchmark, clock: MeasurementClock = .system,
        allocations: (@Sendable () -> AllocationTotals)? = nil, counters: (() -> Counters)? = nil
    ) {
        self.clock = clock
        self.allocations = allocations
        self.counters = counters ?? { Counters.now(allocations: allocations) }
        body = prepared.body
        outcome = prepared.outcome
        restart = prepared.restart
        switch prepared.body {
        case .batched:
            team = nil
            batch = BatchSize(target: Self.batchTarget)
        case .timed:
            team = nil
            batch = BatchSize(target: Self.callTarget)
        case .threaded(let threads, let body):
            team = ThreadTeam(threads: max(1, threads), use: clock.threadUse, body: body)
            batch = BatchSize(target: Self.callTarget)
        }
        readingItself = Self.costOfReading(self.counters)
    }

    /// What reading the counters adds to them: the least of some readings, since the first includes lazy
    /// initialisation, and another thread may allocate during any.
    private static func costOfReading(_ counters: () -> Counters) -> Counters {
        // All first, since comparing them may allocate.
        var readings: [Counters] = []
        readings.reserveCapacity(9)
        for _ in 0..<9 { readings.append(counters()) }
        return zip(readings.dropFirst(), readings).map { $0.since($1) }.reduce(readings[8].since(readings[7])) {
            $0.least($1)
        }
    }

    /// Calibrates the operations per batch within `budget` nanoseconds, unless that has been done. Their times aren't
    /// reported, nor are those of any operation before.
    package mutating func calibrate(budget: UInt64) {
        let start = clock.elapsed()
        var batches = 0
        while !batch.isCalibrated, clock.elapsed() - start < budget, batches < 64 {
            batch.adjust(nanoseconds: runBatch().quickest)
            batches += 1
        }
        recorder.removeAll()
        restart()
    }

    /// Warming goes on while some milliseconds of batches are quicker than those before by this share.
    package static let leastGain = 0.02

    /// Runs batches until they become no quicker, for about `budget` nanoseconds at most. Nothing is reported.
    ///
    /// Other processes have used the processor's caches since the last slice. A cache of some megabytes takes ten
    /// milliseconds or more to come back from memory; without this, a slice would time the traffic of the others.
    package mutating func warmCaches(budget: UInt64) {
        let start = clock.elapsed()
        let batches = Int(max(1, Self.callTarget / batch.target))
        var last = Double.infinity
        repeat {
            let quickest = (0..<batches).reduce(UInt64.max) { quickest, _ in min(quickest, runBatch().quickest) }
            guard Double(quickest) < last * (1 - Self.leastGain) else { break }
            last = Double(quickest)
        } while clock.elapsed() - start < budget
        recorder.removeAll()
    }

    /// Runs batches until `budget` nanoseconds have passed, at least one.
    package mutating func run(budget: UInt64) -> SliceReply {
        var report = SliceReply()
        report.batches.reserveCapacity(Self.mostBatches)
        var probes: [SpeedProbe.Times] = []
        if team == nil { probes.reserveCapacity(Self.mostBatches + 1) }
        var interruptions: [Int] = []
        interruptions.reserveCapacity(Self.mostBatches)
        var batchCPU: [UInt64] = []
        batchCPU.reserveCapacity(Self.mostBatches)
        // Threads of a team wait for each other between the slices.
        if team == nil, let othersBefore {
            let others = self.others
            report.restNanoseconds = others - min(others, othersBefore)
            report.restOperations = operationsSince
        } else {
            report.restNanoseconds = 0
        }
        let operations = batch.operations
        let threads = if case .threaded(let threads, _) = body { max(1, threads) } else { 1 }

        let before = counters()
        let (teamBefore, useBefore) = (team?.use, clock.threadUse())
        let start = clock.elapsed()
        let processStart = clock.processCPU()
        let threadStart = clock.threadCPU()
        var quickest: UInt64 = 0
        var switches = clock.switches()
        repeat {
            // With several threads, a probe on this one says little about their processors.
            if team == nil { probes.append(clock.probe()) }
            let before = clock.processCPU()
            let time = runBatch()
            batchCPU.append(clock.processCPU() &- before)
            let now = clock.switches()
            if now != switches { interruptions.append(report.batches.count) }
            switches = now
            report.batches.append(time.whole)
            quickest &+= time.quickest
        } while clock.elapsed() - start < budget && report.batches.count < Self.mostBatches
        if team == nil { probes.append(clock.probe()) }
        let used = clock.threadCPU() - threadStart
        var others = clock.processCPU() - processStart
        others -= min(others, used)
        let after = counters()

        report.operations = operations * threads * report.batches.count
        report.nanoseconds = report.batches.reduce(0, &+)
        report.counters = after.since(before, readingItself: readingItself)
        if let team, let teamBefore {
            // This thread only waits for the team, whose threads wait for each other between their bodies.
            let all = team.use.all - teamBefore.all
            let bodies = team.use.body - teamBefore.body
            report.cpuNanoseconds = bodies.nanoseconds
            report.counters.leaveOut(wakeUps: (all - bodies + (clock.threadUse() - useBefore)).wakeUps)
            if !ThreadUse.countsWakeUps { report.counters.wakeUps = nil }
            others -= min(others, all.nanoseconds)
        } else {
            report.cpuNanoseconds = used - min(used, probes.reduce(0) { $0 &+ $1.parallel &+ $1.chain })
        }
        report.otherNanoseconds = others
        report.probes = team == nil ? probes.map(\.parallel) : nil
        report.chains = team == nil ? probes.map(\.chain) : nil
        report.interruptions = interruptions
        report.batchCPU = batchCPU
        report.peakResidentBytes = ResidentMemory.peak
        othersBefore = self.others
        operationsSince = 0
        // The mean corrects a size that was calibrated while everything was cold.
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

    /// Processor time of all other threads so far, nanoseconds.
    private var others: UInt64 {
        let (all, own) = (clock.processCPU(), clock.threadCPU())
        return all - min(all, own)
    }

    /// Runs operations, each timed alone, until `budget` nanoseconds have passed, at least one. An operation's time
    /// includes two readings of the clock, and leaves out the harness's pauses.
    ///
    /// The body may look an entry up once more to check it. A cache that does work on every 64th lookup could then
    /// always do it in the check, so a call with two operations is inserted at random, untimed, to shift the turns.
    ///
    /// The report has histograms and no batches, as for a body that times its own operations. It is empty for a body
    /// with several threads.
    package mutating func runEach(budget: UInt64) -> SliceReply {
        guard case .batched(let run) = body else {
            if case .timed = body { return self.run(budget: budget) }
            return SliceReply()
        }
        var report = SliceReply()
        // Other processes have used the processor's caches since the last slice. Without this, more than a hundredth of
        // the operations would be the first to touch an entry.
        for _ in 0..<2 { run(batch.operations) }
        operationsSince += 2 * batch.operations
        recorder.removeAll()
        report.clockNanoseconds = costOfClock()
        let end = clock.elapsed() + budget
        var before = clock.elapsed()
        repeat {
            before = clock.elapsed()
            MeasuredRegion.run { run(1) }
            let time = clock.elapsed() - before
            recorder.record(outcome, nanoseconds: time - min(time, MeasuredRegion.pausedNanoseconds))
            report.operations += 1
            guard turns.next(below: 8) == 0 else { continue }
            run(2)
            operationsSince += 2
        } while before < end
        operationsSince += report.operations
        report.histograms = recorder.histograms
        report.nanoseconds = report.histograms.values.reduce(0) { $0 &+ $1.sum }
        recorder.removeAll()
        return report
    }

    /// The time of an empty operation, nanoseconds: the median of some.
    private func costOfClock() -> UInt64 {
        let times = (0..<255).map { _ in
            let before = clock.elapsed()
            MeasuredRegion.run {}
            return clock.elapsed() - before
        }
        return times.sorted()[times.count / 2]
    }

    /// Runs exactly `operations` operations, untimed, in the region that instruction counters watch (see
    /// `MeasuredRegion`). Does nothing for a body with several threads.
    package mutating func count(operations: Int) -> WorkReply {
        let before = counters()
        switch body {
        case .batched(let run): MeasuredRegion.run { run(operations) }
        case .timed(let run): MeasuredRegion.run { run(operations, &recorder) }
        case .threaded: break
        }
        let after = counters()
        var change = after.since(before, readingItself: readingItself)
        change.leaveOut(MeasuredRegion.pausedAllocations)
        let report = WorkReply(counters: change, outcomes: recorder.histograms.mapValues(\.count))
        recorder.removeAll()
        return report
    }

    /// Runs `operations` operations, untimed, each in its own measured region. Does nothing for a body with several
    /// threads.
    package mutating func countEach(operations: Int) -> SequenceReply {
        var report = SequenceReply()
        report.allocations.reserveCapacity(operations)
        report.allocatedBytes.reserveCapacity(operations)
        for _ in 0..<operations {
            let before = allocations?()
            switch body {
            case .batched(let run): MeasuredRegion.run { run(1) }
            case .timed(let run): MeasuredRegion.run { run(1, &recorder) }
            case .threaded: return report
            }
            guard let before, let after = allocations?() else { continue }
            let own = after.without(before).without(MeasuredRegion.pausedAllocations)
            report.allocations.append(own.count)
            report.allocatedBytes.append(own.bytes)
        }
        recorder.removeAll()
        return report
    }

    private mutating func runBatch() -> BatchTime {
        operationsSince += batch.operations
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
