import GaugeSupport
import Platform

/// One set of processes, from start to exit: a worker for each arm, whose slices alternate.
///
/// All processes of a set share one processor. On two processors, one of them slowed more by other work, equal code
/// differed by 4 % in a set; on one processor by less than 1 %. Alternating two builds every few milliseconds is the
/// method of tango, a tool for Rust, which loads both into one process. Here each has its own process, and several sets
/// are started, since the layout of one may favour a side.
package struct ArmSet {
    package let workers: [ArmWorker]
    private let isBound: Bool
    private let interruption: Interruption?

    /// Starts the processes.
    ///
    /// - Parameters:
    ///   - name: distinguishes this set's files in `place`.
    ///   - processor: the one that all processes share; any if `nil`.
    package init(
        _ arms: [Arm], name: String, settings: RunSettings, in place: TemporaryDirectory, processor: Int?,
        interruption: Interruption?
    ) throws {
        isBound = processor != nil
        self.interruption = interruption
        var workers: [ArmWorker] = []
        do {
            for (number, arm) in arms.enumerated() {
                // Paths of equal length.
                workers.append(
                    try ArmWorker(
                        arm, settings: settings, directory: try place.subdirectory("arm-\(name)-\(number)"),
                        processor: processor, interruption: interruption))
            }
        } catch {
            for worker in workers { worker.end() }
            throw error
        }
        self.workers = workers
    }

    package func end() { for worker in workers { worker.end() } }

    /// Prepares the processes of all sets side by side, in random order: the one whose files are written first is
    /// faster or slower by 1 %.
    ///
    /// - Throws: `NeedsAllProcessors` for a benchmark with several threads whose processes share one processor.
    package static func prepare(_ sets: [ArmSet], _ random: inout Xoshiro256) throws {
        let workers = sets.flatMap { $0.workers.shuffled(using: &random) }
        for worker in workers { try worker.beginPreparing() }
        for worker in workers { try worker.finishPreparing() }
        for set in sets where set.isBound && set.workers.contains(where: { $0.prepared?.kind == .threaded }) {
            throw NeedsAllProcessors()
        }
    }

    /// Measures the prepared processes.
    ///
    /// - Throws: `GaugeError` if an arm fails, which its worker then shows; `Interrupted`.
    package func measure(_ plan: SetPlan, stretch: Double = 1, _ random: inout Xoshiro256) throws -> SetRecord {
        let isTimed = workers.contains { $0.prepared?.kind == .timed }
        let milliseconds = isTimed ? plan.timedSlice : plan.slice
        for worker in workers { try worker.calibrate(milliseconds: milliseconds * 5) }
        var turns = Turns(arms: workers.count)
        for _ in 0..<SetPlan.warmUps {
            for arm in turns.next(&random) { _ = try workers[arm].slice(milliseconds: milliseconds) }
        }
        var slices = [[SliceReply]](repeating: [], count: workers.count)
        var tails: [[Histogram]] = []
        let start = monotonicNanoseconds()
        while !plan.isComplete(
            rows: slices[0].count, seconds: Double(monotonicNanoseconds() - start) / 1e9, isTimed: isTimed,
            stretch: stretch)
        {
            try checkInterruption()
            for arm in turns.next(&random) {
                slices[arm].append(try workers[arm].slice(milliseconds: milliseconds))
            }
        }
        let obstacle = Self.tailObstacle(workers.compactMap(\.prepared))
        if isTimed {
            tails = slices[0].indices.map { row in slices.map { ArmWorker.operations(of: $0[row]) } }
        } else if obstacle == nil {
            for _ in 0..<SetPlan.tailRows(after: slices[0].count, isTimed: isTimed) {
                try checkInterruption()
                var row = [Histogram](repeating: Histogram(), count: workers.count)
                for arm in turns.next(&random) {
                    row[arm] = try workers[arm].operations(milliseconds: SetPlan.tailSlice)
                }
                tails.append(row)
            }
        }
        return SetRecord(slices: slices, tails: tails, stretch: stretch, tailObstacle: obstacle)
    }

    private func checkInterruption() throws {
        if interruption?.isRequested == true { throw Interrupted() }
    }

    /// Why these workers' operations can't be timed one by one.
    package static func tailObstacle(_ prepared: [PreparedReply]) -> String? {
        prepared.contains { $0.kind == .threaded } ? "operations on several threads are not timed one by one" : nil
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

/// How a set of processes is measured.
package struct SetPlan: Equatable, Sendable {
    package enum Length: Equatable, Sendable {
        /// So many slices of each arm (`timed` of them if operations are timed one by one), or `least` once a set has
        /// taken so many seconds.
        case rows(Int, timed: Int, least: Int, seconds: Double)
        /// As many slices as fit into the seconds, at least `least`.
        case seconds(Double, least: Int)
    }

    /// The length of a slice, milliseconds, and of one with operations timed one by one. Brief disturbances average out
    /// over shorter slices, and longer ones affect all arms alike.
    package let slice: Double
    package let timedSlice: Double
    package let length: Length
    /// The most that a set is stretched if work comes in rare bursts.
    package let mostStretch: Double

    /// Slices before those that count. They alternate as well: if files of megabytes are read, the arm that warmed up
    /// last is faster by 4 % for as long as eight slices.
    package static let warmUps = 2
    /// The length of a slice of single operations that are otherwise timed in batches, milliseconds, and the most such
    /// slices of each arm in a set.
    package static let tailSlice = 2.0
    package static let tailSlices = 12
    /// A set should see so many bursts, so that one more or less matters little.
    package static let burstsOfSet = 8.0

    package static let gate = SetPlan(
        slice: 4, timedSlice: 4, length: .rows(16, timed: 32, least: 6, seconds: 1.5), mostStretch: 8)

    /// The plan of a comparison of so many seconds: a set takes 1/32 of them. Sets shorter than 40 ms mostly start
    /// processes; sets longer than 250 ms repeat what is known.
    package static func comparison(seconds: Double) -> SetPlan {
        let set = min(max(seconds / 32, 0.04), 0.25)
        return SetPlan(slice: 2, timedSlice: 4, length: .seconds(set, least: 8), mostStretch: seconds < 5 ? 1 : 4)
    }

    /// Whether a set has all its slices, or enough for the time that it took.
    package func isComplete(rows: Int, seconds: Double, isTimed: Bool, stretch: Double = 1) -> Bool {
        switch length {
        case .rows(let all, let timed, let least, let longest):
            Double(rows) >= Double(isTimed ? timed : all) * stretch || rows >= least && seconds > longest * stretch
        case .seconds(let set, let least): rows >= least && seconds >= set * stretch
        }
    }

    /// The additional slices with operations timed one by one. Timed operations need none, and a short set has few.
    package static func tailRows(after rows: Int, isTimed: Bool) -> Int {
        isTimed ? 0 : min(tailSlices, max(1, rows / 4))
    }

    /// How many times as long as usual the next set measures: if the sets saw few pauses each, chance decides how many,
    /// and with it the mean.
    package func stretch(after sets: [SetRecord]) -> Double {
        let usual = sets.reduce(0) { $0 + $1.stretch }
        guard sets.count >= 2, usual > 0 else { return 1 }
        let seen =
            (sets[0].arms.indices).map { arm in
                sets.reduce(0) { $0 + Double($1.arms[arm].course?.bursts ?? 0) } / usual
            }.max() ?? 0
        return seen > 0 ? min(max(Self.burstsOfSet / seen, 1), mostStretch) : 1
    }
}
