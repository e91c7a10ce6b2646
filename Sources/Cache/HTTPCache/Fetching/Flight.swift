import HTTPSemantics
import Platform

/// One fetch from the origin, and those who wait for it.
///
/// Whoever wants its answer takes a seat. Who leaves early disturbs nobody else; when the last one has left, the fetch is
/// cancelled.
///
/// `@unchecked Sendable`: every variable is touched under the lock alone.
final class Flight: @unchecked Sendable {
    /// The request of whoever began it.
    let request: CacheRequest
    /// What a cache has to know of it.
    let facts: RequestFacts
    /// What is stored for it.
    let stored: StoredResponse?
    /// The origin is asked whether `stored` still holds.
    let validates: Bool
    /// The URL's own key; `nil` when the URL can be none.
    let key: [UInt8]?
    /// Under which others find it; `nil` when it is nobody else's.
    let sharedKey: [UInt8]?
    /// A later flight has a larger one.
    let number: UInt64

    private let lock = Lock()
    private var arrival: Arrival?
    private var waiting: [Baton<Arrival>] = []
    private var seatsTaken = 0
    private var isAbandoned = false
    private var isOutdated = false
    private var task: Task<Void, Never>?

    init(_ call: Call, validates: Bool, key: [UInt8]?, sharedKey: [UInt8]?, number: UInt64) {
        request = call.request
        facts = call.facts
        stored = call.stored
        self.validates = validates
        self.key = key
        self.sharedKey = sharedKey
        self.number = number
    }

    // MARK: Seats

    /// Takes a seat; `nil` when the last one has left already.
    ///
    /// - Parameter isOwner: for whoever began the flight.
    func takeSeat(isOwner: Bool) -> Seat? {
        let isTaken = lock.withLock {
            if !isAbandoned { seatsTaken += 1 }
            return !isAbandoned
        }
        return isTaken ? Seat(self, isOwner: isOwner) : nil
    }

    fileprivate func leaveSeat() {
        let task: Task<Void, Never>? = lock.withLock {
            seatsTaken -= 1
            guard seatsTaken == 0 else { return nil }
            isAbandoned = true
            return self.task
        }
        task?.cancel()
    }

    /// Names the task that does the work, which is cancelled at once if everybody has left.
    func begin(_ task: Task<Void, Never>) {
        let isTooLate = lock.withLock {
            self.task = task
            return isAbandoned
        }
        if isTooLate { task.cancel() }
    }

    // MARK: The answer

    /// Tells everybody.
    func arrive(_ arrival: Arrival) {
        let waiting = lock.withLock {
            self.arrival = arrival
            defer { self.waiting = [] }
            return self.waiting
        }
        for baton in waiting { baton.pass(arrival) }
    }

    fileprivate func waitForArrival() async -> Arrival {
        let baton = Baton<Arrival>()
        let arrival: Arrival? = lock.withLock {
            if self.arrival == nil { waiting.append(baton) }
            return self.arrival
        }
        if let arrival { return arrival }
        return await baton.wait(cancelled: .failed(.cancelled))
    }

    // MARK: Whether its answer is still the latest

    /// What it brings may not be stored any more: something newer was, or it was invalidated.
    func outdate() { lock.withLock { isOutdated = true } }

    /// Nothing newer was stored meanwhile, and nothing invalidated.
    var mayStore: Bool { lock.withLock { !isOutdated } }
}

/// One who waits for a flight. Leaves when it is released.
final class Seat: Sendable {
    let flight: Flight
    /// Began the flight: the answer is to this one's request, whatever it is.
    let isOwner: Bool

    fileprivate init(_ flight: Flight, isOwner: Bool) {
        self.flight = flight
        self.isOwner = isOwner
    }

    deinit { flight.leaveSeat() }

    /// Waits for the answer; a cancelled task gets `cancelled`.
    func arrival() async -> Arrival {
        // The seat is kept to the end of the wait, or the flight might lose its last passenger meanwhile.
        defer { withExtendedLifetime(self) {} }
        return await flight.waitForArrival()
    }
}

/// What a flight brings.
enum Arrival: Sendable {
    /// The stored response is good for another lifetime.
    case confirmed(Confirmed)
    /// A response of its own.
    case response(Arrived)
    /// Nothing.
    case failed(EngineError)

    /// A stored response that the origin has confirmed.
    struct Confirmed: Sendable {
        /// Status and fields after the confirmation.
        let response: HTTPResponse
        /// Has the body.
        let stored: StoredResponse
        let receivedAt: Int64
        /// Which requests it answers, besides the one it was asked for.
        let audience: Audience
    }

    /// A response from the origin.
    struct Arrived: Sendable {
        let response: HTTPResponse
        let body: BodyRelay
        let receivedAt: Int64
        /// Which requests it answers, besides the one it was sent for; `nil` when none.
        let audience: Audience?
    }
}

/// The requests that a response answers: those that agree with the one it was sent for in all that `Vary` names.
struct Audience: Sendable {
    let selection: VarySelection
    private let variant: [UInt8]?

    init(_ selection: VarySelection, of request: HTTPRequest) {
        self.selection = selection
        variant = selection.variantKey(of: request.headerFields)
    }

    func contains(_ request: HTTPRequest) -> Bool {
        guard let variant else { return false }
        return selection.variantKey(of: request.headerFields) == variant
    }
}
