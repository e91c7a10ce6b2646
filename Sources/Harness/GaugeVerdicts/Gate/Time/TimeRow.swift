import GaugeSupport
import Platform

/// One benchmark of the gate, with its sets of processes so far and their verdict.
package struct TimeRow {
    package let benchmark: String
    package private(set) var replicates: [Replicate] = []
    package private(set) var judgement: TimeJudgement
    /// The reason why it cannot be measured; it then has no verdict.
    package private(set) var failure: String?
    /// Seconds spent on measuring it.
    package private(set) var seconds = 0.0
    private let plan: LookPlan
    private let delta: Double
    /// Whether a set shares one processor; `false` for a benchmark with several threads.
    private var isBound = true

    package init(_ benchmark: String, plan: LookPlan, delta: Double) {
        self.benchmark = benchmark
        self.plan = plan
        self.delta = delta
        judgement = TimeJudgement([], delta: delta, plan: plan)
    }

    /// Whether more sets may help.
    package var isOpen: Bool { failure == nil && judgement.isOpen && LookPlan.next(after: judgement.sets) != nil }

    /// Adds sets up to the next look or until the deadline, and judges them.
    ///
    /// - Parameters:
    ///   - deadline: monotonic nanoseconds; a set that would end later is not started.
    ///   - measure: measures a set, given its number; throws `NeedsAllProcessors` when one processor is not enough.
    package mutating func extend(
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

/// Thrown for a benchmark with several threads, which cannot run at once on one processor.
package struct NeedsAllProcessors: Error {}
