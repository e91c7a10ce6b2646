import Platform

/// Tries one sequence after the other, and shrinks the first that fails.
///
/// Sequences of different tiers differ much in speed, so each choice of tiers gets an equal share of the time.
struct ModelSearch {
    private let kind: ModelSequence.Kind
    /// Sequences tried for each choice of tiers.
    private let sequences: Int
    private let trial: Trial

    init(_ kind: ModelSequence.Kind, sequences: Int, on trial: Trial) {
        (self.kind, self.sequences, self.trial) = (kind, sequences, trial)
    }

    /// The sequences of one choice of tiers.
    private struct Share {
        var seed: UInt64
        var left: Int
        var nanoseconds: UInt64 = 0
    }

    /// - Throws: ``PromiseBroken`` with the options that repeat the failure.
    func run() throws {
        let settings = trial.model
        if let steps = settings.steps {
            // Tells the steps, so that those of a crash are known.
            return try attempt(settings.seed, steps, isTold: true)
        }
        let choices = ModelTiers.choices(kind, trial.capabilities).count
        var shares = (0..<choices).map { Share(seed: settings.seed &+ UInt64($0), left: sequences) }
        let time = SearchTime(seconds: settings.seconds, waited: { SearchTime.waited() + trial.threadsWaited })
        while !time.isOver,
            let place = shares.indices.filter({ shares[$0].left > 0 }).min(by: {
                shares[$0].nanoseconds < shares[$1].nanoseconds
            })
        {
            let start = monotonicNanoseconds()
            try attempt(shares[place].seed, nil, isTold: false) { time.isOver }
            shares[place].seed &+= UInt64(choices)
            shares[place].left -= 1
            shares[place].nanoseconds += monotonicNanoseconds() - start
        }
    }

    /// Tries some steps of one sequence, or all.
    private func attempt(_ seed: UInt64, _ chosen: [Int]?, isTold: Bool, until isOver: () -> Bool = { false }) throws {
        let sequence = ModelSequence(kind, seed: seed, capabilities: trial.capabilities, limits: trial.limits)
        trial.model.beginSequence(seed)
        let steps = chosen ?? Array(sequence.steps.indices)
        var last: Int?
        let first = try fault(sequence, steps, isTold: isTold, isQuick: chosen == nil, until: isOver) { last = $0 }
        guard let first else { return }
        let fewest = chosen ?? shrunk(steps, upTo: last, of: sequence)
        // A fault that depends on the order of threads or the moment of a kill needn't happen each time.
        for _ in 0..<10 {
            if let fault = try fault(sequence, fewest, isTold: true) { throw broken(fault, sequence, fewest) }
        }
        let rare = PromiseBroken("\(first.description); ten repetitions of these steps did not show it again")
        throw broken(rare, sequence, fewest)
    }

    /// - Parameter last: the step that showed the fault, if any.
    private func shrunk(_ steps: [Int], upTo last: Int?, of sequence: ModelSequence) -> [Int] {
        let seconds = trial.model.shrinkSeconds ?? trial.model.seconds / 2
        let end = monotonicNanoseconds() + UInt64(seconds * 1e9)
        let fails = { (part: [Int]) in (try? fault(sequence, part, isTold: false)) != nil }
        var steps = steps
        if let last {
            steps.removeAll { $0 > last }
            // Most faults need the steps of one key alone.
            let own = steps.filter {
                sequence.steps[$0].key == nil || sequence.steps[$0].key == sequence.steps[last].key
            }
            if seconds > 0, own.count < steps.count, fails(own) { steps = own }
        }
        return Shrinking.fewest(of: steps, while: { monotonicNanoseconds() < end }, fails: fails)
    }

    private func broken(_ fault: PromiseBroken, _ sequence: ModelSequence, _ steps: [Int]) -> PromiseBroken {
        PromiseBroken(fault.description, repeating: Self.repetition(seed: sequence.seed, steps: steps))
    }

    /// The options of `verify` that try these steps alone.
    static func repetition(seed: UInt64, steps: [Int]) -> String { "--seed \(seed) --steps \(StepRanges.text(steps))" }

    /// The first fault of a run of these steps.
    ///
    /// - Parameters:
    ///   - isQuick: whether threads repeat their steps fewer times.
    ///   - isOver: asked before each step of a single thread; ends the run early.
    ///   - begin: called with each step of a single thread, and with `nil` after the last one.
    private func fault(
        _ sequence: ModelSequence, _ steps: [Int], isTold: Bool, isQuick: Bool = false,
        until isOver: () -> Bool = { false }, begin: (Int?) -> Void = { _ in }
    ) throws -> PromiseBroken? {
        do {
            try trial.silently(!isTold) {
                if kind == .threads {
                    try ThreadedRun.run(sequence, steps: steps, isQuick: isQuick, on: trial)
                } else {
                    try ModelRun.run(sequence, steps: steps, on: trial, until: isOver, begin: begin)
                }
            }
            return nil
        } catch let broken as PromiseBroken {
            return broken
        } catch let reason as PromiseNotApplicable {
            throw reason
        } catch let failure as WorkerFailure {
            return PromiseBroken("\(failure)")
        } catch {
            return PromiseBroken("threw the error: \(error)")
        }
    }
}

/// How long a search goes on. Time spent waiting for a processor doesn't count, so that a busy machine finds no less;
/// `longest` times as long by the clock is the limit.
struct SearchTime {
    static let longest = 4.0

    private let nanoseconds: Double
    private let now: () -> UInt64
    private let waited: () -> UInt64
    private let start: (now: UInt64, waited: UInt64)

    /// - Parameters:
    ///   - now: the clock, nanoseconds.
    ///   - waited: how long the thread has waited for a processor, nanoseconds.
    init(
        seconds: Double, now: @escaping () -> UInt64 = monotonicNanoseconds,
        waited: @escaping () -> UInt64 = SearchTime.waited
    ) {
        nanoseconds = seconds * 1e9
        (self.now, self.waited) = (now, waited)
        start = (now(), waited())
    }

    var isOver: Bool {
        let passed = Double(now() - start.now)
        guard passed >= nanoseconds else { return false }
        return passed - Double(waited() - start.waited) >= nanoseconds || passed >= nanoseconds * Self.longest
    }

    /// How long the calling thread was ready to run but had no processor, nanoseconds since it began; 0 if the system
    /// doesn't say.
    static func waited() -> UInt64 { waited(schedstat: ProcFile.contents("/proc/thread-self/schedstat")) }

    /// How many times as long the calling thread takes as with a processor of its own; 1 if the system doesn't say.
    static func slowness() -> Double {
        let times = times(schedstat: ProcFile.contents("/proc/thread-self/schedstat"))
        return times.running == 0 ? 1 : Double(times.running + times.waiting) / Double(times.running)
    }

    static func waited(schedstat text: String) -> UInt64 { times(schedstat: text).waiting }

    /// Reads `running waiting timeslices`; the first two are nanoseconds (Linux, sched-stats).
    private static func times(schedstat text: String) -> (running: UInt64, waiting: UInt64) {
        let numbers = text.split(whereSeparator: \.isWhitespace)
        guard numbers.count == 3 else { return (0, 0) }
        return (UInt64(numbers[0]) ?? 0, UInt64(numbers[1]) ?? 0)
    }
}

/// Finds a small part of a list that still fails, by delta debugging (Zeller and Hildebrandt, "Simplifying and
/// Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002). In the end no single element can be left out.
package enum Shrinking {
    /// The remaining elements, in order.
    ///
    /// - Parameters:
    ///   - list: fails as a whole.
    ///   - mayGoOn: asked before each try; when false, the smallest list so far is returned.
    ///   - fails: tries a part of the list.
    package static func fewest<Element>(
        of list: [Element], while mayGoOn: () -> Bool = { true }, fails: ([Element]) throws -> Bool
    ) rethrows -> [Element] {
        var list = list
        var length = list.count / 2
        while length > 0 {
            var hasShrunk = false
            // From the end: steps after the failure go first.
            var end = list.count
            while end > 0 {
                guard mayGoOn() else { return list }
                let start = max(0, end - length)
                let rest = Array(list[..<start] + list[end...])
                if !rest.isEmpty, try fails(rest) {
                    list = rest
                    hasShrunk = true
                }
                end = start
            }
            // Leaving one out may allow leaving out another tried before.
            if length > 1 || !hasShrunk { length = length == 1 ? 0 : max(1, length / 2) }
        }
        return list
    }
}
