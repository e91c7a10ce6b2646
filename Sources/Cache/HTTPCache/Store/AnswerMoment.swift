import HTTPSemantics

/// The place of an answer among the answers and removals of a cache, by numbers that only grow; see `AnswerOrder`.
package struct AnswerMoment: Sendable {
    /// The number at which its request was sent.
    var sent: UInt64
    /// The number at which its header came.
    var received: UInt64
    /// Its `Date`, or the moment of receipt if that lies in the future: seconds since 1970. `nil` without a valid one.
    var date: Int64?

    /// Whether this answer may take the place of `other`, which is stored.
    ///
    /// An answer that was asked for later is newer. Where the two overlapped on their way, the origin may have made them
    /// in either order, and its later `Date` tells (RFC 9111, section 4).
    func mayReplace(_ other: AnswerMoment) -> Bool {
        if sent > other.received { return true }
        if other.sent > received { return false }
        if let date, let otherDate = other.date, date != otherDate { return date > otherDate }
        return sent > other.sent
    }

    /// Nothing replaces the result that may not replace both.
    func joined(with other: AnswerMoment) -> AnswerMoment {
        AnswerMoment(
            sent: max(sent, other.sent), received: max(received, other.received),
            date: [date, other.date].compactMap(\.self).max())
    }
}

extension HTTPResponse {
    /// The `Date` by which the answer is ordered. One in the future is a wrong clock, and counts as `now`, when it came,
    /// so that it holds up nothing for longer.
    func orderingDate(receivedAt now: Int64) -> Int64? {
        headerFields["Date"].flatMap { HTTPDate.parse($0, now: now) }.map { min($0, now) }
    }
}
