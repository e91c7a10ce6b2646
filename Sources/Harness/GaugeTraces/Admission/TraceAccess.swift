/// A request of a trace as an access of a cache of any capacity, made by ``AccessRules``.
///
/// A cache looks the object up if `mayBeAnswered`. It's a hit if the object hasn't changed since the request before and
/// the entry hasn't expired. Otherwise the request reaches the origin, and `response` says what happens to the entry.
package struct TraceAccess: Sendable {
    /// What the origin's response does to the entry.
    package enum Response: Hashable, Sendable {
        /// Stored in place of the entry; fresh until a moment on the clock of the trace.
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
    /// The cost of its entry, bytes.
    package let cost: Int
    /// Whether the object has changed since the request before.
    package let isChanged: Bool
    /// Seconds on the clock of the trace, which stands still where a trace goes back in time.
    package let now: Double
    /// Whether a fresh entry may answer the request.
    package let mayBeAnswered: Bool
    /// What the origin's response does to the entry.
    package let response: Response
    /// When the head of the response was received, on the clock of the trace; −∞ if the trace doesn't say.
    package var arrival = -Double.infinity
    /// Whether a hit on an entry of another cost gives the entry this cost: with `--size-changes update`, and at the
    /// first stated size of an object whose size was assumed until then.
    package var updatesCost: Bool
    /// Whether the cache accepts a key from the URL. If not, the request bypasses it.
    package let hasKey: Bool
    /// The id of the variant that a `Vary` makes of the object; `nil` for the object itself.
    package var variant: UInt64?
    /// Whether only the head of the response was asked for.
    package var isHead = false

    /// Bytes of the body that the request asked for.
    package var requested: Int { isHead ? 0 : size }

    /// Whether the request bypasses the cache: it isn't answered, and its response isn't stored.
    package var isPassed: Bool {
        guard !mayBeAnswered else { return false }
        if case .stored = response { return false }
        return true
    }
}

/// A ``TraceAccess`` in the form that simulations read: 48 bytes, in batches that they all share.
struct SimulatedAccess: Sendable {
    /// What the origin's response does to the entry.
    enum Effect: UInt8, Sendable { case stores, removes, keeps }

    /// When the stored response expires, on the clock of the trace.
    var expiry = Double.infinity
    /// When its head was received; until then the request shares the fetch.
    var arrival = -Double.infinity
    let now: Double
    /// Bytes of the body that the request asked for.
    let size: Int
    let cost: Int
    let object: UInt32
    let effect: Effect
    /// Whether an entry of the object, as of the last request, may answer.
    let mayBeAnswered: Bool
    /// Whether the entry of the last request is outdated.
    let isChanged: Bool
    let updatesCost: Bool

    init(_ access: TraceAccess, object: Int) {
        switch access.response {
        case _ where !access.hasKey: effect = .keeps
        case .stored(let moment): (expiry, effect) = (moment, .stores)
        case .removes: effect = .removes
        case .keeps: effect = .keeps
        }
        (now, size, cost, arrival) = (access.now, access.requested, access.cost, access.arrival)
        self.object = UInt32(truncatingIfNeeded: object)
        mayBeAnswered = access.mayBeAnswered && access.hasKey
        (isChanged, updatesCost) = (access.isChanged, access.updatesCost)
    }

    @inline(__always)
    init(object: Int, size: Int, cost: Int, now: Double, effect: Effect, mayBeAnswered: Bool, isChanged: Bool) {
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

extension ReuseLog {
    package mutating func note(_ past: inout Past, _ access: TraceAccess) {
        var expiry: Double?
        if case .stored(let moment) = access.response { expiry = moment }
        note(
            &past, object: access.object, size: access.size, requested: access.requested, isChanged: access.isChanged,
            now: access.now, mayBeAnswered: access.mayBeAnswered, expiry: expiry, isKept: access.response == .keeps)
    }
}
