import Foundation
import GaugeMeasurement
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

extension SetRecord {
    /// A set of a gate whose contrasts are these. All are logarithms of ratios.
    ///
    /// - Parameters:
    ///   - mean: the change of the mean; `nil` from a build that does not tell.
    ///   - p99: the change of the 99th percentile.
    ///   - obstacle: why percentiles are not known.
    init(
        change: Double, same: Double = 0, layout: Double = 0, mean: Double? = nil, pause: Double = 0,
        p99: Double? = nil,
        obstacle: String? = nil
    ) {
        func arms(_ change: Double, _ same: Double = 0, _ layout: Double = 0) -> [Double] {
            [0, same, layout + same / 2, change + same / 2].map { 100 * exp($0) }
        }
        let (times, tails) = (arms(change, same, layout), p99.map { arms($0) })
        let courses = mean.map { arms($0) }
        self.init(
            arms: (0..<GateArms.count).map { arm in
                Arm(
                    times: [times[arm]],
                    course: courses.map {
                        ArmCourse(mean: $0[arm], pause: 2e6 * (arm == 3 ? exp(pause) : 1), bursts: 9, operations: 1_000)
                    }, percentiles: tails.map { ["p99": [$0[arm]]] } ?? [:])
            }, tailObstacle: p99 == nil ? obstacle ?? "too few operations" : nil)
    }

    /// A set of a comparison in which B takes `ratio` times as long as A.
    init(ratio: Double, mean: Double? = nil, times: (a: Double, b: Double)? = nil) {
        let (a, b) = times ?? (100, 100 * ratio)
        let means = mean.map { [100, 100 * $0] }
        self.init(
            arms: [a, b].enumerated().map { arm, time in
                Arm(
                    times: [time],
                    course: means.map { ArmCourse(mean: $0[arm], pause: 0, bursts: 0, operations: 100_000) })
            })
    }
}

extension ExperimentRow {
    /// The row of a benchmark that was measured until this verdict; an inconclusive one could not be measured.
    init(verdict: Verdict) throws {
        let changes: [Verdict: Double] = [.worse: 0.05, .better: -0.05, .equivalent: 0]
        self.init("a/\(verdict.rawValue)/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try extend(until: .max) { _ in
            guard let change = changes[verdict] else { throw GaugeError("it is not measured") }
            return SetRecord(change: change)
        }
        #expect(judgement.time.verdict == verdict)
    }

    /// The row of a benchmark that the current build fails.
    init(failing failure: BuildFailure?) throws {
        let failure = try #require(failure)
        self.init("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try extend(until: .max) { _ in throw failure }
    }
}
