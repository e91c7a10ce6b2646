import GaugeSupport

/// Selects the benchmarks of each round, and the one that is slowed and by how much. The plan follows from the seed and
/// the number of the round alone, so that a self-test can be continued.
package struct SelfTestPlan {
    /// The parts of extra work, used in turn.
    package static let sizes = [0.01, 0.03, 0.05, 0.1]
    /// The benchmarks in a round, one of which does extra work.
    package static let most = 5

    package let seed: UInt64
    package let candidates: [String]

    package init(seed: UInt64, candidates: [String]) {
        self.seed = seed
        self.candidates = candidates
    }

    package struct Round: Equatable {
        package let benchmarks: [String]
        /// The benchmark that does extra work.
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
