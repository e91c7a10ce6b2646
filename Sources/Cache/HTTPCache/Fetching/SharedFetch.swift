import HTTPSemantics
import Platform

/// One fetch from the origin, shared by the requests that wait for it.
///
/// A waiter that leaves early does not disturb the others. When the last one leaves, the fetch is cancelled.
final class SharedFetch: Sendable {
    let request: CacheRequest
    let facts: RequestFacts
    let stored: StoredResponse?
    /// What is sent, with the validators of `stored` if it has to be confirmed.
    let outgoing: Outgoing
    /// The URL's own key; `nil` if the URL cannot be a key.
    let key: [UInt8]?
    /// The key under which equal requests find it; `nil` if it is for one request only.
    let sharedKey: OutgoingKey?
    /// Its number in the order of answers.
    let sent: UInt64
    /// The engine, not the transport, keeps the time of each waiter, of which there may be several.
    var keepsTime: Bool { facts.method == .get }

    struct Outgoing: Sendable {
        var request: OutgoingRequest
        /// The request before the application rewrote it; `nil` if there is no such hook.
        var beforeRewriting: HTTPRequest?
        /// The origin is asked whether the stored response is still current.
        let validates: Bool
    }

    private struct State {
        var outcome: FetchOutcome?
        var waiting: [AutoResetEvent] = []
        var waiterCount = 0
        /// Those of them that did not begin the fetch.
        var othersCount = 0
        var isAbandoned = false
        /// When bytes of an incomplete header last came, by `CacheClock.uptime`.
        var progress = -Double.infinity
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    init(_ lookedUp: LookedUpRequest, _ outgoing: Outgoing, key: [UInt8]?, sharedKey: OutgoingKey?, sent: UInt64) {
        request = lookedUp.request
        facts = lookedUp.facts
        stored = lookedUp.stored
        self.outgoing = outgoing
        self.key = key
        self.sharedKey = sharedKey
        self.sent = sent
    }

    // MARK: Waiters

    /// Adds a waiter; `nil` if the last one has already left.
    ///
    /// - Parameter isOwner: for the request that began the fetch.
    func addWaiter(isOwner: Bool) -> FetchWaiter? {
        let (isAdded, isLate) = state.withLock { state in
            if !state.isAbandoned {
                state.waiterCount += 1
                if !isOwner { state.othersCount += 1 }
            }
            return (!state.isAbandoned, state.outcome != nil)
        }
        return isAdded ? FetchWaiter(self, isOwner: isOwner, isLate: isLate) : nil
    }

    /// The request that began the fetch may have left.
    var isWaitedForByOthers: Bool { state.withLock { $0.othersCount > 0 } }

    func removeWaiter(isOwner: Bool) {
        let task: Task<Void, Never>? = state.withLock { state in
            state.waiterCount -= 1
            if !isOwner { state.othersCount -= 1 }
            guard state.waiterCount == 0 else { return nil }
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    /// Sets the task that does the work. Cancels it at once if every waiter has left.
    func start(_ task: Task<Void, Never>) {
        let isTooLate = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isTooLate { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    // MARK: The outcome

    var outcome: FetchOutcome? { state.withLock { $0.outcome } }

    /// Sets the outcome. Only for `SharedFetches.finish`, which then lets no more waiters in.
    ///
    /// - Returns: the events of those who wait for it.
    func finish(_ outcome: FetchOutcome) -> [AutoResetEvent] {
        state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Bytes have come, but no outcome yet.
    func noteProgress(_ moment: Double) { state.withLock { $0.progress = moment } }

    /// Waits for the outcome, at most the request's `timeout` since the last byte, and to its `limit`.
    ///
    /// - Parameter event: the waiter's own, not set yet.
    nonisolated(nonsending) func waitForOutcome(
        _ event: AutoResetEvent, _ deadlines: Deadlines, timeout: Double?, of request: CacheRequest
    ) async -> FetchOutcome {
        let outcome: FetchOutcome? = state.withLock { state in
            if state.outcome == nil { state.waiting.append(event) }
            return state.outcome
        }
        if let outcome { return outcome }
        var deadline = timeout.map(deadlines.moment)
        var limit = request.limit
        while true {
            await deadlines.wait(for: event, until: limit.earlier(than: deadline))
            let (outcome, progress) = state.withLock { ($0.outcome, $0.progress) }
            if let outcome { return outcome }
            if Task.isCancelled { return .failed(.cancelled) }
            let now = deadlines.moment(in: 0)
            let resumed = now - (request.secondsRunning?() ?? .infinity)
            limit = limit?.counting(from: resumed)
            if let failure = limit.failure(at: now) { return .failed(failure) }
            guard let timeout, let last = deadline else { continue }
            let next = max(last, progress + timeout, resumed + timeout)
            if next <= now { return .failed(.timedOut(seconds: timeout)) }
            deadline = next
        }
    }
}

extension SharedFetch.Outgoing {
    /// Whether `Vary` names a field that the application's hook has changed. The store knows requests as they are
    /// before the hook, so an answer for one account would match another's request.
    func variesOnRewritten(_ response: HTTPResponse) -> Bool {
        guard let beforeRewriting, let vary = response.headerFields["Vary"] else { return false }
        let match = VaryMatch(VarySelection(vary), of: beforeRewriting)
        return !match.selection.matchesNothing && !match.contains(request.request)
    }
}

/// A request that waits for a shared fetch. Releasing it leaves the fetch.
final class FetchWaiter: Sendable {
    let fetch: SharedFetch
    /// It began the fetch, so the answer is for it, whatever the answer is.
    let isOwner: Bool
    let isLate: Bool
    /// Set when the outcome has come, or when there is something to read.
    let event = AutoResetEvent()

    /// Only for `SharedFetch.addWaiter`, which counts the waiters.
    init(_ fetch: SharedFetch, isOwner: Bool, isLate: Bool) {
        self.fetch = fetch
        self.isOwner = isOwner
        self.isLate = isLate
    }

    /// How many seconds a request waits for each byte of the answer; `nil` if the transport keeps the time.
    func timeout(of request: CacheRequest) -> Double? { fetch.keepsTime ? request.timeout : nil }

    deinit { fetch.removeWaiter(isOwner: isOwner) }

    /// Waits for the outcome; a cancelled task gets `cancelled`.
    nonisolated(nonsending) func outcome(_ deadlines: Deadlines, of request: CacheRequest) async -> FetchOutcome {
        // Keeps the waiter to the end of the wait; otherwise the fetch might lose its last one meanwhile.
        defer { withExtendedLifetime(self) {} }
        return await fetch.waitForOutcome(event, deadlines, timeout: timeout(of: request), of: request)
    }
}

/// How a fetch ended for its waiters.
enum FetchOutcome: Sendable {
    /// The origin has confirmed the stored response, which is fresh for another lifetime.
    case confirmed(Confirmed)
    case response(Received)
    case failed(EngineError)

    struct Confirmed: Sendable {
        /// Status and fields after the confirmation.
        let response: HTTPResponse
        /// Has the body.
        let stored: StoredResponse
        let receivedAt: Int64
        /// Why the confirmation is not stored; `nil` if it is.
        let refusal: NotStoredReason?
        /// As in `Received`.
        let isShared: Bool
    }

    struct Received: Sendable {
        let response: HTTPResponse
        let origin: ForwardedAnswer
        let body: SharedBody
        /// As they would be stored.
        let facts: StoredFacts
        /// The requests it answers once it is stored; `nil` if it will not be stored.
        let match: VaryMatch?
        /// Why it will not be stored; `nil` if it will.
        let refusal: NotStoredReason?
        /// Its place in the order of answers.
        let moment: AnswerMoment?
        /// Equal requests that waited for it get it, too.
        let isShared: Bool
        /// Other requests it answers may join while its body arrives: it will be stored, and the application is not
        /// asked.
        let isOpen: Bool
    }
}

/// What `Cache-Status` tells of an origin's answer.
struct ForwardedAnswer: Sendable {
    /// As sent: 206 where a part completes a whole.
    let status: Int
    /// Parts of the whole were stored, and the origin was asked for the rest.
    let hadParts: Bool
}

/// A request, the facts that decide about it, and the response stored for it.
struct LookedUpRequest: Sendable {
    let request: CacheRequest
    let facts: RequestFacts
    /// The stored response, fresh or not.
    var stored: StoredResponse?
    /// The entry of the parts stored for it, if it asks for a range and no stored response is better.
    var parts: StoredResponse?

    /// Whether a response to it may answer another request: an ordinary GET that sets no limits on age.
    var canShare: Bool {
        facts.method == .get
            && facts.flags.isDisjoint(with: [.noCache, .noStore, .limitsAge])
            && facts.flags.isDisjoint(with: .selectsAnswer)
            && (facts.policy == .useProtocolCachePolicy || facts.policy == .returnCacheDataElseLoad)
    }

    var bypasses: Bool {
        !facts.isAnsweredFromStore || !facts.flags.isDisjoint(with: .selectsAnswer)
    }
}
