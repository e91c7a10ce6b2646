/// A benchmark that is ready to be measured. It lives in one worker, and only the worker's main thread calls it.
public struct PreparedBenchmark {
    /// How the operations are run and timed.
    public enum Body {
        /// For operations under a microsecond: `body(n)` runs n of them in a loop, and the harness times the whole
        /// batch. The loop passes its result to `blackHole` once, at its end.
        case batched((_ operations: Int) -> Void)
        /// For operations of a microsecond and more: the body times each through the recorder, by outcome.
        case timed((_ operations: Int, _ recorder: inout LatencyRecorder) -> Void)
        /// Like `batched`, on `threads` threads at once; each calls the body with its number, from 0.
        case threaded(threads: Int, @Sendable (_ thread: Int, _ operations: Int) -> Void)
    }

    /// How the operations are run and timed.
    public var body: Body
    /// The outcome of the operations of a batched body: memory hit, miss, …
    public var outcome: Outcome
    /// Results that are not times, read once after the last slice.
    public var figures: () throws -> [Figure]
    /// Called once after the last slice and the figures, untimed.
    public var finish: () throws -> Void

    /// Creates a prepared benchmark from its body.
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
