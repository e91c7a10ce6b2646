/// An HTTP-date: seconds since 1970 from and to text (RFC 9110, section 5.6.7). Seconds are UTC, without leap seconds.
///
/// Reading takes the three formats of the RFC and nothing else:
///
///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
///     Sun Nov  6 08:49:37 1994          asctime
///
/// - Names of days, months and the zone are compared without regard to case (RFC 9111, section 4.2). A weekday must be
///   the name of a day, and need not be the day of that date.
/// - Years are 0000 to 9999 of the proleptic Gregorian calendar; days are checked against the month and the leap year.
/// - `23:59:60` is a leap second and means 00:00:00 of the next day; `:60` at any other time is invalid, and so is hour 24.
/// - Whitespace around the date is invalid here: the field parser removes it.
public enum HTTPDate {
    /// The seconds that `bytes` mean, `nil` when they are not an HTTP-date. About 8 ns, no allocation.
    ///
    /// - Parameters:
    ///   - bytes: a field value without the whitespace around it.
    ///   - now: the seconds since 1970 that give the two digits of an RFC 850 year their century: it is the century of
    ///     `now`, and one less if the date would then be more than 50 years after `now`, counted on the calendar (the same
    ///     day and time of day, 50 years on, is not yet more). Clamped to the years 1970 to 9999. Other formats ignore it.
    @inlinable
    public static func parse(_ bytes: RawSpan, now: Int64) -> Int64? {
        switch bytes.byteCount {
        case 29: parseIMFFixdate(bytes)
        case 24: parseAsctime(bytes)
        case 30...33: parseRFC850(bytes, now: now)
        default: nil
        }
    }

    /// As `parse(_:now:)` of a span, for the text of a field value.
    package static func parse(_ text: String, now: Int64) -> Int64? {
        withFieldBytes(of: text) { parse($0, now: now) }
    }

    /// Seconds of the first moment that can be written: year 0000.
    static let earliest: Int64 = -62_167_219_200
    /// Seconds of the last moment that can be written: the end of year 9999.
    static let latest: Int64 = 253_402_300_799
}
