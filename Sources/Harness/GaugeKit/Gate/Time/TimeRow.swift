import Platform

/// One benchmark of the gate: its sets of processes so far, and what they say.
struct TimeRow {
    let benchmark: String
    private(set) var replicates: [Replicate] = []
    private(set) var judgement: TimeJudgement
    /// Why it cannot be measured; then it has no verdict.
    private(set) var failure: String?
    /// Seconds that measuring it took.
    private(set) var seconds = 0.0
    private let plan: LookPlan
    private let delta: Double
    /// Whether a set shares one processor. Not where a benchmark runs several threads.
    private var isBound = true

    init(_ benchmark: String, plan: LookPlan, delta: Double) {
        self.benchmark = benchmark
        self.plan = plan
        self.delta = delta
        judgement = TimeJudgement([], delta: delta, plan: plan)
    }

    /// Whether more sets would be of use.
    var isOpen: Bool { failure == nil && judgement.isOpen && LookPlan.next(after: judgement.sets) != nil }

    /// Adds sets up to the next look, or until the time is over, and looks.
    ///
    /// - Parameters:
    ///   - deadline: monotonic nanoseconds; a set that would end later is not begun.
    ///   - measure: measures a set, given its number; throws `NeedsAllProcessors` when it cannot on one.
    mutating func extend(
        until deadline: UInt64, measure: (_ set: Int, _ isBound: Bool) throws -> Replicate
    ) throws {
        guard let goal = LookPlan.next(after: judgement.sets) else { return }
        while replicates.count < goal, failure == nil {
            let start = monotonicNanoseconds()
            let usual = replicates.isEmpty ? 0 : seconds / Double(replicates.count)
            guard start + UInt64(usual * 1e9) < deadline else { break }
            do {
                replicates.append(try measure(replicates.count, isBound))
            } catch is NeedsAllProcessors {
                isBound = false
            } catch let error as GaugeError {
                failure = error.description
            }
            seconds += Double(monotonicNanoseconds() - start) / 1e9
        }
        judgement = TimeJudgement(replicates, delta: delta, plan: plan)
    }
}

/// A benchmark with several threads, which one processor would run in turns.
struct NeedsAllProcessors: Error {}
