// Invariant of the pointers: `write` writes 29 bytes, after checking that the buffer has as many.

/// An HTTP-date, to and from seconds since 1970 (RFC 9110, section 5.6.7). Seconds are UTC, without leap seconds.
///
/// It reads the three formats of the RFC and nothing else:
///
///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
///     Sun Nov  6 08:49:37 1994          asctime
///
/// - Names of days, months and the zone are compared without regard to case (RFC 9111, section 4.2). A weekday must be
///   the name of a day, but need not be that date's.
/// - Years are 0000 to 9999 of the proleptic Gregorian calendar; days are checked against the month and the leap year.
/// - `23:59:60` is a leap second and means 00:00:00 of the next day; `:60` at any other time is invalid, and so is hour
///   24.
/// - Whitespace around the date is invalid here: the field parser removes it.
public enum HTTPDate {
    /// The seconds `bytes` stand for, `nil` if they are not an HTTP-date. About 8 ns, no allocation.
    ///
    /// - Parameters:
    ///   - bytes: a field value without the whitespace around it.
    ///   - now: seconds since 1970, which decide the century of an RFC 850 date: that of `now`, or one earlier if the
    ///     date would otherwise be more than 50 years after `now`. Years are counted on the calendar: the same day and
    ///     time of day, 50 years on, is not yet more. Clamped to the years 1970 to 9999. Other formats ignore it.
    @inlinable
    public static func parse(_ bytes: RawSpan, now: Int64) -> Int64? {
        switch bytes.byteCount {
        case 29: parseIMFFixdate(bytes)
        case 24: parseAsctime(bytes)
        case 30...33: parseRFC850(bytes, now: now)
        default: nil
        }
    }

    /// The same for the text of a field value.
    package static func parse(_ text: String, now: Int64) -> Int64? {
        withFieldBytes(of: text) { parse($0, now: now) }
    }

    /// The first moment that can be written: the start of year 0000.
    static let earliest: Int64 = -62_167_219_200
    /// The last moment that can be written: the end of year 9999.
    static let latest: Int64 = 253_402_300_799
}

extension HTTPDate {
    package static let formattedCount = 29

    /// `seconds` since 1970 as an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`, which is what senders use.
    ///
    /// A moment outside the years 0000 to 9999 becomes the nearest one inside.
    package static func format(_ seconds: Int64) -> String {
        String(unsafeUninitializedCapacity: formattedCount) { buffer in
            write(seconds, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes `seconds` since 1970 as an IMF-fixdate into the first 29 bytes of `buffer`, without allocating. Returns
    /// 29, or 0 with nothing written if the buffer is shorter.
    @discardableResult
    package static func write(_ seconds: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard buffer.count >= formattedCount else { return 0 }
        let time = CivilTime(min(max(seconds, earliest), latest))
        var place = 0
        func put(_ text: StaticString, from start: Int = 0, _ count: Int) {
            for index in start..<start + count {
                buffer[place] = text.utf8Start[index]
                place += 1
            }
        }
        func put(_ number: Int) {
            buffer[place] = UInt8(truncatingIfNeeded: 0x30 + number / 10)
            buffer[place + 1] = UInt8(truncatingIfNeeded: 0x30 + number % 10)
            place += 2
        }
        put("SunMonTueWedThuFriSat", from: time.weekday * 3, 3)
        put(", ", 2)
        put(time.day)
        put(" ", 1)
        put("JanFebMarAprMayJunJulAugSepOctNovDec", from: (time.month - 1) * 3, 3)
        put(" ", 1)
        put(time.year / 100)
        put(time.year % 100)
        put(" ", 1)
        put(time.secondOfDay / 3600)
        put(":", 1)
        put(time.secondOfDay / 60 % 60)
        put(":", 1)
        put(time.secondOfDay % 60)
        put(" GMT", 4)
        return formattedCount
    }
}

/// A moment on the proleptic Gregorian calendar, UTC.
///
/// The conversions count from 1 March, so the leap day ends the year. After Howard Hinnant, "chrono-compatible
/// low-level date algorithms".
struct CivilTime {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    /// 0 to 86,399.
    var secondOfDay: Int
    /// 0 is Sunday.
    var weekday: Int

    /// The moment `seconds` after the start of 1970, from year 0000 to year 9999.
    init(_ seconds: Int64) {
        let elapsed = Int(truncatingIfNeeded: seconds &- HTTPDate.earliest)
        // Days from 1 March of the year -400, so nothing is negative.
        let days = elapsed / 86_400 + 146_097 - 60
        secondOfDay = elapsed % 86_400
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 - 400 + (month <= 2 ? 1 : 0)
        weekday = (elapsed / 86_400 + 6) % 7
    }

    /// Seconds since 1970. A day past the end of its month continues in the next: 29 February of an ordinary year is 1
    /// March. Years from 0000 to 99999.
    static func seconds(year: Int, month: Int, day: Int, secondOfDay: Int) -> Int64 {
        let marchYear = year + 400 - (month <= 2 ? 1 : 0)
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        return Int64((days - 146_097 + 60) * 86_400 + secondOfDay) + HTTPDate.earliest
    }
}

/// A field's date: absent, present but unreadable, or an instant.
///
/// Invalid differs from absent: an unreadable `Expires` has already expired (RFC 9111, section 5.3), but without one a
/// heuristic may apply.
public enum FieldDate: Hashable, Sendable {
    /// The field is missing.
    case absent
    /// The field is present, but is not an HTTP-date.
    case invalid
    /// Seconds since 1970-01-01T00:00:00Z.
    case at(Int64)

    /// The instant, `nil` when absent or invalid.
    @inlinable public var seconds: Int64? {
        if case .at(let seconds) = self { seconds } else { nil }
    }
}

extension FieldDate {
    /// Reads the value of a `Date`, `Expires` or `Last-Modified` field, without the whitespace around it. For `now` see
    /// `HTTPDate.parse(_:now:)`.
    package static func parse(_ bytes: RawSpan, now: Int64) -> FieldDate {
        bytes.withUnsafeBytes { parse($0, now: now) }
    }

    /// The first line named `name` in `fields`; later ones do not count.
    package init(_ fields: HTTPFields, _ name: HTTPFields.Name, now: Int64) {
        guard let line = fields.fields.first(where: { $0.name == name }) else {
            self = .absent
            return
        }
        self = withTrimmedFieldBytes(of: line.value) { Self.parse($0, now: now) }
    }

    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> FieldDate {
        HTTPDate.parse(bytes, now: now).map { .at($0) } ?? .invalid
    }
}
