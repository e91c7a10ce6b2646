import HTTPSemantics
import Platform
import Synchronization

/// An engine's fetches, some of which other requests may share (RFC 9111, section 4).
///
/// Before the header has come, only a request that sends exactly the same may wait for a fetch, because nobody knows
/// yet who else the answer is for. Once it has come, the answer is as good as stored, and the store's own rules decide.
final class SharedFetches: Sendable {
    private struct State {
        /// Fetches whose header has not come, by everything that was sent.
        var awaited: [OutgoingKey: SharedFetch] = [:]
        /// For each URL the fetch whose header came last, if its response may be stored.
        var arriving: [[UInt8]: SharedFetch] = [:]
        /// All fetches whose body has not ended; `nil` after `cancelAll`.
        var running: [ObjectIdentifier: SharedFetch]? = [:]
        /// URLs whose last answer could not be shared, in two generations. Requests for them wait for nobody.
        var unshared: (young: Set<[UInt8]>, old: Set<[UInt8]>) = ([], [])
        /// The keys of stale responses being refreshed.
        var refreshing: Set<[UInt8]> = []

        mutating func remove(_ fetch: SharedFetch) {
            // Another one may have taken its place.
            if let key = fetch.sharedKey, awaited[key] === fetch { awaited[key] = nil }
            if let key = fetch.key, arriving[key] === fetch { arriving[key] = nil }
        }

        mutating func end(_ fetch: SharedFetch) {
            remove(fetch)
            running?[ObjectIdentifier(fetch)] = nil
        }

        func isUnshared(_ key: [UInt8]) -> Bool {
            if unshared.young.isEmpty && unshared.old.isEmpty { return false }
            return unshared.young.contains(key) || unshared.old.contains(key)
        }

        mutating func noteUnshared(_ key: [UInt8], _ isNow: Bool) {
            guard isNow else {
                guard isUnshared(key) else { return }
                unshared.young.remove(key)
                unshared.old.remove(key)
                return
            }
            unshared.young.insert(key)
            if unshared.young.count >= SharedFetches.mostUnshared { unshared = ([], unshared.young) }
        }
    }

    /// The size of one generation of `State.unshared`.
    static let mostUnshared = 512

    private let order: AnswerOrder
    private let state = Locked(State())
    private let finished = Atomic<UInt64>(0)

    init(_ order: AnswerOrder) { self.order = order }

    /// How many shared fetches have finished. Read it before you look into the store, and pass it to `join`. Otherwise
    /// a request that looked just before a fetch ended would fetch the same response again.
    var finishedCount: UInt64 { finished.load(ordering: .acquiring) }

    enum Joining {
        /// It waits for a fetch that an equal request began.
        case joined(FetchWaiter)
        /// It waits for a new one, whose work must be started.
        case began(FetchWaiter)
        /// A fetch has finished meanwhile, so the store may have the answer.
        case lookAgain
        /// All were cancelled, and none begins any more.
        case cancelled
    }

    /// Joins the fetch of an equal request, or begins one.
    ///
    /// - Parameters:
    ///   - mayShare: whether it may wait for another request's answer, and others for its.
    ///   - finishedCount: read before looking into the store; `nil` to begin in any case.
    func join(
        _ lookedUp: LookedUpRequest, _ outgoing: SharedFetch.Outgoing, key: [UInt8]?, mayShare: Bool,
        finishedCount: UInt64?
    ) -> Joining {
        let isShareable = mayShare && key != nil && outgoing.request.body == nil
        let wanted = isShareable ? OutgoingKey(outgoing.request.request) : nil
        return state.withLock { state in
            guard state.running != nil else { return .cancelled }
            var sharedKey = wanted
            if let key, state.isUnshared(key) { sharedKey = nil }
            if let key, let sharedKey, let fetch = state.awaited[sharedKey], order.mayJoin(sent: fetch.sent, key),
                let waiter = fetch.addWaiter(isOwner: false)
            {
                return .joined(waiter)
            }
            if wanted != nil, let finishedCount, finishedCount != self.finishedCount { return .lookAgain }
            let fetch = SharedFetch(lookedUp, outgoing, key: key, sharedKey: sharedKey, sent: order.begin())
            // Never `nil`: nobody else can have left it.
            guard let waiter = fetch.addWaiter(isOwner: true) else { return .lookAgain }
            if let sharedKey { state.awaited[sharedKey] = fetch }
            state.running?[ObjectIdentifier(fetch)] = fetch
            return .began(waiter)
        }
    }

    /// The fetch of a URL whose response is arriving and would be stored.
    func arriving(_ key: [UInt8]) -> (fetch: SharedFetch, received: FetchOutcome.Received)? {
        guard let fetch = state.withLock({ $0.arriving[key] }), case .response(let received)? = fetch.outcome,
            let moment = received.moment, order.mayJoin(moment, key)
        else { return nil }
        return (fetch, received)
    }

    /// Gives the outcome to those waiting for the header. From now on equal requests do not wait for this fetch. The
    /// first outcome counts: `cancelAll` and the fetch's own task may both have one.
    func finish(_ fetch: SharedFetch, _ outcome: FetchOutcome) {
        let waiting: [AutoResetEvent] = state.withLock { state in
            guard fetch.outcome == nil else { return [] }
            state.remove(fetch)
            if let key = fetch.key {
                switch outcome {
                case .response(let received):
                    if received.isOpen { state.arriving[key] = fetch }
                    state.noteUnshared(key, !received.isShared)
                case .confirmed(let confirmed): state.noteUnshared(key, !confirmed.isShared)
                case .failed: break
                }
            }
            return fetch.finish(outcome)
        }
        // After unlocking, because who wakes up takes the lock.
        for event in waiting { event.set() }
    }

    /// Takes out a fetch that is over and whose answer is stored.
    func remove(_ fetch: SharedFetch) {
        order.end(fetch.sent)
        state.withLock { state in
            state.end(fetch)
            if fetch.key != nil { finished.wrappingAdd(1, ordering: .acquiringAndReleasing) }
        }
    }

    func cancelAll() {
        let running = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        for fetch in (running ?? [:]).values {
            finish(fetch, .failed(.cancelled))
            fetch.cancel()
        }
    }

    // MARK: Refreshing

    /// Whether the caller may refresh that key's stale response, until `endRefresh`.
    func beginRefresh(_ key: [UInt8]) -> Bool { state.withLock { $0.refreshing.insert(key).inserted } }

    func endRefresh(_ key: [UInt8]) { state.withLock { _ = $0.refreshing.remove(key) } }
}

/// Everything sent to the origin for a request without a body. If two keys are equal, the origin cannot tell the
/// requests apart.
///
/// In bytes, because strings with different bytes may be equal as texts.
struct OutgoingKey: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ request: HTTPRequest) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            request.headerFields.fields.reduce(request.url.utf8.count + 32) {
                $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 16
            })
        Self.append(request.method, to: &bytes)
        Self.append(request.url, to: &bytes)
        for field in request.headerFields.fields {
            Self.append(field.name.rawName, to: &bytes)
            Self.append(field.value, to: &bytes)
        }
        self.bytes = bytes
    }

    /// The length first, so one text cannot be taken for two.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: text.utf8.count.littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text.utf8)
    }
}
