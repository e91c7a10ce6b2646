import HTTPSemantics
import Platform

/// One fetch from the origin, shared by the requests that wait for it.
///
/// A waiter that leaves early does not disturb the others. When the last one has left, the fetch is cancelled.
final class SharedFetch: Sendable {
    /// The request that began it.
    let request: CacheRequest
    /// The facts of that request.
    let facts: RequestFacts
    /// The response stored for it.
    let stored: StoredResponse?
    /// What is sent, with the validators of `stored` if it is to be confirmed.
    let outgoing: Outgoing
    /// The URL's own key; `nil` if the URL cannot be a key.
    let key: [UInt8]?
    /// What equal requests find it by; `nil` if it is for one request alone.
    let sharedKey: OutgoingKey?
    /// Its number in the order of answers.
    let sent: UInt64
    /// Others may share it, so that the engine keeps the time of each waiter, and not the transport.
    let keepsTime: Bool

    /// A request as it goes to the origin.
    struct Outgoing: Sendable {
        var request: OutgoingRequest
        /// The origin is asked whether the stored response is still current.
        let validates: Bool
        /// Its answer may be for others, too, at once or while it arrives.
        var mayBeForOthers = false
    }

    private struct State {
        var outcome: FetchOutcome?
        var waiting: [AutoResetEvent] = []
        var waiterCount = 0
        var isAbandoned = false
        /// When bytes last came of a header that is not complete, by `CacheClock.uptime`.
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
        keepsTime = outgoing.mayBeForOthers && key != nil
    }

    // MARK: Waiters

    /// Adds a waiter; `nil` if the last one has left already.
    ///
    /// - Parameter isOwner: for the request that began the fetch.
    func addWaiter(isOwner: Bool) -> FetchWaiter? {
        let (isAdded, isLate) = state.withLock { state in
            if !state.isAbandoned { state.waiterCount += 1 }
            return (!state.isAbandoned, state.outcome != nil)
        }
        return isAdded ? FetchWaiter(self, isOwner: isOwner, isLate: isLate) : nil
    }

    /// More than the request that began it waits.
    var isWaitedForByOthers: Bool { state.withLock { $0.waiterCount > 1 } }

    /// Called once for each waiter, when it is released.
    func removeWaiter() {
        let task: Task<Void, Never>? = state.withLock { state in
            state.waiterCount -= 1
            guard state.waiterCount == 0 else { return nil }
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    /// Names the task that does the work. It is cancelled at once if every waiter has left.
    func start(_ task: Task<Void, Never>) {
        let isTooLate = state.withLock { state in
            state.task = task
            return state.isAbandoned
        }
        if isTooLate { task.cancel() }
    }

    /// Cancels the work, whoever waits.
    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }

    // MARK: The outcome

    /// The outcome; `nil` before the header has come.
    var outcome: FetchOutcome? { state.withLock { $0.outcome } }

    /// Gives the outcome to every waiter. For `SharedFetches.finish`, which takes in no more waiters.
    func finish(_ outcome: FetchOutcome) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        for event in waiting { event.set() }
    }

    /// Bytes have come, but no outcome yet.
    func noteProgress(_ moment: Double) { state.withLock { $0.progress = moment } }

    /// Waits for the outcome, for at most the request's `timeout` since the last byte.
    ///
    /// - Parameter event: of the waiter alone, and not set yet.
    nonisolated(nonsending) func waitForOutcome(
        _ event: AutoResetEvent, _ deadlines: Deadlines, timeout: Double?
    ) async -> FetchOutcome {
        let outcome: FetchOutcome? = state.withLock { state in
            if state.outcome == nil { state.waiting.append(event) }
            return state.outcome
        }
        if let outcome { return outcome }
        var deadline = timeout.map(deadlines.moment)
        while true {
            await deadlines.wait(for: event, until: deadline)
            let (outcome, progress) = state.withLock { ($0.outcome, $0.progress) }
            if let outcome { return outcome }
            if Task.isCancelled { return .failed(.cancelled) }
            guard let timeout, let last = deadline else { continue }
            let next = max(last, progress + timeout)
            if next <= deadlines.moment(in: 0) { return .failed(.timedOut(seconds: timeout)) }
            deadline = next
        }
    }
}

/// A request that waits for a shared fetch. It leaves when it is released.
final class FetchWaiter: Sendable {
    let fetch: SharedFetch
    /// It began the fetch, so that the answer is to its request, whatever the answer is.
    let isOwner: Bool
    /// It came after the outcome.
    let isLate: Bool
    /// Set when the outcome has come, or when there is something to read.
    let event = AutoResetEvent()

    /// To be called by `SharedFetch.addWaiter` alone, which counts the waiters.
    init(_ fetch: SharedFetch, isOwner: Bool, isLate: Bool) {
        self.fetch = fetch
        self.isOwner = isOwner
        self.isLate = isLate
    }

    /// The seconds that a request waits for each byte of the answer; `nil` where the transport keeps the time.
    func timeout(of request: CacheRequest) -> Double? { fetch.keepsTime ? request.timeout : nil }

    deinit { fetch.removeWaiter() }

    /// Waits for the outcome; a cancelled task gets `cancelled`.
    nonisolated(nonsending) func outcome(_ deadlines: Deadlines, timeout: Double?) async -> FetchOutcome {
        // Kept to the end of the wait, or the fetch may lose its last waiter meanwhile.
        defer { withExtendedLifetime(self) {} }
        return await fetch.waitForOutcome(event, deadlines, timeout: timeout)
    }
}

/// How a fetch ended for the requests that wait for it.
enum FetchOutcome: Sendable {
    /// The origin has confirmed the stored response, which is fresh for another lifetime.
    case confirmed(Confirmed)
    /// The origin sent a response.
    case response(Received)
    /// The origin gave no answer.
    case failed(EngineError)

    /// A stored response that the origin has confirmed.
    struct Confirmed: Sendable {
        /// Status and fields after the confirmation.
        let response: HTTPResponse
        /// Has the body.
        let stored: StoredResponse
        let receivedAt: Int64
        /// It was still in the store, so that the confirmation is stored.
        let isStored: Bool
        /// As in `Received`.
        let isShared: Bool
    }

    /// A response from the origin.
    struct Received: Sendable {
        let response: HTTPResponse
        let body: SharedBody
        /// As they would be stored.
        let facts: StoredFacts
        /// The requests that it answers once it is stored; `nil` if it will not be stored.
        let match: VaryMatch?
        /// Why it will not be stored; `nil` if it will.
        let refusal: NotStoredReason?
        /// Its place in the order of answers.
        let moment: AnswerMoment?
        /// Equal requests, which waited for it, get it, too.
        let isShared: Bool
        /// Others that it answers may join while its body arrives: it will be stored, and the application is not asked.
        let isOpen: Bool
    }
}

/// A request, the facts that decide about it, and the response stored for it.
struct LookedUpRequest: Sendable {
    let request: CacheRequest
    let facts: RequestFacts
    /// The stored response, fresh or not.
    var stored: StoredResponse?

    /// A response to such a request may answer another one: an ordinary GET that sets no bounds on age.
    var canShare: Bool {
        facts.method == .get
            && facts.flags.isDisjoint(with: [.noCache, .noStore, .limitsAge])
            && facts.flags.isDisjoint(with: .selectsAnswer)
            && (facts.policy == .useProtocolCachePolicy || facts.policy == .returnCacheDataElseLoad)
    }

    /// The answer passes the store by.
    var bypasses: Bool {
        !facts.isAnsweredFromStore || !facts.flags.isDisjoint(with: .selectsAnswer)
    }
}
