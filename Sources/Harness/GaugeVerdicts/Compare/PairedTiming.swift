import GaugeMeasurement
import GaugeSupport
import Platform

/// Measures two sides by pairs of processes that alternate in slices of some milliseconds.
///
/// Both processes of a set share one processor, since two processors may differ by 4 % while other work runs. Sets on
/// different processors are prepared together, which saves time, and measured one after another. Alternating
/// two builds every few milliseconds is the method of tango, a tool for Rust, which loads both into one process. Here
/// each has its own process, and several sets are started, since the layout of one may favour a side.
package struct PairedTiming {
    package var settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    private let processors = ProcessorBinding.allowed

    /// The length of a slice, milliseconds: four batches, of which the shortest counts.
    package static let slice = 2.0
    /// The same where operations are timed one by one, whose mean counts.
    package static let timedSlice = 4.0
    /// Pairs before those that count.
    package static let warmUps = 2
    /// The fewest pairs of a set.
    package static let leastPairs = 8
    /// The part of all seconds for which one set is measured, and its bounds, seconds. Sets shorter than the lower
    /// bound spend most of their time on starting processes; longer ones than the upper bound repeat what is known.
    package static let share = 1.0 / 32
    package static let setSeconds = 0.04...0.25
    /// The most sets that are prepared together. Each holds two caches.
    package static let mostTogether = 4

    package init(settings: RunSettings, directory: TemporaryDirectory, interruption: Interruption?) {
        self.settings = settings
        self.directory = directory
        self.interruption = interruption
    }

    /// The sets of one comparison, and its cost.
    package struct Result {
        package var sets: [PairedSet] = []
        /// Wrong answers of peers in one set, by side.
        package var wrong = (a: 0, b: 0)
        package var seconds = 0.0
        /// Whether it was ended from outside.
        package var isInterrupted = false

        package init(sets: [PairedSet] = []) { self.sets = sets }
    }

    /// Measures sets until the seconds are over: as many as fit, and at least as many as a verdict needs.
    ///
    /// - Throws: `GaugeError` when a side cannot be measured.
    package func run(_ a: ComparedSide, _ b: ComparedSide, seconds: Double) throws -> Result {
        let start = monotonicNanoseconds()
        func spent() -> Double { Double(monotonicNanoseconds() - start) / 1e9 }
        var result = Result()
        var isBound = !processors.isEmpty
        let length = Self.setSeconds(of: seconds)
        var longest = 0.0
        do {
            while Self.goesOn(sets: result.sets.count, spent: spent(), longest: longest, of: seconds) {
                let before = spent()
                let together = isBound ? min(processors.count, Self.mostTogether) : 1
                do {
                    try measure((a, b), sets: together, isBound: isBound, length: length, into: &result)
                    longest = max(longest, spent() - before)
                } catch is NeedsAllProcessors {
                    isBound = false
                }
            }
        } catch is Interrupted {
            result.isInterrupted = true
        }
        result.seconds = spent()
        return result
    }

    /// Whether another round of sets is measured: verdicts need more, or one as long as the longest so far fits into the
    /// seconds.
    static func goesOn(sets: Int, spent: Double, longest: Double, of seconds: Double) -> Bool {
        sets < PairedVerdict.leastSets || spent + longest < seconds
    }

    /// Measures one round of sets, from start to exit.
    private func measure(
        _ sides: (ComparedSide, ComparedSide), sets: Int, isBound: Bool, length: Double, into result: inout Result
    ) throws {
        let number = result.sets.count
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        var pairs: [[VariantWorker]] = []
        defer { for worker in pairs.flatMap(\.self) { worker.end() } }
        for set in 0..<sets {
            let processor = isBound ? processors[(number + set) % processors.count] : nil
            pairs.append(try [sides.0, sides.1].enumerated().map { try worker($1, "\(set)-\($0)", place, processor) })
        }
        var random = Xoshiro256(seed: SplitMix64.mix(settings.seed &+ UInt64(number)), "compare")
        // The one whose files are written first may be faster or slower, so the order is random.
        let all = pairs.map { $0.shuffled(using: &random) }
        for worker in all.flatMap(\.self) { try worker.beginPreparing() }
        for worker in all.flatMap(\.self) { try worker.finishPreparing() }
        if isBound, pairs.joined().contains(where: { $0.prepared?.kind == .threaded }) { throw NeedsAllProcessors() }
        for pair in pairs {
            let times = try slices(of: pair, seconds: length, random: &random)
            guard let set = PairedSet(times) else { throw GaugeError("\(sides.0.benchmark) gave no times") }
            result.sets.append(set)
            result.wrong = (max(result.wrong.a, pair[0].wrong), max(result.wrong.b, pair[1].wrong))
        }
    }

    /// The seconds for which one set is measured, of those of a comparison.
    static func setSeconds(of seconds: Double) -> Double {
        min(max(seconds * share, setSeconds.lowerBound), setSeconds.upperBound)
    }

    /// The settings of a side's workers.
    func settings(of side: ComparedSide) -> RunSettings {
        var settings = settings
        settings.extraWork = side.extraWork
        return settings
    }

    private func worker(
        _ side: ComparedSide, _ name: String, _ place: TemporaryDirectory, _ processor: Int?
    ) throws -> VariantWorker {
        try VariantWorker(
            side.title, isPeer: side.isPeer, executable: side.executable,
            arguments: WorkerArguments.make(
                benchmark: side.benchmark, settings: settings(of: side),
                directory: try place.subdirectory("side-\(name)")),
            processor: processor, timeOut: settings.timeOut, interruption: interruption)
    }

    /// The times of adjacent slices of two prepared workers, which take turns at going first.
    private func slices(
        of pair: [VariantWorker], seconds: Double, random: inout Xoshiro256
    ) throws -> [(a: Double, b: Double)] {
        let isTimed = pair.contains { $0.prepared?.kind == .timed }
        let milliseconds = isTimed ? Self.timedSlice : Self.slice
        for worker in pair { try worker.calibrate(milliseconds: milliseconds * 5) }
        var isSwapped = random.next(below: 2) == 0
        func next() throws -> (a: Double, b: Double) {
            defer { isSwapped.toggle() }
            guard isSwapped else {
                let a = try pair[0].slice(milliseconds: milliseconds)
                return (a, try pair[1].slice(milliseconds: milliseconds))
            }
            let b = try pair[1].slice(milliseconds: milliseconds)
            return (try pair[0].slice(milliseconds: milliseconds), b)
        }
        for _ in 0..<Self.warmUps { _ = try next() }
        let end = monotonicNanoseconds() + UInt64(seconds * 1e9)
        var times: [(a: Double, b: Double)] = []
        while times.count < Self.leastPairs || monotonicNanoseconds() < end {
            if interruption?.isRequested == true { throw Interrupted() }
            times.append(try next())
        }
        return times
    }
}
