/// Which benchmarks a round judges, and which of them is made slower and by how much. Follows from the seed and the number
/// of the round alone, so that a self-test goes on where it ended.
struct SelfTestPlan {
    /// Parts of extra work, in turn.
    static let sizes = [0.01, 0.03, 0.05, 0.1]
    /// Benchmarks of a round, one of which does more work.
    static let most = 5

    let seed: UInt64
    let candidates: [String]

    struct Round: Equatable {
        let benchmarks: [String]
        /// The one that does more work.
        let planted: String
        let size: Double
    }

    /// - Parameter number: from 0.
    func round(_ number: Int) -> Round? {
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
