import GaugeSupport

/// What the log of the gate's self-test holds.
package enum SelfTestRecord {
    package typealias Line = SelfTestLine<Settings, Round>

    /// The settings shared by all rounds of a log, in its first line.
    package struct Settings: Codable, Equatable, Sendable {
        package let seed: UInt64
        package let delta: Double
        /// The time limit of a round, seconds.
        package let seconds: Double
        package let benchmarks: [String]
    }

    package struct Round: Codable, Equatable, Sendable {
        /// The number of the round, from 0.
        package let number: Int
        package let seconds: Double
        package let decisions: [Decision]
    }

    package struct Decision: Codable, Equatable, Sendable {
        package let benchmark: String
        /// The part of extra work in the current build; 0 for a clean decision.
        package let planted: Double
        package let verdict: Verdict
        package let doubt: String?
        /// The ratio of times minus 1, with its interval.
        package let change: Double?
        package let low: Double?
        package let high: Double?
        /// The ratio minus 1 of the base against itself, and of the padded base against the base.
        package let same: Double?
        package let layout: Double?
        /// The smallest effect that the round could detect.
        package let resolution: Double?
        package let sets: Int
        /// Why the benchmark wasn't measured.
        package let failure: String?
        /// The verdict on the 99th percentile; `nil` if it can't be judged, and in an older log.
        package var tail: Verdict?
        /// Which time was judged; `nil` in an older log.
        package var face: TimeFace?
    }
}

extension SelfTestRecord.Round {
    /// - Parameter nanoseconds: the round's length, kept to a tenth of a second.
    init(number: Int, nanoseconds: UInt64, decisions: [SelfTestRecord.Decision]) {
        self.init(number: number, seconds: (Double(nanoseconds) / 1e8).rounded() / 10, decisions: decisions)
    }
}

/// The log of the gate's self-test.
package typealias SelfTestLog = LineLog<SelfTestRecord.Line>

/// Selects the benchmarks of each round, and which one is slowed and by how much. The plan depends only on seed and
/// round, so that a self-test can be continued.
package struct SelfTestPlan {
    /// The parts of extra work, used in turn.
    package static let sizes = [0.01, 0.03, 0.05, 0.1]
    /// The benchmarks in a round, one of which does extra work.
    package static let most = 5

    package let seed: UInt64
    package let candidates: [String]

    package struct Round: Equatable {
        package let benchmarks: [String]
        package let planted: String
        package let size: Double
    }

    /// - Parameter number: the number of the round, from 0.
    package func round(_ number: Int) -> Round? {
        var random = Xoshiro256(seed: SplitMix64.mix(seed &+ UInt64(number)), "self-test")
        var left = candidates
        var chosen: [String] = []
        while chosen.count < Self.most, !left.isEmpty {
            chosen.append(left.remove(at: Int(random.next(below: UInt64(left.count)))))
        }
        guard !chosen.isEmpty else { return nil }
        let planted = chosen[Int(random.next(below: UInt64(chosen.count)))]
        return Round(benchmarks: chosen, planted: planted, size: Self.sizes[number % Self.sizes.count])
    }
}
