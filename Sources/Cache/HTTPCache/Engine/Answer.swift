import HTTPSemantics

/// The engine's answer to a request.
public struct Answer: Sendable {
    /// Where the answer came from.
    public enum Source: Sendable {
        /// The memory tier; the response is fresh.
        case memoryHit
        /// The disk tier; the response is fresh.
        case diskHit
        /// The store, after the origin confirmed the response.
        case revalidated
        /// The origin.
        case fetched
        /// The store, although the response is stale: the client accepts it, the origin allows it, or the origin
        /// answered with a 5xx.
        case stale
        /// No connection, or no answer: a stale stored response, or the cache's own 504 (Gateway Timeout) if nothing
        /// stored may answer an `only-if-cached` request.
        case offline
        /// The origin, without a look into the store: a method, condition or range that no stored response answers, or
        /// a URL that cannot be a key.
        case bypass
    }

    /// Status and header fields. `Age` is the current age.
    package var response: HTTPResponse
    package var body: AnswerBody
    package var source: Source
    /// When the response was received, or last confirmed by the origin: seconds since 1970.
    package var receivedAt: Int64
    /// How the cache handled the request, for a `Cache-Status` field.
    package var cacheStatus: CacheStatus
    /// Why the origin's answer is not stored, as far as its header tells; `nil` for others.
    package var notStored: NotStoredReason?

    package init(
        _ response: HTTPResponse, body: AnswerBody, source: Source, receivedAt: Int64, cacheStatus: CacheStatus
    ) {
        self.response = response
        self.body = body
        self.source = source
        self.receivedAt = receivedAt
        self.cacheStatus = cacheStatus
    }
}

extension Answer {
    static func gatewayTimeout(at now: Int64, _ status: CacheStatus) -> Answer {
        Answer(HTTPResponse(status: 504), body: .empty, source: .offline, receivedAt: now, cacheStatus: status)
    }
}

package enum AnswerBody: Sendable {
    /// No body: the answer to a HEAD, or the cache's own answer.
    case empty
    /// The body of a stored response, not copied.
    case stored(StoredResponse)
    /// These bytes of the body of a stored response, not copied.
    case part(StoredResponse, Range<Int>)
    case stream(BodyStream)

    package nonisolated(nonsending) func collect() async throws(EngineError) -> [UInt8] {
        switch self {
        case .empty: return []
        case .stored(let stored): return stored.withBody { Array($0) }
        case .part(let stored, let range): return stored.withBody { Array($0[range]) }
        case .stream(let stream):
            return try await stream.rest().map { [UInt8]($0) } ?? []
        }
    }
}

/// A body that is arriving from the origin.
///
/// If the body is too long to be kept, the fetch advances only as it is read. Releasing the stream before its end
/// cancels the fetch, unless another request reads the same body. Only one task at a time may use it.
package final class BodyStream: Sendable {
    private let waiter: FetchWaiter
    private let body: SharedBody
    private let reader: Int
    private let deadlines: Deadlines
    private let timeout: Double?
    private let limit: TimeLimit?
    private let secondsRunning: (@Sendable () -> Double)?

    init(_ body: SharedBody, reader: Int, waiter: FetchWaiter, _ deadlines: Deadlines, of request: CacheRequest) {
        self.body = body
        self.reader = reader
        self.waiter = waiter
        self.deadlines = deadlines
        timeout = waiter.timeout(of: request)
        limit = request.limit
        secondsRunning = request.secondsRunning
    }

    deinit { body.detach(reader) }

    /// The next bytes, at least one; `nil` at the end. By then, a body that may be stored is stored.
    ///
    /// - Parameter limit: in the place of the request's, also while that is suspended.
    /// - Throws: `brokenOff` if the rest did not come, `timedOut` or `tookTooLong` if it did not come in time,
    ///   `cancelled` if the calling task was cancelled.
    package nonisolated(nonsending) func next(by limit: TimeLimit? = nil) async throws(EngineError) -> BodyBytes? {
        try await read(isWhole: false, by: limit)
    }

    /// The rest of the body in one piece, once it has all arrived; `nil` if no byte is left. Not copied on its way.
    ///
    /// The origin does not wait for this reader, so the whole rest may be in memory.
    ///
    /// - Throws: like `next()`; the time starts anew whenever bytes arrive.
    package nonisolated(nonsending) func rest() async throws(EngineError) -> BodyBytes? {
        try await read(isWhole: true)
    }

    /// Makes a value from bytes read here. Readers that get the same bytes share one value, which can then tell whether
    /// anyone else refers to them.
    package func shared<Value: Sendable>(_ bytes: BodyBytes, _ make: (BodyBytes) -> Value) -> Value {
        body.shared(bytes, make)
    }

    /// Another reader of the body had waited too long for this one, so that no more comes.
    package var isCutOff: Bool { body.isCutOff(reader) }

    /// How many bytes of the body have come.
    package var byteCount: Int { body.byteCount }

    private nonisolated(nonsending) func read(
        isWhole: Bool, by other: TimeLimit? = nil
    ) async throws(EngineError) -> BodyBytes? {
        // Keeps the reader to the end of the wait; otherwise the fetch might lose its last one meanwhile.
        defer { withExtendedLifetime(self) {} }
        let part = await body.next(
            for: reader, isWhole: isWhole, waiter.event, deadlines, timeout: timeout, limit: other ?? limit,
            secondsRunning: other == nil ? secondsRunning : nil)
        switch part {
        case .bytes(let bytes): return bytes
        case .end: return nil
        case .failed(let error): throw error
        }
    }
}
