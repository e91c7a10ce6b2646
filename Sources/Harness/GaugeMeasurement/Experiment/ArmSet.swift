import GaugeSupport
import Platform

/// One set of processes, from start to exit: a worker for each arm, whose slices alternate.
///
/// A disturbance longer than a slice affects all arms alike. Alternating two builds every few milliseconds is the
/// method of tango, a tool for Rust, which loads both into one process. Here each has its own process, and several sets
/// are started, each with another layout, hash seed and allocator state, since those of one may favour a side.
package struct ArmSet {
    package let workers: [ArmWorker]
    /// Whether the arms are only compared with each other, as by `compare` and `gate`: the first that fails ends the
    /// set. In a run each arm is measured for itself: one that fails or is slow doesn't hold up the others, it is
    /// warmed, and its figures are read.
    private let arePaired: Bool
    private let isBound: Bool
    private let interruption: Interruption?

    /// A set of a run.
    package init(_ workers: [ArmWorker], interruption: Interruption?) {
        self.workers = workers
        self.interruption = interruption
        (arePaired, isBound) = (false, false)
    }

    /// Starts the processes of arms that are compared with each other.
    ///
    /// All share one processor. On two processors, one of them slowed more by other work, equal code differed by 4 % in
    /// a set; on one processor by less than 1 %.
    ///
    /// - Parameters:
    ///   - name: distinguishes this set's files in `place`.
    ///   - processor: the one that all processes share; any if `nil`.
    package init(
        comparing arms: [Arm], name: String = "0", settings: RunSettings, in place: TemporaryDirectory, processor: Int?,
        interruption: Interruption?
    ) throws {
        workers = try arms.enumerated().map { number, arm in
            // Paths of equal length.
            try ArmWorker(
                arm, settings: settings, directory: try place.subdirectory("arm-\(name)-\(number)"),
                processor: processor, interruption: interruption)
        }
        self.interruption = interruption
        (arePaired, isBound) = (true, processor != nil)
    }

    package func end() { for worker in workers { worker.end() } }

    /// Prepares the processes of all sets side by side, in random order: the one whose files are written first is
    /// faster or slower by 1 %.
    ///
    /// - Throws: `NeedsAllProcessors` for a benchmark with several threads whose processes share one processor.
    package static func prepare(_ sets: [ArmSet], _ random: inout Xoshiro256) throws {
        let all = sets.flatMap { set in set.workers.shuffled(using: &random).map { (set, $0) } }
        for (set, worker) in all { try set.attempt(worker) { try $0.beginPreparing() } }
        for (set, worker) in all { try set.attempt(worker) { try $0.finishPreparing() } }
        for set in sets where set.isBound && set.workers.contains(where: { $0.prepared?.kind == .threaded }) {
            throw NeedsAllProcessors()
        }
    }

    /// Takes a step with a worker, unless an earlier one failed.
    ///
    /// - Throws: `GaugeError` if the worker of a pair fails or gives wrong answers; `Interrupted`.
    private func attempt(_ worker: ArmWorker, _ step: (ArmWorker) throws -> Void) throws {
        if interruption?.isRequested == true { throw Interrupted() }
        try worker.attempt {
            try step($0)
            guard arePaired, $0.hasLied else { return }
            throw WorkerFailure.failed(reason: "\($0.wrong) wrong answers; run it with the command run")
        }
        if arePaired, let error = worker.error { throw error }
    }

    /// Measures the prepared processes.
    ///
    /// - Throws: `GaugeError` if an arm of a pair fails, which its worker then shows; `Interrupted`.
    package func measure(_ plan: SetPlan, stretch: Double = 1, _ random: inout Xoshiro256) throws {
        let isTimed = workers.contains { $0.prepared?.kind == .timed }
        let milliseconds = isTimed ? plan.timedSlice : plan.slice
        var turns = Turns(arms: workers.count)
        for worker in workers {
            try attempt(worker) { try $0.calibrate(milliseconds: min(milliseconds, SetPlan.usualSlice) * 5) }
        }
        for _ in 0..<(arePaired ? SetPlan.warmUps : 1) {
            for arm in turns.next(&random) {
                try attempt(workers[arm]) {
                    if arePaired { try $0.slice(milliseconds: milliseconds) } else { try $0.warmUp() }
                }
            }
        }
        try measureSlices(plan, milliseconds: milliseconds, isTimed: isTimed, stretch: stretch, &turns, &random)
        if arePaired {
            guard tailObstacle == nil else { return }
            for _ in 0..<SetPlan.tailRows(after: workers[0].slices.count, isTimed: isTimed) {
                for arm in turns.next(&random) {
                    try attempt(workers[arm]) { try $0.measureSingles(milliseconds: SetPlan.tailSlice) }
                }
            }
        } else {
            for worker in workers where worker.prepared?.kind == .batched && worker.prepared?.outcome.isHit == true {
                try attempt(worker) { try $0.measureSingles(milliseconds: SetPlan.usualSlice) }
            }
            for worker in workers { try attempt(worker) { try $0.finish() } }
        }
    }

    private func measureSlices(
        _ plan: SetPlan, milliseconds: Double, isTimed: Bool, stretch: Double, _ turns: inout Turns,
        _ random: inout Xoshiro256
    ) throws {
        let start = monotonicNanoseconds()
        var rows = 0
        while !plan.isComplete(
            rows: rows, seconds: Double(monotonicNanoseconds() - start) / 1e9, isTimed: isTimed, stretch: stretch)
        {
            for arm in turns.next(&random) where plan.share.map(workers[arm].mayGoOn) ?? true {
                try attempt(workers[arm]) {
                    if !arePaired, milliseconds < SetPlan.warming { try $0.warmCaches(milliseconds: SetPlan.warming) }
                    try $0.measure(milliseconds: milliseconds)
                }
                if workers[arm].isFatal { return }
            }
            rows += 1
        }
    }

    /// Why these workers' operations can't be timed one by one.
    private var tailObstacle: String? { Self.tailObstacle(workers.compactMap(\.prepared)) }

    package static func tailObstacle(_ prepared: [PreparedReply]) -> String? {
        prepared.contains { $0.kind == .threaded } ? "operations on several threads are not timed one by one" : nil
    }

    /// What the set measured, for a comparison of its arms.
    package func record(stretch: Double = 1) -> SetRecord {
        let isTimed = workers.contains { $0.prepared?.kind == .timed }
        let tails = workers.map { (isTimed ? $0.slices : $0.singles).map(\.singleOperations) }
        var record = SetRecord(
            slices: workers.map(\.slices), tails: tails[0].indices.map { row in tails.map { $0[row] } },
            stretch: stretch, tailObstacle: tailObstacle)
        record.isBound = isBound
        return record
    }
}

/// The order of the arms in successive rows of slices: random, then reversed. So none follows another more often than
/// the reverse, and a drift of the machine cancels.
package struct Turns {
    private var order: [Int]
    private var isSecond = false

    package init(arms: Int) { order = Array(0..<arms) }

    package mutating func next(_ random: inout Xoshiro256) -> [Int] {
        if isSecond { order.reverse() } else { order.shuffle(using: &random) }
        isSecond.toggle()
        return order
    }
}

/// Thrown for a benchmark with several threads, which can't run at once on one processor.
package struct NeedsAllProcessors: Error {}
