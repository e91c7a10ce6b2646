import GaugeTraces

/// When the requests of a replay are sent.
package enum ReplayPace: Hashable, Sendable {
    /// Each after the previous answer.
    case closedLoop
    /// So many a second, each when it is due (``OpenLoop``).
    case evenly(rate: Double)
    /// At the times of the trace, this many times as fast. A time before an earlier one, or none, is due with that one.
    case traceTimes(speedup: Double, first: Double? = nil, last: Double = 0)

    /// Whether requests are sent when they are due.
    var isOpen: Bool { self != .closedLoop }

    /// Requests a second, if they are even.
    package var rate: Double? {
        if case .evenly(let rate) = self { rate } else { nil }
    }

    /// When a request of the trace is due, nanoseconds after the first; `nil` at even distances.
    mutating func due(_ request: TraceRequest) -> Double? {
        guard case .traceTimes(let speedup, var first, var last) = self else { return nil }
        if let time = request.time {
            if first == nil { first = time }
            last = max(last, (time - (first ?? time)) / speedup * 1e9)
        }
        // A wait of more than 100 years is no wait that a clock can count.
        last = min(last, 3e18)
        self = .traceTimes(speedup: speedup, first: first, last: last)
        return last
    }
}
