/// More work than a benchmark asks for, so that what a gate would see of a slower build can be seen without one.
///
/// For every operation that is counted, `part` of another one is executed in the same measured call: with 0.03, three
/// operations in a hundred are done that nobody hears of. That is as much more of everything that the operation costs
/// (instructions, misses, allocations), whatever the benchmark, and nothing that an optimiser could remove.
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
            more.body = .batched { operations in
                run(operations)
                let extra = due(operations, part, &owed)
                if extra > 0 { run(extra) }
            }
        case .timed(let run):
            var owed = 0.0
            more.body = .timed { operations, recorder in
                run(operations, &recorder)
                let extra = due(operations, part, &owed)
                if extra > 0 { run(extra, &recorder) }
            }
        case .threaded(let threads, let run):
            more.body = .threaded(threads: threads) { thread, operations in
                run(thread, operations)
                let extra = Int((Double(operations) * part).rounded())
                if extra > 0 { run(thread, extra) }
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
