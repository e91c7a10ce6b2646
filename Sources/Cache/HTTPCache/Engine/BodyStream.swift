/// A body that is arriving from the origin.
///
/// If the body is too long to be kept, the fetch advances only as it is read. Releasing the stream before its end cancels
/// the fetch, unless another request reads the same body. Not for use by several tasks at once.
package final class BodyStream: Sendable {
    private let waiter: FetchWaiter
    private let body: SharedBody
    private let reader: Int
    private let deadlines: Deadlines
    private let timeout: Double?

    init(_ body: SharedBody, reader: Int, waiter: FetchWaiter, _ deadlines: Deadlines, timeout: Double?) {
        self.body = body
        self.reader = reader
        self.waiter = waiter
        self.deadlines = deadlines
        self.timeout = timeout
    }

    deinit { body.detach(reader) }

    /// The next bytes, at least one; `nil` at the end, when a body that may be stored has been stored.
    ///
    /// - Throws: `brokenOff` if the rest did not come, `timedOut` if it did not come in time, `cancelled` if the calling
    ///   task was cancelled.
    package nonisolated(nonsending) func next() async throws(EngineError) -> BodyBytes? {
        try await read(isWhole: false)
    }

    /// The rest of the body at its end, in one piece that was not copied on its way; `nil` if no byte is left.
    ///
    /// The origin does not have to wait for this reader, so that the whole rest may be in memory.
    ///
    /// - Throws: as `next()`; the time begins again with all that arrives.
    package nonisolated(nonsending) func rest() async throws(EngineError) -> BodyBytes? {
        try await read(isWhole: true)
    }

    /// What is made of bytes that were read here. Readers that are given the same bytes share one value, so that it can tell
    /// whether it is the only one that refers to them.
    package func shared<Value: Sendable>(_ bytes: BodyBytes, _ make: (BodyBytes) -> Value) -> Value {
        body.shared(bytes, make)
    }

    private nonisolated(nonsending) func read(isWhole: Bool) async throws(EngineError) -> BodyBytes? {
        // Kept to the end of the wait, or the fetch may lose its last reader meanwhile.
        defer { withExtendedLifetime(self) {} }
        switch await body.next(for: reader, isWhole: isWhole, waiter.event, deadlines, timeout: timeout) {
        case .bytes(let bytes): return bytes
        case .end: return nil
        case .failed(let error): throw error
        }
    }
}
