import GaugeSupport
import Platform

/// One benchmark of the gate, with its sets of processes so far and their verdicts.
package struct TimeRow {
    package let benchmark: String
    package private(set) var replicates: [Replicate] = []
    /// The verdict on the mean time of an operation. Where operations are timed in batches, that is the mean of the
    /// quickest batch (see `VariantWorker.time`), which a pause less often than once a batch does not reach. The mean and
    /// the maximum of the command `run` include such a pause.
    package private(set) var judgement: TimeJudgement
    /// The ratios of 99th percentiles; empty where these cannot be known.
    package private(set) var tails: [Replicate] = []
    /// The verdict on the 99th percentile.
    package private(set) var tailJudgement: TimeJudgement
    /// The reason why the 99th percentile cannot be known.
    package private(set) var tailObstacle: String?
    /// The reason why it cannot be measured; it then has no verdict.
    package private(set) var failure: String?
    /// The same where the current build is at fault.
    package private(set) var buildFailure: BuildFailure?
    /// Seconds spent on measuring it.
    package private(set) var seconds = 0.0
    private let plan: LookPlan
    private let delta: Double
    private let tailDelta: Double
    /// Whether a set shares one processor; `false` for a benchmark with several threads.
    private var isBound = true

    package init(_ benchmark: String, plan: LookPlan, delta: Double, tailDelta: Double = TimeGate.defaultTailDelta) {
        self.benchmark = benchmark
        self.plan = plan
        self.delta = delta
        self.tailDelta = tailDelta
        judgement = TimeJudgement([], delta: delta, plan: plan)
        tailJudgement = TimeJudgement([], delta: tailDelta, plan: plan)
    }

    /// The row of a benchmark that only one of the builds has.
    ///
    /// - Parameter isNew: whether the current build has it.
    package init(oneSided benchmark: String, isNew: Bool, delta: Double) {
        self.init(benchmark, plan: LookPlan(benchmarks: 1), delta: delta)
        failure = isNew ? "the base has no such benchmark" : "the benchmark is gone"
    }

    /// Whether more sets may help.
    package var isOpen: Bool {
        failure == nil && LookPlan.next(after: replicates.count) != nil
            && (judgement.isOpen || (tailObstacle == nil && tailJudgement.isOpen))
    }

    /// The time and, where it is known, the 99th percentile.
    package var figures: [TimeFigure] {
        let mean = TimeFigure(name: benchmark, judgement: judgement, delta: delta, failure: failure)
        return tail.map { [mean, $0] } ?? [mean]
    }

    /// The 99th percentile; `nil` where it cannot be known.
    package var tail: TimeFigure? {
        guard failure == nil, tailObstacle == nil, !replicates.isEmpty else { return nil }
        return TimeFigure(name: "\(benchmark) p99", judgement: tailJudgement, delta: tailDelta, failure: nil)
    }

    /// Adds sets up to the next look or until the deadline, and judges them. A verdict that was reached stays, since the
    /// looks share their probability of error.
    ///
    /// - Parameters:
    ///   - deadline: monotonic nanoseconds; a set that would end later is not started.
    ///   - measure: measures a set, given its number; throws `NeedsAllProcessors` when one processor is not enough,
    ///     `BuildFailure` when the current build is at fault, and `GaugeError` for any other reason.
    package mutating func extend(
        until deadline: UInt64, measure: (_ set: Int, _ isBound: Bool) throws -> TimedSet
    ) throws {
        guard let goal = LookPlan.next(after: replicates.count) else { return }
        while replicates.count < goal, failure == nil {
            let start = monotonicNanoseconds()
            let usual = replicates.isEmpty ? 0 : seconds / Double(replicates.count)
            guard start + UInt64(usual * 1e9) < deadline else { break }
            do {
                add(try measure(replicates.count, isBound))
            } catch is NeedsAllProcessors {
                isBound = false
            } catch let error as BuildFailure {
                (failure, buildFailure) = (error.description, error)
            } catch let error as GaugeError {
                failure = error.description
            }
            seconds += Double(monotonicNanoseconds() - start) / 1e9
        }
        if judgement.isOpen { judgement = TimeJudgement(replicates, delta: delta, plan: plan) }
        if tailJudgement.isOpen { tailJudgement = TimeJudgement(tails, delta: tailDelta, plan: plan) }
    }

    private mutating func add(_ set: TimedSet) {
        replicates.append(set.mean)
        switch set.tail {
        case .ratios(let ratios): tails.append(ratios)
        case .unknown(let reason): tailObstacle = tailObstacle ?? reason
        }
    }
}

/// Thrown for a benchmark with several threads, which cannot run at once on one processor.
package struct NeedsAllProcessors: Error {}
