/// The requests, each with its reply. All throw `WorkerFailure`: when the worker reports an error, when it has exited,
/// when it does not answer within the given seconds, or when it sends another reply.
extension WorkerProcess {
    /// Waits for the greeting and asks the worker to prepare, without waiting for the reply.
    package func beginPreparing(within seconds: Double) throws {
        try greet(within: seconds)
        try send(.prepare)
    }

    package func finishPreparing(within seconds: Double) throws -> PreparedReport {
        guard case .prepared(let report) = try receive(within: seconds) else { throw Self.strange("prepare") }
        return report
    }

    /// Calibrates the size of a batch, for at most `milliseconds`.
    package func calibrate(milliseconds: Double, within seconds: Double) throws {
        try send(.calibrate(milliseconds: milliseconds))
        guard case .calibrated = try receive(within: seconds) else { throw Self.strange("calibrate") }
    }

    /// Warms the caches for the next slice, for at most `milliseconds`.
    package func warmCaches(milliseconds: Double, within seconds: Double) throws {
        try send(.warmCaches(milliseconds: milliseconds))
        guard case .warm = try receive(within: seconds) else { throw Self.strange("warm the caches") }
    }

    /// Runs a slice.
    package func slice(milliseconds: Double, within seconds: Double) throws -> SliceReport {
        try send(.slice(milliseconds: milliseconds))
        guard case .slice(let report) = try receive(within: seconds) else { throw Self.strange("run a slice") }
        return report
    }

    /// Runs a slice whose operations are timed one by one.
    package func sliceEach(milliseconds: Double, within seconds: Double) throws -> SliceReport {
        try send(.sliceEach(milliseconds: milliseconds))
        guard case .slice(let report) = try receive(within: seconds) else { throw Self.strange("time operations") }
        return report
    }

    /// Runs a fixed number of operations, untimed.
    ///
    /// - Returns: `nil` from an older build, which sends no report.
    @discardableResult
    package func count(operations: Int, within seconds: Double) throws -> WorkReport? {
        try send(.count(operations: operations))
        guard case .counted(let report) = try receive(within: seconds) else { throw Self.strange("count") }
        return report
    }

    /// Runs a sequence of operations, untimed, each in its own measured region.
    package func countEach(operations: Int, within seconds: Double) throws -> SequenceReport {
        try send(.countEach(operations: operations))
        guard case .countedEach(let report) = try receive(within: seconds) else { throw Self.strange("count each") }
        return report
    }

    /// Ends the benchmark; the worker then exits.
    package func finish(within seconds: Double) throws -> FinishReport {
        try send(.finish)
        guard case .finished(let report) = try receive(within: seconds) else { throw Self.strange("finish") }
        return report
    }

    private static func strange(_ request: String) -> WorkerFailure {
        .misunderstood("something else when asked to \(request)")
    }
}
