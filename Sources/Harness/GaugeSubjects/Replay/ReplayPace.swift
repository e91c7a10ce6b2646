/// When the requests of a replay are sent.
package enum ReplayPace: Hashable, Sendable {
    /// Each after the previous answer.
    case closedLoop
    /// So many a second, each when it is due (``OpenLoop``).
    case evenly(rate: Double)
    /// At the times of the trace, this many times as fast (``TraceTimes``).
    case traceTimes(speedup: Double)

    /// Whether requests are sent when they are due.
    var isOpen: Bool { self != .closedLoop }

    /// Requests a second, if they are even.
    package var rate: Double? {
        if case .evenly(let rate) = self { rate } else { nil }
    }
}
