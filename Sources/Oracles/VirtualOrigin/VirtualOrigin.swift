import HTTPCache
import HTTPSemantics
import Platform

/// An origin that exists in memory alone: a function from requests to answers, which come when the test wants them.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
public final class VirtualOrigin: Transport, @unchecked Sendable {
    /// What the origin does about a request.
    public struct Reply: Sendable {
        /// Status and fields; `nil` is no answer at all.
        public var response: HTTPResponse?
        /// The body, part by part.
        public var chunks: [[UInt8]]
        /// The connection breaks after the last chunk.
        public var breaksOff: Bool
        /// Seconds that go by before the answer.
        public var delay: Int64
        /// Called when the whole body has been handed out.
        public var onEnd: (@Sendable () -> Void)?

        /// A reply.
        public init(
            _ response: HTTPResponse?, chunks: [[UInt8]] = [], breaksOff: Bool = false, delay: Int64 = 0
        ) {
            self.response = response
            self.chunks = chunks
            self.breaksOff = breaksOff
            self.delay = delay
        }

        /// No answer at all.
        public static let none = Reply(nil)
    }

    /// A request as it came.
    public struct Received: Sendable {
        /// As it came over the wire.
        public let request: HTTPRequest
        /// When it was sent, seconds since 1970.
        public let time: Int64
        /// Its place among `requests`.
        public let number: Int
        /// What the application gave with it.
        public let context: (any Sendable)?
    }

    /// There is no such host, no network, no luck.
    public struct Unreachable: Error {
        /// The only one there is.
        public init() {}
    }

    private let lock = Lock()
    private let clock: VirtualClock?
    private let remembers: Bool
    private var handler: @Sendable (Received) -> Reply
    private var received: [HTTPRequest] = []
    private var isHolding = false
    private var isHoldingBodies = false
    private var gates: [Gate] = []
    private var cancelledSoFar = 0
    private var chunksSoFar = 0

    /// An origin that answers with what `handler` gives for a request.
    ///
    /// - Parameters:
    ///   - clock: goes on by `Reply.delay`.
    ///   - remembers: whether every request is kept for `requests`; without, numbers stay at 0.
    ///   - handler: answers.
    public init(
        clock: VirtualClock? = nil, remembers: Bool = true,
        _ handler: @escaping @Sendable (HTTPRequest) -> Reply = { _ in .none }
    ) {
        self.clock = clock
        self.remembers = remembers
        self.handler = { handler($0.request) }
    }

    // MARK: The test's side

    /// The requests received so far, as they came over the wire.
    public var requests: [HTTPRequest] { lock.withLock { received } }

    /// Requests that were given up before their answer was complete.
    public var cancelled: Int { lock.withLock { cancelledSoFar } }

    /// Chunks of bodies handed out so far.
    public var chunksSent: Int { lock.withLock { chunksSoFar } }

    /// Replies with something else from now on.
    public func reply(_ handler: @escaping @Sendable (HTTPRequest) -> Reply) {
        replyToReceived { handler($0.request) }
    }

    /// The same for who wants to know when a request was sent, and with what context.
    public func replyToReceived(_ handler: @escaping @Sendable (Received) -> Reply) {
        lock.withLock { self.handler = handler }
    }

    /// Answers are held back from now on until `release`; with `bodies`, every chunk is too.
    public func hold(bodies: Bool = false) {
        lock.withLock {
            isHolding = true
            isHoldingBodies = bodies
        }
    }

    /// Lets whatever is held back go, `count` of them in the order of their coming; without a count everything, from
    /// now on too.
    public func release(_ count: Int? = nil) {
        let released = lock.withLock {
            if count == nil {
                isHolding = false
                isHoldingBodies = false
            }
            let released = Array(gates.prefix(count ?? gates.count))
            gates.removeFirst(released.count)
            return released
        }
        for gate in released { gate.open() }
    }

    /// Lets go of what was held back last, before what came earlier.
    public func releaseLatest() {
        let gate = lock.withLock { gates.popLast() }
        gate?.open()
    }

    // MARK: The engine's side

    /// See `Transport`.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let time = clock?.now.seconds ?? 0
        let (number, gate) = lock.withLock {
            if remembers { received.append(request.request) }
            return (max(0, received.count - 1), isHolding ? newGate() : nil)
        }
        try await pass(gate)
        let handler = lock.withLock { self.handler }
        let reply = handler(
            Received(request: request.request, time: time, number: number, context: request.context))
        clock?.advance(by: reply.delay)
        guard let response = reply.response else { throw Unreachable() }
        return IncomingResponse(response, body: ScriptedBody(reply, origin: self))
    }

    fileprivate func passChunk() async throws {
        try await pass(lock.withLock { isHoldingBodies ? newGate() : nil })
        lock.withLock { chunksSoFar += 1 }
    }

    fileprivate func countCancelled() { lock.withLock { cancelledSoFar += 1 } }

    private func pass(_ gate: Gate?) async throws {
        guard let gate, await !gate.wait() else { return }
        countCancelled()
        throw CancellationError()
    }

    /// Under the lock.
    private func newGate() -> Gate {
        let gate = Gate()
        gates.append(gate)
        return gate
    }
}

/// The body of a reply.
///
/// `@unchecked Sendable`: the variables are touched under the lock alone.
private final class ScriptedBody: IncomingBody, @unchecked Sendable {
    private let lock = Lock()
    private let reply: VirtualOrigin.Reply
    private let origin: VirtualOrigin
    private var next = 0
    private var isCancelled = false

    init(_ reply: VirtualOrigin.Reply, origin: VirtualOrigin) {
        self.reply = reply
        self.origin = origin
    }

    func next() async throws -> [UInt8]? {
        let place = lock.withLock {
            defer { next += 1 }
            return next
        }
        guard place < reply.chunks.count else {
            if reply.breaksOff { throw VirtualOrigin.Unreachable() }
            reply.onEnd?()
            return nil
        }
        try await origin.passChunk()
        return reply.chunks[place]
    }

    func cancel() {
        let isFirst = lock.withLock {
            defer { isCancelled = true }
            return !isCancelled
        }
        if isFirst { origin.countCancelled() }
    }
}
