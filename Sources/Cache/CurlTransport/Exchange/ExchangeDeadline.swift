import Platform

/// The moment at which an exchange has to be over: it may take so long in all, and so long without a byte in either
/// direction. Moments are nanoseconds of the monotonic clock.
struct ExchangeDeadline {
    /// Seconds for the whole exchange.
    private let whole: Double
    /// Seconds without a byte; `nil` for no limit.
    private let idle: Double?
    private let began: UInt64
    private var lastProgress: UInt64
    /// The exchange waits for its reader, and is not idle.
    var isWaiting = false

    init(whole: Double, idle: Double?, now: UInt64 = monotonicNanoseconds()) {
        (self.whole, self.idle) = (whole, idle)
        (began, lastProgress) = (now, now)
    }

    /// A byte went or came.
    mutating func progress(now: UInt64 = monotonicNanoseconds()) { lastProgress = now }

    /// When the exchange has to be over if nothing happens.
    var moment: UInt64 {
        let last = began &+ Self.nanoseconds(whole)
        guard let idle, !isWaiting else { return last }
        return min(last, lastProgress &+ Self.nanoseconds(idle))
    }

    /// Why the exchange was ended at the deadline.
    func reason(now: UInt64) -> String {
        now &- began >= Self.nanoseconds(whole)
            ? "the exchange took longer than \(whole) s; raise timeoutIntervalForResource"
            : "nothing came for \(idle ?? 0) s; raise the request's timeoutInterval"
    }

    /// Up to a hundred years, which no clock of a process reaches; also for a time that is not a number.
    private static func nanoseconds(_ seconds: Double) -> UInt64 {
        seconds < 3_155_760_000 ? UInt64(max(seconds, 0) * 1_000_000_000) : 3_155_760_000_000_000_000
    }
}
