import Platform

/// Which connections a request goes out on, and whether it goes out a second time.
///
/// A request is repeated once, on a new connection (RFC 9110, section 9.2.2; RFC 9113, section 8.7), where it was
/// certainly not processed, or where that does no harm. And nothing is an answer to it that came before it was sent
/// (RFC 9112, section 9.2).
struct Attempts {
    /// What libcurl may do that is about to send the request.
    enum Permission: Equatable {
        case granted
        /// Not on this connection: the request has to begin again on a new one.
        case onNewConnection
        /// The request may have been processed.
        case refused
    }

    /// Sending it twice has the effect of sending it once.
    let isIdempotent: Bool
    /// It was sent before, so that this is the last time.
    private(set) var isRepetition: Bool
    /// The connection of the last attempt.
    private(set) var connection: CurlConnection?
    /// Other requests went out on that connection before.
    private(set) var isOnUsedConnection = false
    /// libcurl has told of a GOAWAY frame.
    private var sawGoAway = false
    /// libcurl has told that the stream was refused.
    private var isRefused = false
    /// See `Permission.onNewConnection`.
    private var hasToBeginAgain = false
    private var count = 0
    /// Bytes of the connection that came before the request was sent, in the count of all.
    private var earlyBytes: UInt64?

    init(isIdempotent: Bool, isRepetition: Bool) {
        self.isIdempotent = isIdempotent
        self.isRepetition = isRepetition
    }

    /// libcurl is about to send the request.
    ///
    /// - Parameter isExpected: it does so because of a 417, which says that the request was not processed.
    mutating func begin(on connection: CurlConnection?, isEncrypted: Bool, isExpected: Bool) -> Permission {
        count += 1
        self.connection = connection
        isOnUsedConnection = connection.map { $0.requestCount > 0 } ?? false
        connection?.requestCount += 1
        if count > 1, !isExpected {
            guard !isRepetition, isIdempotent || isRefused else { return .refused }
            if isOnUsedConnection { return again() }
            isRepetition = true
            return .granted
        }
        guard isOnUsedConnection, let connection else { return .granted }
        if sawGoAway { return again() }
        guard connection.isHTTP1, connection.unreadCount > 0 else { return .granted }
        // Under TLS they may be a ticket. Then it shows with the answer whether more came early.
        guard isEncrypted, isIdempotent, let counts = connection.byteCounts else { return again() }
        earlyBytes = counts.received
        return .granted
    }

    private mutating func again() -> Permission {
        hasToBeginAgain = true
        return .onNewConnection
    }

    /// The first bytes of an answer have come, and no others were read behind them.
    ///
    /// - Returns: whether they came after the request was sent.
    mutating func hasAnswerInTime() -> Bool {
        guard let early = earlyBytes.take(), let counts = connection?.byteCounts else { return true }
        if counts.read > early { return true }
        hasToBeginAgain = true
        return false
    }

    /// Bytes had come before the request was sent, and no answer was seen in them or behind them yet.
    var mayHaveReadEarlyBytes: Bool { earlyBytes != nil }

    /// A 408 (Request Timeout) on a used connection was sent because the connection was idle (RFC 9110, section
    /// 15.5.9).
    ///
    /// - Returns: whether the request is to be repeated because of it.
    mutating func mayRepeat(afterStatus status: Int) -> Bool {
        guard status == 408, isOnUsedConnection, isIdempotent, !isRepetition else { return false }
        hasToBeginAgain = true
        return true
    }

    /// A message of libcurl's.
    mutating func hear(_ text: UnsafeRawBufferPointer) {
        if text.starts(with: "received GOAWAY".utf8) || text.starts(with: "recveived GOAWAY".utf8) { sawGoAway = true }
        if text.starts(with: "REFUSED_STREAM".utf8) { isRefused = true }
        if text.starts(with: "HTTP/2 stream ".utf8) {
            let rest = text.dropFirst(14).drop { 48...57 ~= $0 }
            if rest.starts(with: " refused by server".utf8) { isRefused = true }
        }
    }

    /// The transfer has ended without a byte of an answer, or so that it has to begin again.
    ///
    /// - Parameter wasLost: the connection was, as far as libcurl's error tells.
    /// - Returns: whether the request is to be repeated on a new connection.
    func isRepeated(wasLost: Bool) -> Bool {
        guard !isRepetition else { return false }
        if hasToBeginAgain { return true }
        guard wasLost else { return false }
        return isRefused || isIdempotent && (isOnUsedConnection || sawGoAway)
    }
}

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
