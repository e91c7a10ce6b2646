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
