/// Adds work to a benchmark, to show how a gate judges a slower build without building one.
///
/// For every counted operation, `part` of another one runs in the same measured call: with 0.03, three uncounted
/// operations in a hundred. This raises every cost of the operation (instructions, misses, allocations) by the same
/// part, for any benchmark, and the optimiser cannot remove it. The extra operations are the ones that come next. A
/// separate call would restart the texts of a mix, whose branches are already predicted by then: 3 % more instructions
/// then took only 1.7 % more time.
package enum ExtraWork {
    /// The allowed parts; at most ten times the normal work.
    package static let parts = 0.0...10.0

    /// The benchmark with extra work; unchanged when `part` is 0.
    package static func added(_ part: Double, to prepared: PreparedBenchmark) -> PreparedBenchmark {
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

    /// The whole operations that are due; the remainder is carried over to the next call.
    private static func due(_ operations: Int, _ part: Double, _ owed: inout Double) -> Int {
        owed += Double(operations) * part
        let whole = owed.rounded(.down)
        owed -= whole
        return Int(whole)
    }
}
