/// A request of a trace as an access of a cache of any capacity, made by ``AccessRules``.
///
/// A cache looks the object up if `mayBeAnswered`. The request is a hit if the entry has this `version` and has not
/// expired. Any other request reaches the origin, and `response` says what that does to the entry.
package struct TraceAccess: Sendable {
    /// The effect of the origin's response on the entry.
    package enum Response: Hashable, Sendable {
        /// Stored in place of the entry, and fresh until a moment on the clock of the trace.
        case stored(expiry: Double)
        /// Not stored; the entry is removed.
        case removes
        /// Not stored; the entry stays.
        case keeps
    }

    /// The index of the object in the table of ``AccessRules``, until that grows.
    package let place: Int
    /// The number of the object in the order of first requests, from 0.
    package let object: Int
    /// Bytes of the body, as the trace counts them.
    package let size: Int
    /// Bytes of an entry of it.
    package let cost: Int
    /// Tells an object's bodies apart, where sizes do.
    package let version: Int
    /// Whether the object has changed since the request before.
    package let isChanged: Bool
    /// Seconds on the clock of the trace. It stands still where a trace goes back in time.
    package let now: Double
    /// Whether a fresh entry may answer the request.
    package let mayBeAnswered: Bool
    /// The effect of the origin's response on the entry.
    package let response: Response
    /// When the head of that response was received, on the clock of the trace; −∞ if the trace does not tell.
    package var arrival = -Double.infinity
    /// Whether a hit on an entry of another cost gives the entry this cost (`--size-changes update`, and the first size
    /// that the trace states for an object, where one was assumed until then).
    package var updatesCost: Bool
    /// Whether the cache accepts a key from the URL. If not, the request passes it by.
    package let hasKey: Bool

    /// Whether the request concerns no cache: it is neither answered, nor is its response stored.
    package var isPassed: Bool {
        guard !mayBeAnswered else { return false }
        if case .stored = response { return false }
        return true
    }
}

/// A ``TraceAccess`` as simulations read it: 48 bytes, in batches that all of them share.
struct SimulatedAccess: Sendable {
    /// The effect of the origin's response on the entry.
    enum Effect: UInt8, Sendable { case stores, removes, keeps }

    /// When the stored response expires, on the clock of the trace.
    var expiry = Double.infinity
    /// When its head was received; until then the request shares the fetch.
    var arrival = -Double.infinity
    let now: Double
    /// Bytes of the body.
    let size: Int
    /// The cost of an entry.
    let cost: Int
    let object: UInt32
    let effect: Effect
    /// Whether an entry of the object as it was at the last request may answer.
    let mayBeAnswered: Bool
    /// Whether the entry of the last request is outdated.
    let isChanged: Bool
    /// Whether a hit gives the entry its new cost.
    let updatesCost: Bool

    init(_ access: TraceAccess, object: Int) {
        switch access.response {
        case _ where !access.hasKey: effect = .keeps
        case .stored(let moment): (expiry, effect) = (moment, .stores)
        case .removes: effect = .removes
        case .keeps: effect = .keeps
        }
        (now, size, cost, arrival) = (access.now, access.size, access.cost, access.arrival)
        self.object = UInt32(truncatingIfNeeded: object)
        mayBeAnswered = access.mayBeAnswered && access.hasKey
        (isChanged, updatesCost) = (access.isChanged, access.updatesCost)
    }

    /// An access whose response never expires.
    @inline(__always)
    init(
        object: Int, size: Int, cost: Int, now: Double, effect: Effect, mayBeAnswered: Bool, isChanged: Bool
    ) {
        (self.now, self.size, self.cost, self.effect) = (now, size, cost, effect)
        self.object = UInt32(truncatingIfNeeded: object)
        (self.mayBeAnswered, self.isChanged, updatesCost) = (mayBeAnswered, isChanged, false)
    }

    /// Removes an object that the sample drops.
    init(forgetting object: Int) {
        (now, size, cost, effect) = (0, 0, 0, .removes)
        self.object = UInt32(truncatingIfNeeded: object)
        (mayBeAnswered, isChanged, updatesCost) = (false, false, false)
    }
}
