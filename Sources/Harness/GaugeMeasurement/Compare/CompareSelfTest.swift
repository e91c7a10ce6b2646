import Foundation
import GaugeSupport

/// Tests the comparison: plants work on a random side, and counts how often the verdict names that side, and how often
/// it accuses equal sides.
package struct CompareSelfTest {
    package struct Kind: Hashable, Codable, Sendable {
        /// The part of extra work; 0 for equal sides.
        package let planted: Double
        package let seconds: Double
    }

    package struct Try: Codable, Equatable, Sendable {
        package let benchmark: String
        package let kind: Kind
        /// Whether B has the extra work rather than A.
        package let isB: Bool
        package let verdict: Verdict
        /// The logarithm of B's time over A's, with its interval; `nil` for too few sets.
        package var change: Double?
        package var low: Double?
        package var high: Double?
        package var face = TimeFace.undisturbed
        /// The verdicts on the other figures, by name.
        package var tails: [String: Verdict] = [:]
        package let sets: Int
        /// The share of processor time that the host took, and the load average afterwards.
        package var stolen: Double?
        package var load: Double?

        package var interval: ClosedRange<Double>? {
            guard let low, let high, low <= high else { return nil }
            return low...high
        }

        /// Whether the side with the extra work was called worse.
        package var isCalled: Bool { verdict == (isB ? .worse : .better) }
        /// Whether the other side was.
        package var isReversed: Bool { verdict == (isB ? .better : .worse) }
    }

    /// The settings shared by all tries of a log.
    package struct Settings: Codable, Equatable, Sendable {
        package let seed: UInt64
        package let benchmarks: [String]
        package let delta: Double
    }

    package typealias Line = SelfTestLine<Settings, Try>

    /// The promises: 1 % in ten seconds, 2 % in one second, and equal sides in both.
    package static let kinds = [
        Kind(planted: 0, seconds: 1), Kind(planted: 0, seconds: 10), Kind(planted: 0.02, seconds: 1),
        Kind(planted: 0.01, seconds: 10),
    ]
    /// How many tries of each kind with planted work by default; twice as many with equal sides.
    package static let usual = 10

    package let benchmarks: [String]
    package let tries: Int
    package let delta: Double
    package let experiment: Experiment

    package init(benchmarks: [String], tries: Int, delta: Double, experiment: Experiment) {
        (self.benchmarks, self.tries, self.delta, self.experiment) = (benchmarks, tries, delta, experiment)
    }

    /// All tries: rounds with one of each kind (two with equal sides), in random order, so that a mood of the machine
    /// meets every kind. A plan with more tries begins with the same ones.
    package var plan: [(benchmark: String, kind: Kind, isB: Bool)] {
        var random = Xoshiro256(seed: experiment.settings.seed, "compare-trials")
        return (0..<tries).flatMap { round in
            benchmarks.flatMap { benchmark in
                Self.kinds.flatMap { kind in
                    (0..<(kind.planted > 0 ? 1 : 2)).map { (benchmark, kind, (round + $0) % 2 == 0) }
                }
            }.shuffled(using: &random)
        }
    }

    /// Both sides of a try; B or A does the planted work.
    func arms(benchmark: String, kind: Kind, isB: Bool) -> [Arm] {
        [
            Arm(title: "A", benchmark: benchmark, extraWork: isB ? 0 : kind.planted),
            Arm(title: "B", benchmark: benchmark, extraWork: isB ? kind.planted : 0),
        ]
    }

    /// Makes all tries that a log doesn't have yet, until interrupted.
    package func run(log: LineLog<Line>, console: Console) throws -> ExitCode {
        let plan = plan
        return try log.run(
            Settings(seed: experiment.settings.seed, benchmarks: benchmarks, delta: delta), rounds: plan.count,
            of: "try",
            console: console, table: { CompareSelfTestReport($0.compactMap(\.done), delta: delta).markdown }
        ) { number in
            let next = plan[number]
            var experiment = experiment
            experiment.settings.seed = SplitMix64.mix(experiment.settings.seed &+ UInt64(number))
            let before = ProcessorTimes.now
            let result = try experiment.run(
                arms(benchmark: next.benchmark, kind: next.kind, isB: next.isB), seconds: next.kind.seconds)
            if result.isInterrupted { throw Interrupted() }
            let last = Try(
                ComparedRow(name: next.benchmark, result.sets, .comparison(delta: delta)), kind: next.kind,
                isB: next.isB, benchmark: next.benchmark,
                stolen: before.flatMap { before in ProcessorTimes.now?.stolenPart(since: before) },
                load: NoiseMeter.load)
            let cells = CompareSelfTestReport.cells(last).joined(separator: "  ")
            return (last, told: "\(number + 1)/\(plan.count) \(cells)\n")
        }
    }
}

extension CompareSelfTest.Try {
    init(_ row: ComparedRow, kind: CompareSelfTest.Kind, isB: Bool, benchmark: String, stolen: Double?, load: Double?) {
        self.init(
            benchmark: benchmark, kind: kind, isB: isB, verdict: row.verdict, change: row.ratio.map { log($0) },
            low: row.interval.map { log($0.lowerBound) }, high: row.interval.map { log($0.upperBound) }, face: row.face,
            sets: row.sets, stolen: stolen, load: load)
        for tail in row.tails where [.worse, .better].contains(tail.verdict) {
            tails[tail.figure.rawValue] = tail.verdict
        }
    }
}

/// The table of the tries of a comparison, as Markdown.
package struct CompareSelfTestReport {
    private let tries: [CompareSelfTest.Try]
    private let delta: Double

    package init(_ tries: [CompareSelfTest.Try], delta: Double) {
        self.tries = tries
        self.delta = delta
    }

    package var markdown: String {
        let kinds = tries.grouped(by: \.benchmark).flatMap { benchmark, tries in
            CompareSelfTest.kinds.compactMap { kind -> [String]? in
                let these = tries.filter { $0.kind == kind }
                return these.isEmpty ? nil : cells(benchmark, kind, these)
            }
        }
        return """
            # The command compare, tested

            Both sides are the same executable; extra work ran inside the measured call of one side, which changed at
            random. A try is *called* when the verdict names that side as the worse one, and *wrong* when it names the
            other side, or any side of equal ones.

            \(Table(
                [
                    "benchmark", "planted", "seconds", "tries", "called", "wrong", "equivalent", "inconclusive",
                    "± (median)", "sets",
                ], kinds).markdown)
            Equivalent is within \(Quantity.smallPercent(delta)).

            \(Table(
                [
                    "try", "benchmark", "planted", "seconds", "verdict", "change", "interval", "sets", "steal", "load",
                ], tries.enumerated().map { number, next in ["\(number + 1)"] + Self.cells(next) }).markdown)
            """
    }

    private func cells(_ benchmark: String, _ kind: CompareSelfTest.Kind, _ tries: [CompareSelfTest.Try]) -> [String] {
        let isPlanted = kind.planted > 0
        let wrong = tries.count { $0.isReversed || (!isPlanted && $0.isCalled) }
        func count(_ verdict: Verdict) -> String { "\(tries.count { $0.verdict == verdict })" }
        let reach = Samples(tries.compactMap { $0.interval.map { ($0.upperBound - $0.lowerBound) / 2 } }).median
        let sets = Samples(tries.map { Double($0.sets) }).median ?? 0
        return [
            benchmark, Self.planted(kind), Quantity.plain(kind.seconds), "\(tries.count)",
            isPlanted ? "\(tries.count(where: \.isCalled))" : Quantity.missing, "\(wrong)", count(.equivalent),
            count(.inconclusive), reach.map(Quantity.smallPercent) ?? Quantity.missing, Quantity.plain(sets),
        ]
    }

    private static func planted(_ kind: CompareSelfTest.Kind) -> String {
        kind.planted > 0 ? Quantity.change(kind.planted) : Quantity.smallPercent(kind.planted)
    }

    /// The columns of a try; its change is that of the side with the planted work.
    package static func cells(_ next: CompareSelfTest.Try) -> [String] {
        let sign = next.isB ? 1.0 : -1.0
        func percent(_ logarithm: Double?) -> String {
            logarithm.map { Quantity.change(expm1(sign * $0)) } ?? Quantity.missing
        }
        let interval = next.interval
        let ends = [percent(interval?.lowerBound), percent(interval?.upperBound)]
        let verdict =
            next.isCalled || next.isReversed
            ? (next.kind.planted > 0 && next.isCalled ? "called" : "wrong") : next.verdict.rawValue
        return [
            next.benchmark, planted(next.kind),
            Quantity.plain(next.kind.seconds), verdict, percent(next.change),
            (next.isB ? ends : ends.reversed()).joined(separator: " to "), "\(next.sets)",
            next.stolen.map(Quantity.percent) ?? Quantity.missing, Quantity.each(next.load),
        ]
    }
}
