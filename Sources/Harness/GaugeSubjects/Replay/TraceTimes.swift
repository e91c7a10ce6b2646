import GaugeTraces

/// When the requests of a trace are due that are sent at its times. A time before an earlier one, or none, is due with that
/// one.
///
/// A pause longer than ``longestPause`` is cut to that length: a cache at rest does nothing that could be measured, and a
/// wrong date would make a replay wait for years.
struct TraceTimes {
    /// Nanoseconds of the longest wait between two requests.
    static let longestPause = 60e9
    /// Nanoseconds after which a clock of 63 bits could overflow; a replay ends before.
    private static let latest = 3e18

    private let speedup: Double
    /// The latest time of the trace so far, seconds.
    private var time: Double?
    private var due = 0.0
    /// The pauses that were cut.
    private(set) var cut = CutPauses()

    /// - Parameter speedup: that many times as fast as the trace; more than 0.
    init(speedup: Double) { self.speedup = speedup }

    /// When the next request is due, nanoseconds after the first.
    mutating func due(_ request: TraceRequest) -> Double {
        guard let next = request.time else { return due }
        let pause = max(0, next - (time ?? next)) / speedup * 1e9
        time = max(time ?? next, next)
        if pause > Self.longestPause { cut.add(seconds: (pause - Self.longestPause) / 1e9) }
        due = min(due + min(pause, Self.longestPause), Self.latest)
        return due
    }
}

/// Pauses of a trace that a replay made shorter.
package struct CutPauses: Hashable, Sendable {
    /// How many.
    package private(set) var count = 0
    /// By how much all of them became shorter.
    package private(set) var seconds = 0.0

    mutating func add(seconds: Double) {
        count += 1
        self.seconds += seconds
    }
}
