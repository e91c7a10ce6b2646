import DiskSimulation

extension FuzzTarget {
    /// The first 12 bytes of the input are operations on a cache of two tiers, four for each of three threads; each byte
    /// behind them says which thread goes on at the next step. So a finding replays.
    ///
    /// Oracle: one order of all calls explains every answer, and no call comes in it before another that returned before
    /// it was called (`CacheHistory`).
    static let twoTierThreads = FuzzTarget(
        "two_tier_threads",
        describe: { buffer in
            let threads = TwoTierThreads.operations(buffer).enumerated().map { "thread \($0): \($1)" }
            return (threads + TwoTierThreads.history(buffer).map { "\($0)" }).joined(separator: "\n")
        },
        run: { buffer in
            if let broken = TwoTierThreads.run(buffer) { fuzzFailure(broken) }
        })
}
