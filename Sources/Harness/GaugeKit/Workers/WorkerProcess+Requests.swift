/// The requests, each with its reply. All throw `WorkerFailure`: what the worker gives as a reason, that it is gone or gives no
/// answer within so many seconds, or that it answered something else.
extension WorkerProcess {
    /// Waits for the greeting and asks the worker to get ready, without waiting for that.
    func beginPreparing(within seconds: Double) throws {
        try greet(within: seconds)
        try send(.prepare)
    }

    func finishPreparing(within seconds: Double) throws -> PreparedReport {
        guard case .prepared(let report) = try receive(within: seconds) else { throw Self.strange("prepare") }
        return report
    }

    /// Finds the size of a batch, taking so long at most.
    func settle(milliseconds: Double, within seconds: Double) throws {
        try send(.settle(milliseconds: milliseconds))
        guard case .settled = try receive(within: seconds) else { throw Self.strange("settle") }
    }

    /// Runs a slice.
    func slice(milliseconds: Double, within seconds: Double) throws -> SliceReport {
        try send(.slice(milliseconds: milliseconds))
        guard case .slice(let report) = try receive(within: seconds) else { throw Self.strange("run a slice") }
        return report
    }

    /// Runs so many operations, untimed.
    ///
    /// - Returns: `nil` from an older build, which reports nothing.
    @discardableResult
    func count(operations: Int, within seconds: Double) throws -> WorkReport? {
        try send(.count(operations: operations))
        guard case .counted(let report) = try receive(within: seconds) else { throw Self.strange("count") }
        return report
    }

    /// Ends the benchmark; the worker then ends by itself.
    func finish(within seconds: Double) throws -> FinishReport {
        try send(.finish)
        guard case .finished(let report) = try receive(within: seconds) else { throw Self.strange("finish") }
        return report
    }

    private static func strange(_ request: String) -> WorkerFailure {
        .misunderstood("something else when asked to \(request)")
    }
}
