/// More work than a benchmark asks for, so that what a gate would see of a slower build can be seen without one.
///
/// For every operation that is counted, `part` of another one is executed in the same measured call: with 0.03, three
/// operations in a hundred are done that nobody hears of. That is as much more of everything that the operation costs
/// (instructions, misses, allocations), whatever the benchmark, and nothing that an optimiser could remove. They are the ones
/// that come next: a call of its own would begin the texts of a mix anew, whose branches are foretold by then, and three
/// per cent more instructions were 1.7 per cent more time.
enum ExtraWork {
    /// Ten times the work is the most that can be asked for.
    static let parts = 0.0...10.0

    /// The benchmark with more to do; itself when `part` is 0.
    static func added(_ part: Double, to prepared: PreparedBenchmark) -> PreparedBenchmark {
        guard part > 0 else { return prepared }
        var more = prepared
        switch prepared.body {
        case .batched(let run):
            var owed = 0.0
            more.body = .batched { run($0 + due($0, part, &owed)) }
        case .timed(let run):
            var owed = 0.0
            more.body = .timed { run($0 + due($0, part, &owed), &$1) }
        case .threaded(let threads, let run):
            more.body = .threaded(threads: threads) { thread, operations in
                run(thread, operations + Int((Double(operations) * part).rounded()))
            }
        }
        return more
    }

    /// Whole operations; what is left of one is owed to the next call.
    private static func due(_ operations: Int, _ part: Double, _ owed: inout Double) -> Int {
        owed += Double(operations) * part
        let whole = owed.rounded(.down)
        owed -= whole
        return Int(whole)
    }
}
