import HTTPCache
import HTTPSemantics
import Platform

/// An origin in memory: a function from requests to answers, whose delivery the test controls.
package final class VirtualOrigin: Transport {
    package struct Reply: Sendable {
        package var response: HTTPResponse?
        /// The body, chunk by chunk.
        package var chunks: [[UInt8]]
        /// The connection breaks after the last chunk.
        package var breaksOff: Bool
        /// By how many seconds the clock advances before the answer.
        package var delay: Int64
        /// Called when the whole body has been delivered.
        package var onEnd: (@Sendable () -> Void)?

        package init(_ response: HTTPResponse?, chunks: [[UInt8]] = [], breaksOff: Bool = false, delay: Int64 = 0) {
            self.response = response
            self.chunks = chunks
            self.breaksOff = breaksOff
            self.delay = delay
        }

        package static let none = Reply(nil)
    }

    package struct Received: Sendable {
        package let request: HTTPRequest
        /// When it was sent, seconds since 1970.
        package let time: Int64
        /// Its place among `requests`.
        package let number: Int
        /// `CacheRequest.context`.
        package let context: (any Sendable)?
    }

    package struct Unreachable: Error {
        package init() {}
    }

    private struct State {
        var handler: @Sendable (Received) -> Reply
        var received: [HTTPRequest] = []
        var isHolding = false
        var isHoldingBodies = false
        /// The answers and chunks held back: `true` lets one go, `false` cancels it.
        var held: [OneShot<Bool>] = []
        var cancelledCount = 0
        var chunkCount = 0

        mutating func hold() -> OneShot<Bool> {
            let oneShot = OneShot<Bool>()
            held.append(oneShot)
            return oneShot
        }
    }

    private let clock: VirtualClock?
    private let remembers: Bool
    private let state: Locked<State>

    /// An origin that answers each request with the result of `handler`.
    ///
    /// - Parameters:
    ///   - clock: advances by `Reply.delay`.
    ///   - remembers: whether to keep every request in `requests`; if not, the numbers stay 0.
    package init(
        clock: VirtualClock? = nil, remembers: Bool = true,
        _ handler: @escaping @Sendable (HTTPRequest) -> Reply = { _ in .none }
    ) {
        self.clock = clock
        self.remembers = remembers
        state = Locked(State(handler: { handler($0.request) }))
    }

    // MARK: The test's side

    package var requests: [HTTPRequest] { state.withLock { $0.received } }

    /// How many requests were cancelled before their answer was complete.
    package var cancelled: Int { state.withLock { $0.cancelledCount } }

    package var heldCount: Int { state.withLock { $0.held.count } }

    package var chunksSent: Int { state.withLock { $0.chunkCount } }

    /// Changes the replies from now on.
    package func reply(_ handler: @escaping @Sendable (HTTPRequest) -> Reply) {
        replyToReceived { handler($0.request) }
    }

    /// The same for a handler that needs a request's time, number or context.
    package func replyToReceived(_ handler: @escaping @Sendable (Received) -> Reply) {
        state.withLock { $0.handler = handler }
    }

    /// From now on holds answers back until `release`; with `bodies`, every chunk, too.
    package func hold(bodies: Bool = false) {
        state.withLock { state in
            state.isHolding = true
            state.isHoldingBodies = bodies
        }
    }

    /// Delivers the first `count` of the answers and chunks held back. Without a count, delivers all and ends `hold`.
    package func release(_ count: Int? = nil) {
        let released = state.withLock { state in
            if count == nil {
                state.isHolding = false
                state.isHoldingBodies = false
            }
            let released = Array(state.held.prefix(count ?? state.held.count))
            state.held.removeFirst(released.count)
            return released
        }
        for oneShot in released { oneShot.provide(true) }
    }

    /// Delivers the answer or chunk that was held back last, before earlier ones.
    package func releaseLatest() {
        let latest = state.withLock { $0.held.popLast() }
        latest?.provide(true)
    }

    // MARK: The engine's side

    package func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let time = clock?.now.seconds ?? 0
        let (number, held) = state.withLock { state in
            if remembers { state.received.append(request.request) }
            return (max(0, state.received.count - 1), state.isHolding ? state.hold() : nil)
        }
        try await wait(for: held)
        let handler = state.withLock { $0.handler }
        let reply = handler(Received(request: request.request, time: time, number: number, context: request.context))
        clock?.advance(by: reply.delay)
        guard let response = reply.response else { throw Unreachable() }
        return IncomingResponse(response, body: ScriptedBody(reply, origin: self))
    }

    fileprivate func waitForChunk() async throws {
        try await wait(for: state.withLock { $0.isHoldingBodies ? $0.hold() : nil })
        state.withLock { $0.chunkCount += 1 }
    }

    fileprivate func countCancelled() { state.withLock { $0.cancelledCount += 1 } }

    private func wait(for held: OneShot<Bool>?) async throws {
        guard let held, await !held.wait(cancelled: false) else { return }
        countCancelled()
        throw CancellationError()
    }
}

private final class ScriptedBody: IncomingBody {
    private struct State {
        var next = 0
        var isCancelled = false
    }

    private let state = Locked(State())
    private let reply: VirtualOrigin.Reply
    private let origin: VirtualOrigin

    init(_ reply: VirtualOrigin.Reply, origin: VirtualOrigin) {
        self.reply = reply
        self.origin = origin
    }

    func next() async throws -> [UInt8]? {
        let place = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        guard place < reply.chunks.count else {
            if reply.breaksOff { throw VirtualOrigin.Unreachable() }
            reply.onEnd?()
            return nil
        }
        try await origin.waitForChunk()
        return reply.chunks[place]
    }

    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { origin.countCancelled() }
    }
}

package final class VirtualClock: CacheClock {
    private struct State {
        var seconds: Int64
        var uptime = 0.0
        var sleepers: [(wake: Double, oneShot: OneShot<Bool>)] = []
    }

    private let state: Locked<State>

    /// A clock at that many seconds after 1970.
    package init(seconds: Int64) { state = Locked(State(seconds: seconds)) }

    package var now: CacheTime { CacheTime(seconds: state.withLock { $0.seconds }) }

    /// By how many seconds the clock has been advanced.
    package var uptime: Double { state.withLock { $0.uptime } }

    /// Advances the clock by `step` seconds; a negative number sets it back, which `uptime` does not notice.
    package func advance(by step: Int64) {
        let awake = state.withLock { state in
            state.seconds = state.seconds.addingReportingOverflow(step).partialValue
            state.uptime += Double(max(step, 0))
            let awake = state.sleepers.filter { $0.wake <= state.uptime }
            state.sleepers.removeAll { $0.wake <= state.uptime }
            return awake.map(\.oneShot)
        }
        for oneShot in awake { oneShot.provide(true) }
    }

    package func sleep(seconds: Double) async throws {
        let oneShot: OneShot<Bool>? = state.withLock { state in
            guard seconds > 0 else { return nil }
            let oneShot = OneShot<Bool>()
            state.sleepers.append((state.uptime + seconds, oneShot))
            return oneShot
        }
        guard let oneShot, await !oneShot.wait(cancelled: false) else { return }
        throw CancellationError()
    }
}
