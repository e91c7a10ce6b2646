import Foundation
import GaugeMeasurement
import GaugeStatistics
import GaugeSupport

/// Tests the comparison: plants work on one side, at random, and counts how often the verdict names that side, and how
/// often it accuses equal sides.
package struct CompareTrials {
    /// One kind of try.
    package struct Kind: Hashable, Codable, Sendable {
        /// The part of extra work; 0 for equal sides.
        package let planted: Double
        package let seconds: Double

        package init(planted: Double, seconds: Double) {
            self.planted = planted
            self.seconds = seconds
        }
    }

    /// One try and its verdict.
    package struct Try: Codable, Equatable, Sendable {
        package let benchmark: String
        package let kind: Kind
        /// Whether B has the extra work; otherwise A has it.
        package let isB: Bool
        package let verdict: PairedVerdict
        package let sets: Int
        /// The part of processor time that the host took, and the load average afterwards.
        package let stolen: Double?
        package let load: Double?

        package init(
            benchmark: String, kind: Kind, isB: Bool, verdict: PairedVerdict, sets: Int, stolen: Double? = nil,
            load: Double? = nil
        ) {
            self.benchmark = benchmark
            self.kind = kind
            self.isB = isB
            self.verdict = verdict
            self.sets = sets
            self.stolen = stolen
            self.load = load
        }

        /// Whether the side with the extra work is called slower.
        package var isCalled: Bool { verdict.kind == (isB ? .slower : .faster) }
        /// Whether the other side is.
        package var isReversed: Bool { verdict.kind == (isB ? .faster : .slower) }
    }

    /// The promises: 1 % in ten seconds, 2 % in one second, and equal sides in both.
    package static let kinds = [
        Kind(planted: 0, seconds: 1), Kind(planted: 0, seconds: 10), Kind(planted: 0.02, seconds: 1),
        Kind(planted: 0.01, seconds: 10),
    ]
    /// The number of tries of each kind with planted work by default; twice as many with equal sides.
    package static let usual = 10

    package let benchmarks: [String]
    package let tries: Int
    package let delta: Double
    package let timing: PairedTiming

    package init(benchmarks: [String], tries: Int, delta: Double, timing: PairedTiming) {
        self.benchmarks = benchmarks
        self.tries = tries
        self.delta = delta
        self.timing = timing
    }

    /// All tries: rounds of one of each kind, two of those with equal sides, in random order within a round, so that a mood
    /// of the machine meets every kind. A plan with more tries begins with the same ones.
    package var plan: [(benchmark: String, kind: Kind, isB: Bool)] {
        var random = Xoshiro256(seed: timing.settings.seed, "compare-trials")
        return (0..<tries).flatMap { round in
            benchmarks.flatMap { benchmark in
                Self.kinds.flatMap { kind in
                    (0..<(kind.planted > 0 ? 1 : 2)).map { (benchmark, kind, (round + $0) % 2 == 0) }
                }
            }.shuffled(using: &random)
        }
    }

    /// Both sides of a try, of which B or A does the planted work.
    func sides(benchmark: String, kind: Kind, isB: Bool) -> (a: ComparedSide, b: ComparedSide) {
        (
            ComparedSide(title: "A", benchmark: benchmark, extraWork: isB ? 0 : kind.planted),
            ComparedSide(title: "B", benchmark: benchmark, extraWork: isB ? kind.planted : 0)
        )
    }

    /// Makes all tries that a log does not have yet, until interrupted.
    ///
    /// - Parameters:
    ///   - log: receives each try when it has ended.
    ///   - tell: receives each new try, and the numbers done and planned.
    /// - Throws: `UsageError` for a log of other tries; `GaugeError`.
    package func run(
        log: LineLog<CompareTrialsRecord>, tell: (Try, Int, Int) -> Void
    ) throws -> (tries: [Try], isInterrupted: Bool) {
        let header = CompareTrialsRecord.Settings(
            seed: timing.settings.seed, benchmarks: benchmarks, delta: delta)
        if let before = log.settings {
            guard before == header else {
                throw UsageError(
                    "\(log.path) was begun with other options or benchmarks; give the same, or another file with --log")
            }
        } else {
            try log.add(.settings(header))
        }
        let plan = plan
        var done = log.tries
        for (number, next) in plan.enumerated().dropFirst(done.count) {
            var timing = timing
            timing.settings.seed = SplitMix64.mix(timing.settings.seed &+ UInt64(number))
            let before = ProcessorTimes.now
            let (a, b) = sides(benchmark: next.benchmark, kind: next.kind, isB: next.isB)
            let result = try timing.run(a, b, seconds: next.kind.seconds)
            if result.isInterrupted { return (done, true) }
            let last = Try(
                benchmark: next.benchmark, kind: next.kind, isB: next.isB,
                verdict: PairedVerdict(result.sets, delta: delta), sets: result.sets.count,
                stolen: before.flatMap { before in ProcessorTimes.now?.stolenPart(since: before) },
                load: NoiseMeter.load)
            try log.add(.attempt(last))
            done.append(last)
            tell(done[done.count - 1], done.count, plan.count)
        }
        return (done, false)
    }
}
