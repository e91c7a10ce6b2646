import GaugeMeasurement
import GaugeStatistics
import GaugeSupport
import Platform

/// Judges the time of two builds, by means and by 99th percentiles. Measures sets of processes in which their workers
/// alternate in short slices, until every benchmark has a verdict or the time is over.
///
/// All processes of a set take turns on one processor. On two processors, of which other work slowed down one more,
/// equal code differed by 4 % in a set; on one processor by less than 1 %. Successive sets use different processors.
package struct TimeGate {
    package let variants: VariantExecutables
    package let settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    /// The largest relative difference that counts as equivalent: 0.01 for one per cent.
    package var delta = TimeGate.defaultDelta
    /// The same for 99th percentiles, which repeat less well than means.
    package var tailDelta = TimeGate.defaultTailDelta
    /// Parts of extra work in the current build by benchmark (see `ExtraWork`), for testing the gate.
    package var extraWork: [String: Double] = [:]
    private let processors = ProcessorBinding.allowed

    /// The default time limit, seconds. A gate of eight benchmarks ends within ten minutes, with or without a verdict
    /// on each.
    package static let defaultSeconds = 510.0
    /// At 3 %, a true change of 3 % would be detected only half of the time.
    package static let defaultDelta = 0.01
    package static let defaultTailDelta = 0.1
    /// The length of a slice, milliseconds. Brief disturbances average out over shorter slices, and longer ones affect
    /// all variants alike.
    package static let slice = 4.0
    /// Slices of each variant in a set, and the fewest when they take too long.
    package static let slices = 16
    /// Slices where operations are timed one by one. Successive ones differ by 10 %, however their time is computed.
    package static let timedSlices = 32
    package static let leastSlices = 6
    /// Slices before those, to warm up. They alternate as well: where files of megabytes are read, a variant that
    /// warmed up last is faster by 4 % for as long as eight slices.
    package static let warmUps = 2
    /// The time after which a set uses the fewest slices, seconds.
    package static let longestSet = 1.5

    package init(
        _ variants: VariantExecutables, settings: RunSettings, directory: TemporaryDirectory,
        interruption: Interruption?
    ) {
        self.variants = variants
        self.settings = settings
        self.directory = directory
        self.interruption = interruption
    }

    /// Measures and judges the benchmarks.
    ///
    /// - Parameters:
    ///   - seconds: the time limit, seconds.
    ///   - progress: receives the name of each benchmark that is measured.
    /// - Throws: `Interrupted`. A benchmark that cannot be measured has the reason in its row.
    package func run(
        _ benchmarks: [String], seconds: Double, progress: (String) -> Void = { _ in }
    ) throws -> [TimeRow] {
        let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
        let plan = Self.plan(for: benchmarks)
        var rows = benchmarks.map { TimeRow($0, plan: plan, delta: delta, tailDelta: tailDelta) }
        // Every row reaches its next look before any continues, so that one undecided row does not use the others'
        // time.
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

    /// Each benchmark is judged by its mean time and by its 99th percentile.
    static func plan(for benchmarks: [String]) -> LookPlan { LookPlan(benchmarks: benchmarks.count, figures: 2) }

    /// The settings of a variant's worker. Extra work is done in the current build.
    func settings(of variant: TimeVariant, benchmark: String) -> RunSettings {
        var settings = settings
        settings.extraWork = variant == .current ? extraWork[benchmark] ?? 0 : 0
        return settings
    }

    /// Measures one set of processes, from start to exit.
    private func measure(_ benchmark: String, set: Int, isBound: Bool) throws -> TimedSet {
        var random = Xoshiro256(seed: SplitMix64.mix(settings.seed &+ UInt64(set)), "time-gate")
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        var workers: [VariantWorker] = []
        defer { for worker in workers { worker.end() } }
        let processor = isBound && !processors.isEmpty ? processors[set % processors.count] : nil
        for variant in TimeVariant.allCases {
            workers.append(try worker(of: variant, benchmark: benchmark, in: place, processor: processor))
        }
        do {
            return try measure(benchmark, workers, isBound: isBound, &random)
        } catch let error as GaugeError {
            guard let failed = TimeVariant.allCases.first(where: { workers[$0.rawValue].failure != nil }) else {
                throw error
            }
            for worker in workers { worker.end() }
            throw try cause(of: error, benchmark: benchmark, failed, workers[failed.rawValue])
        }
    }

    /// Starts the process of a variant.
    func worker(
        of variant: TimeVariant, benchmark: String, in place: TemporaryDirectory, processor: Int?
    ) throws -> VariantWorker {
        // Names of equal length, since arguments lie on the stack.
        let arguments = WorkerArguments.make(
            benchmark: benchmark, settings: settings(of: variant, benchmark: benchmark),
            directory: try place.subdirectory("variant-\(variant.rawValue)"))
        return try VariantWorker(
            variant.title, padding: variant == .padded ? VariantWorker.stackPadding : 0,
            executable: variants.executable(of: variant), arguments: arguments, processor: processor,
            timeOut: settings.timeOut, interruption: interruption)
    }

    /// Measures one set with its processes, in the order of `TimeVariant`.
    private func measure(
        _ benchmark: String, _ workers: [VariantWorker], isBound: Bool, _ random: inout Xoshiro256
    ) throws -> TimedSet {
        // The variant whose files are written first is faster or slower by 1 %, so the order is random.
        for worker in workers.shuffled(using: &random) {
            try worker.beginPreparing()
            try worker.finishPreparing()
        }
        if isBound, workers.contains(where: { $0.prepared?.kind == .threaded }) { throw NeedsAllProcessors() }
        let isTimed = workers.contains { $0.prepared?.kind == .timed }
        for worker in workers { try worker.calibrate(milliseconds: Self.slice * 5) }
        var order = Array(workers.indices)
        for _ in 0..<Self.warmUps {
            order.shuffle(using: &random)
            for index in order { _ = try workers[index].slice(milliseconds: Self.slice) }
        }
        let start = monotonicNanoseconds()
        var slices: [[Double]] = []
        var tails = TailTimes()
        while !Self.isComplete(
            slices: slices.count, seconds: Double(monotonicNanoseconds() - start) / 1e9, isTimed: isTimed)
        {
            if interruption?.isRequested == true { throw Interrupted() }
            order.shuffle(using: &random)
            var row = [Double](repeating: 0, count: workers.count)
            var operations = [Histogram](repeating: Histogram(), count: workers.count)
            for index in order {
                (row[index], operations[index]) = try workers[index].report(milliseconds: Self.slice)
            }
            slices.append(row)
            if isTimed { tails.add(operations) }
        }
        guard let mean = Replicate(slices: slices) else { throw GaugeError("\(benchmark) gave no times") }
        if let obstacle = Self.tailObstacle(workers.compactMap(\.prepared)) {
            return TimedSet(mean: mean, tail: .unknown(reason: obstacle))
        }
        for _ in 0..<Self.tailSlices(isTimed: isTimed) {
            if interruption?.isRequested == true { throw Interrupted() }
            order.shuffle(using: &random)
            var operations = [Histogram](repeating: Histogram(), count: workers.count)
            for index in order { operations[index] = try workers[index].operations(milliseconds: TailTimes.slice) }
            tails.add(operations)
        }
        return TimedSet(mean: mean, tail: tails.tail)
    }

    /// Whether a set has all its slices, or enough of them for the time that it took.
    static func isComplete(slices: Int, seconds: Double, isTimed: Bool) -> Bool {
        slices >= (isTimed ? timedSlices : Self.slices) || (slices >= leastSlices && seconds > longestSet)
    }

    /// The slices beside those of the mean in which operations are timed one by one. Timed operations need none.
    static func tailSlices(isTimed: Bool) -> Int { isTimed ? 0 : TailTimes.slices }

    /// The reason why the operations of these workers cannot be timed one by one.
    static func tailObstacle(_ prepared: [PreparedReport]) -> String? {
        if prepared.contains(where: { $0.kind == .threaded }) {
            return "operations on several threads are not timed one by one"
        }
        // A body that times its own operations does so in every build.
        guard prepared.contains(where: { $0.kind != .timed && $0.timesEach != true }) else { return nil }
        return "one of the builds is too old to time operations one by one"
    }
}
