import Platform

/// Decides which connections a request goes out on, and whether it is sent a second time.
///
/// A request is repeated once, on a new connection (RFC 9110, section 9.2.2; RFC 9113, section 8.7), if it was
/// certainly not processed, or if sending it twice does no harm. Bytes that came before the request was sent are no
/// answer to it (RFC 9112, section 9.2).
struct Attempts {
    enum Permission: Equatable {
        case granted
        /// Not on this connection: the request must start again on a new one.
        case onNewConnection
        /// The request may already have been processed.
        case refused
    }

    /// Sending it twice has the effect of sending it once.
    let isIdempotent: Bool
    private(set) var isRepetition: Bool
    private(set) var connection: CurlConnection?
    /// Other requests went out on that connection before.
    private(set) var isOnUsedConnection = false
    private var sawGoAway = false
    private var isRefused = false
    /// See `Permission.onNewConnection`.
    private var hasToBeginAgain = false
    private var count = 0
    /// How many bytes of the connection came before the request was sent, counted over its lifetime.
    private var earlyBytes: UInt64?

    init(isIdempotent: Bool, isRepetition: Bool) {
        self.isIdempotent = isIdempotent
        self.isRepetition = isRepetition
    }

    /// libcurl is about to send the request.
    ///
    /// - Parameter isExpected: because of a 417, which says that the request was not processed.
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
        // Under TLS they may be a ticket. The answer will then show whether more came early.
        guard isEncrypted, isIdempotent, let counts = connection.byteCounts else { return again() }
        earlyBytes = counts.received
        return .granted
    }

    private mutating func again() -> Permission {
        hasToBeginAgain = true
        return .onNewConnection
    }

    /// The first bytes of an answer have come, and none behind them has been read. Returns whether they came after the
    /// request was sent.
    mutating func hasAnswerInTime() -> Bool {
        guard let early = earlyBytes.take(), let counts = connection?.byteCounts else { return true }
        if counts.read > early { return true }
        hasToBeginAgain = true
        return false
    }

    /// Bytes came before the request was sent, and no answer has been seen in or behind them yet.
    var mayHaveReadEarlyBytes: Bool { earlyBytes != nil }

    /// Whether to repeat the request because of this status. A 408 (Request Timeout) on a used connection was sent
    /// because the connection was idle (RFC 9110, section 15.5.9).
    mutating func mayRepeat(afterStatus status: Int) -> Bool {
        guard status == 408, isOnUsedConnection, isIdempotent, !isRepetition else { return false }
        hasToBeginAgain = true
        return true
    }

    /// Reads a message of libcurl's.
    mutating func hear(_ text: UnsafeRawBufferPointer) {
        if text.starts(with: "received GOAWAY".utf8) || text.starts(with: "recveived GOAWAY".utf8) { sawGoAway = true }
        if text.starts(with: "REFUSED_STREAM".utf8) { isRefused = true }
        if text.starts(with: "HTTP/2 stream ".utf8) {
            let rest = text.dropFirst(14).drop { 48...57 ~= $0 }
            if rest.starts(with: " refused by server".utf8) { isRefused = true }
        }
    }

    /// The transfer has ended without a byte of an answer, or must start again.
    ///
    /// - Parameter wasLost: the connection was, as far as libcurl's error tells.
    /// - Returns: whether to repeat the request on a new connection.
    func isRepeated(wasLost: Bool) -> Bool {
        guard !isRepetition else { return false }
        if hasToBeginAgain { return true }
        guard wasLost else { return false }
        return isRefused || isIdempotent && (isOnUsedConnection || sawGoAway)
    }
}

/// When an exchange must be over because no byte comes or goes. Times are nanoseconds of the monotonic clock.
struct ExchangeDeadline {
    /// Seconds without a byte; `nil` for no limit.
    private let idle: Double?
    private var lastProgress: UInt64
    /// The exchange waits for its reader, so it is not idle.
    var isWaiting = false

    init(idle: Double?, now: UInt64 = monotonicNanoseconds()) { (self.idle, lastProgress) = (idle, now) }

    mutating func progress(now: UInt64) { lastProgress = now }

    /// No more than these seconds count.
    mutating func count(seconds: Double, now: UInt64) {
        lastProgress = max(lastProgress, now - min(now, Self.nanoseconds(seconds)))
    }

    /// When the exchange must be over if nothing happens.
    var moment: UInt64 {
        guard let idle, !isWaiting else { return .max }
        return lastProgress &+ Self.nanoseconds(idle)
    }

    var reason: String { "nothing came for \(idle ?? 0) s; raise the request's timeoutInterval" }

    /// At most a hundred years, which no clock of a process reaches; also for a time that is not a number.
    private static func nanoseconds(_ seconds: Double) -> UInt64 {
        seconds < 3_155_760_000 ? UInt64(max(seconds, 0) * 1_000_000_000) : 3_155_760_000_000_000_000
    }
}
