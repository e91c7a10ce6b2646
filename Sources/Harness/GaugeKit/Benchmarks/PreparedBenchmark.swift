/// A benchmark that is ready to be measured. Lives in one worker, whose main thread alone calls it.
public struct PreparedBenchmark {
    /// How the operations are run and timed.
    public enum Body {
        /// Operations under a microsecond: `body(n)` runs n of them in a loop of its own, and the harness times the
        /// whole batch. What the loop computes goes through `blackHole` once at its end.
        case batched((_ operations: Int) -> Void)
        /// Operations of a microsecond and more: the body times each through the recorder, by outcome.
        case timed((_ operations: Int, _ recorder: inout LatencyRecorder) -> Void)
        /// Like `batched`, on `threads` threads at once; the body is called on each with its number, from 0.
        case threaded(threads: Int, @Sendable (_ thread: Int, _ operations: Int) -> Void)
    }

    /// How the operations are run and timed.
    public var body: Body
    /// What the operations of a batched body are: memory hit, miss, …
    public var outcome: Outcome
    /// Results that are not times, read once after the last slice.
    public var figures: () throws -> [Figure]
    /// Called once after the last slice and the figures, untimed.
    public var finish: () throws -> Void

    /// A body, and what to do when it has run.
    public init(
        _ body: Body, outcome: Outcome = .computed, figures: @escaping () throws -> [Figure] = { [] },
        finish: @escaping () throws -> Void = {}
    ) {
        self.body = body
        self.outcome = outcome
        self.figures = figures
        self.finish = finish
    }
}
