import GaugeSupport
import Platform

/// Measures arms side by side, one set of processes after another, until there's a verdict or the time is over.
///
/// `compare` has two arms and a time for each row, `gate` has four and looks fixed in advance (`LookPlan`), and a
/// self-test plants work in one of them.
package struct Experiment {
    package var settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    private let processors = ProcessorBinding.allowed

    /// The most sets prepared together, each on its own processor. Each holds two caches or more.
    package static let mostTogether = 4

    package init(settings: RunSettings, directory: TemporaryDirectory, interruption: Interruption?) {
        (self.settings, self.directory, self.interruption) = (settings, directory, interruption)
    }

    /// Measures sets of a comparison until the seconds are over: as many as fit, and at least as many as a verdict
    /// needs.
    ///
    /// Sets on different processors are prepared together, to save time, and measured one after another.
    ///
    /// - Throws: `GaugeError` if an arm can't be measured.
    package func run(_ arms: [Arm], seconds: Double) throws -> (sets: [SetRecord], isInterrupted: Bool) {
        let start = monotonicNanoseconds()
        func spent() -> Double { Double(monotonicNanoseconds() - start) / 1e9 }
        let plan = SetPlan.comparison(seconds: seconds)
        var sets: [SetRecord] = []
        var longest = 0.0
        do {
            while Self.goesOn(sets: sets.count, spent: spent(), longest: longest, of: seconds) {
                let before = spent()
                sets += try measure(arms, plan, after: sets, together: Self.mostTogether)
                longest = max(longest, spent() - before)
            }
        } catch is Interrupted {
            return (sets, true)
        }
        return (sets, false)
    }

    /// Whether to measure another round: if verdicts need it, or one as long as the longest so far fits into the
    /// seconds.
    static func goesOn(sets: Int, spent: Double, longest: Double, of seconds: Double) -> Bool {
        sets < JudgingRule.comparison(delta: JudgingRule.comparisonDelta).leastSets || spent + longest < seconds
    }

    /// Measures rows for a gate, each until it has its verdicts.
    ///
    /// - Parameters:
    ///   - progress: receives the name of each benchmark that is measured.
    /// - Throws: `Interrupted`; the rows then have what was measured before. The row of a benchmark that can't be
    ///   measured has the reason.
    package func run(
        _ rows: inout [ExperimentRow], arms armsOf: (_ benchmark: String) -> [Arm], seconds: Double,
        progress: (String) -> Void = { _ in }
    ) throws {
        let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
        // Every row reaches its next look before any continues, so that one undecided row doesn't use the others' time.
        while monotonicNanoseconds() < deadline, rows.contains(where: \.isOpen) {
            let least = rows.filter(\.isOpen).map(\.sets.count).min() ?? 0
            for index in rows.indices where rows[index].isOpen && rows[index].sets.count <= least {
                let arms = armsOf(rows[index].benchmark)
                try rows[index].extend(until: deadline) { before in
                    let left = Double(deadline - min(deadline, monotonicNanoseconds())) / 1e9
                    progress(
                        "\(arms[0].benchmark), set \(before.count + 1); \(Quantity.percent(1 - left / max(seconds, 1e-9))) of the "
                            + "time, at most \(Quantity.decimal(left, 0)) s left")
                    return try measure(arms, .gate, after: before, together: 1)[0]
                }
            }
            if rows.filter(\.isOpen).allSatisfy({ $0.sets.count <= least }) { break }
        }
    }

    /// Measures one round of sets, from start to exit.
    ///
    /// - Parameters:
    ///   - before: the sets of earlier rounds.
    ///   - together: the most sets of a round.
    private func measure(
        _ arms: [Arm], _ plan: SetPlan, after before: [SetRecord], together: Int
    ) throws -> [SetRecord] {
        let isBound = before.last?.isBound ?? !processors.isEmpty
        do {
            return try measure(arms, plan, after: before, together: together, isBound: isBound)
        } catch is NeedsAllProcessors {
            return try measure(arms, plan, after: before, together: 1, isBound: false)
        }
    }

    /// - Parameter isBound: whether a set's processes share one processor; if not, a round has one set.
    private func measure(
        _ arms: [Arm], _ plan: SetPlan, after before: [SetRecord], together: Int, isBound: Bool
    ) throws -> [SetRecord] {
        let (number, stretch) = (before.count, plan.stretch(after: before))
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        var random = Xoshiro256(seed: SplitMix64.mix(settings.seed &+ UInt64(number)), "experiment")
        var sets: [ArmSet] = []
        defer { for set in sets { set.end() } }
        for set in 0..<(isBound ? min(processors.count, together) : 1) {
            sets.append(
                try ArmSet(
                    comparing: arms, name: "\(set)", settings: settings, in: place,
                    processor: isBound ? processors[(number + set) % processors.count] : nil,
                    interruption: interruption))
        }
        do {
            try ArmSet.prepare(sets, &random)
            return try sets.map { set in
                try set.measure(plan, stretch: stretch, &random)
                return set.record(stretch: stretch)
            }
        } catch let error as GaugeError {
            let hasLied = sets.flatMap(\.workers).contains(where: \.hasLied)
            let failed = sets.flatMap { $0.workers.enumerated() }.first { $0.element.failure != nil }
            for set in sets { set.end() }
            guard arms.count == GateArms.count, let failed else {
                throw hasLied ? WrongAnswers(description: error.description) : error
            }
            let isCurrent = failed.offset == GateArms.positions.current
            throw try cause(of: error, failed.element, isCurrent: isCurrent, arms)
        }
    }
}

extension Experiment {
    /// Finds out whether the current build is at fault when a set of a gate fails.
    ///
    /// If both builds fail, either may be the first, so the other one is run alone if that matters.
    ///
    /// - Parameters:
    ///   - error: the failure of `failed`, an arm of the current build or of the base.
    /// - Returns: a `BuildFailure` of the current build; otherwise `error`.
    private func cause(of error: GaugeError, _ failed: ArmWorker, isCurrent: Bool, _ arms: [Arm]) throws -> any Error {
        let (base, current) = (GateArms.positions.base, GateArms.positions.current)
        let isLate = failed.failure == .timedOut
        guard !isCurrent || isLate else { return failed.buildFailure ?? error }
        let other = try failure(of: arms[isCurrent ? base : current])
        // If both time out, the machine may be too slow for the benchmark.
        if isLate, other?.failure == .timedOut { return error }
        return (isCurrent ? failed : other)?.buildFailure ?? error
    }

    /// Runs one arm alone.
    ///
    /// - Returns: its worker, if it fails.
    private func failure(of arm: Arm) throws -> ArmWorker? {
        let place = try TemporaryDirectory(in: directory.path)
        defer { place.remove() }
        let set = try ArmSet(
            comparing: [arm], settings: settings, in: place, processor: nil, interruption: interruption)
        defer { set.end() }
        var random = Xoshiro256(seed: settings.seed, "alone")
        do {
            try ArmSet.prepare([set], &random)
            try set.measure(.gate, &random)
            return nil
        } catch is GaugeError where set.workers[0].failure != nil {
            return set.workers[0]
        }
    }
}

extension ArmWorker {
    /// Its failure as one of the current build; `nil` if its benchmark is only too slow to be measured here.
    fileprivate var buildFailure: BuildFailure? {
        guard let failure, let error else { return nil }
        return BuildFailure(error.description, cause: failure, wrong: wrong)
    }
}
