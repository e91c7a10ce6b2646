import Platform

/// Judges the time of two builds: their workers side by side in short slices, set of processes after set of processes,
/// until every benchmark has a verdict or the time is over.
///
/// All processes of a set run on one processor, in turns: moved between two, one that others slow down differently, the
/// same code differed from itself by 4 % a set; on one by less than 1 %. Sets take the processors in turn.
struct TimeGate {
    let arms: TimeArms
    let settings: RunSettings
    let directory: TemporaryDirectory
    let interruption: Interruption?
    /// What may differ: 0.01 for one per cent.
    var delta = TimeGate.defaultDelta
    /// Parts of extra work that the current build is made to do (see `ExtraWork`), for testing the gate itself.
    var extraWork: [String: Double] = [:]
    private let processors = ProcessorBinding.allowed

    /// Eight benchmarks have a verdict within ten minutes, or none.
    static let defaultSeconds = 540.0
    /// With 3 % a true 3 % would be called half of the time.
    static let defaultDelta = 0.01
    /// Slices are so long, milliseconds: as much as others take away for a moment averages out in less, and what they take
    /// for longer cancels.
    static let slice = 4.0
    /// Slices of each arm in a set, and the fewest where they take longer than they should.
    static let slices = 16
    /// Slices where operations are timed one by one. One of them differs from the next by 10 %, whichever way its time is
    /// taken from them.
    static let timedSlices = 32
    static let leastSlices = 6
    /// Slices before those, to warm up: in turns as well, since one who has just warmed up is ahead of one who did so before
    /// the others, by 4 % for as long as eight slices where files of megabytes are read.
    static let warmUps = 2
    /// As long as a set may take before it makes do with the fewest, seconds.
    static let longestSet = 1.5

    init(
        _ arms: TimeArms, settings: RunSettings, directory: TemporaryDirectory, interruption: Interruption?
    ) {
        self.arms = arms
        self.settings = settings
        self.directory = directory
        self.interruption = interruption
    }

    /// Measures and judges.
    ///
    /// - Parameters:
    ///   - seconds: how long it may take.
    ///   - progress: told what is being measured.
    /// - Throws: `Interrupted`. A benchmark that cannot be measured says so in its row.
    func run(
        _ benchmarks: [String], seconds: Double, progress: (String) -> Void = { _ in }
    ) throws -> [TimeRow] {
        let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
        let plan = LookPlan(benchmarks: benchmarks.count)
        var rows = benchmarks.map { TimeRow($0, plan: plan, delta: delta) }
        // All get to their next look before any gets to the one after it: an obstinate row takes no time from others.
        while monotonicNanoseconds() < deadline, rows.contains(where: \.isOpen) {
            let least = rows.filter(\.isOpen).map(\.replicates.count).min() ?? 0
            for index in rows.indices where rows[index].isOpen && rows[index].replicates.count <= least {
                let name = rows[index].benchmark
                try rows[index].extend(until: deadline) { set, isBound in
                    progress("\(name), set \(set + 1)")
                    return try measure(name, set: set, isBound: isBound)
                }
            }
            if rows.filter(\.isOpen).allSatisfy({ $0.replicates.count <= least }) { break }
        }
        return rows
    }

    /// One set of processes, from their start to their end.
    private func measure(_ benchmark: String, set: Int, isBound: Bool) throws -> Replicate {
        var random = Xoshiro256(seed: SplitMix64.mix(settings.seed &+ UInt64(set)), "time-gate")
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        var workers: [ArmWorker] = []
        defer { for worker in workers { worker.end() } }
        for arm in TimeArm.allCases {
            var settings = settings
            settings.extraWork = arm == .current ? extraWork[benchmark] ?? 0 : 0
            // Names of one length: they are arguments, and arguments lie on the stack.
            let arguments = WorkerCommand.arguments(
                benchmark: benchmark, settings: settings, directory: try place.subdirectory("arm-\(arm.rawValue)"))
            workers.append(
                try ArmWorker(
                    arm, executable: arms.executable(of: arm), arguments: arguments,
                    processor: isBound && !processors.isEmpty ? processors[set % processors.count] : nil,
                    patience: settings.patience, interruption: interruption))
        }
        // Whose files come first is faster or slower by 1 %: somebody else's each time.
        for worker in workers.shuffled(using: &random) {
            try worker.beginPreparing()
            try worker.finishPreparing()
        }
        if isBound, workers.contains(where: { $0.prepared?.kind == .threaded }) { throw NeedsAllProcessors() }
        let isTimed = workers.contains { $0.prepared?.kind == .timed }
        for worker in workers { try worker.settle(milliseconds: Self.slice * 5) }
        var order = Array(workers.indices)
        for _ in 0..<Self.warmUps {
            order.shuffle(using: &random)
            for index in order { _ = try workers[index].slice(milliseconds: Self.slice) }
        }
        let start = monotonicNanoseconds()
        var slices: [[Double]] = []
        while slices.count < (isTimed ? Self.timedSlices : Self.slices) {
            if interruption?.isRequested == true { throw Interrupted() }
            let spent = Double(monotonicNanoseconds() - start) / 1e9
            if slices.count >= Self.leastSlices, spent > Self.longestSet { break }
            order.shuffle(using: &random)
            var row = [Double](repeating: 0, count: workers.count)
            for index in order { row[index] = try workers[index].slice(milliseconds: Self.slice) }
            slices.append(row)
        }
        guard let replicate = Replicate(slices: slices) else {
            throw GaugeError("\(benchmark) gave no times")
        }
        return replicate
    }
}
