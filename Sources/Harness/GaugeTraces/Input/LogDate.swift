import GaugeSupport

/// Dates of traces, as seconds since 1970.
package enum LogDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

    /// The number of a month by its three letters, 1 to 12.
    private static func month(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.count == 3 else { return nil }
        let letters = text.reduce(UInt32(0)) { $0 << 8 | UInt32($1 | 0x20) }
        return months.firstIndex(of: letters).map { $0 + 1 }
    }

    /// `10/Oct/2000:13:55:36 -0700`, perhaps with decimals of seconds.
    package static func parse(_ text: ArraySlice<UInt8>) -> Double? {
        // Makes no array: most logs have this date on each line.
        let start = text.startIndex
        func part(_ first: Int, _ end: Int) -> ArraySlice<UInt8> { text[(start + first)..<(start + end)] }
        guard text.count >= 26, text.count <= 64, text[start + 2] == UInt8(ascii: "/"),
            text[start + 6] == UInt8(ascii: "/"), text[start + 11] == UInt8(ascii: ":"),
            text[start + 14] == UInt8(ascii: ":"), text[start + 17] == UInt8(ascii: ":"),
            let month = month(part(3, 6)), let day = digits(part(0, 2)), let year = digits(part(7, 11)),
            let time = clock(part(12, 14), part(15, 17), part(18, 20)),
            let days = days(year: year, month: month, day: day),
            let (fraction, rest) = fraction(text[(start + 20)...]), rest.count == 6, rest.first == UInt8(ascii: " "),
            let offset = zone(rest[rest.startIndex + 1], rest.dropFirst(2).prefix(2), rest.suffix(2))
        else { return nil }
        return Double(days * 86_400 + time - offset) + fraction
    }

    /// ISO 8601 as in HAR: `2009-07-24T19:20:30.45+01:00`, with any number of decimals or none; also `Z`.
    package static func parseISO8601(_ text: ArraySlice<UInt8>) -> Double? {
        let bytes = Array(text)
        guard let date = calendar(bytes, separator: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
            let (fraction, rest) = fraction(bytes[19...]), let offset = isoZone(Array(rest))
        else { return nil }
        return Double(date - offset) + fraction
    }

    /// A date without a zone, taken as UTC: `2006/01/02 15:04:05.000` as in Caddy's `wall` formats, or `2006-01-02
    /// 15:04:05`, also with `T`.
    package static func parseWithoutZone(_ text: ArraySlice<UInt8>) -> Double? {
        let bytes = Array(text)
        guard let date = calendar(bytes, separator: "-") ?? calendar(bytes, separator: "/"),
            bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"),
            let (fraction, rest) = fraction(bytes[19...]), rest.isEmpty
        else { return nil }
        return Double(date) + fraction
    }

    /// ISO 8601 with a space or `T`, decimals after a point or a comma, and a zone (with or without a space before it)
    /// or none.
    static func parseLoosely(_ text: ArraySlice<UInt8>) -> (seconds: Double, hasZone: Bool)? {
        var bytes = Array(text)
        guard let date = calendar(bytes, separator: "-") ?? calendar(bytes, separator: "/"),
            bytes[10] == UInt8(ascii: " ") || bytes[10] | 0x20 == UInt8(ascii: "t")
        else { return nil }
        if bytes.count > 19, bytes[19] == UInt8(ascii: ",") { bytes[19] = UInt8(ascii: ".") }
        guard let (fraction, rest) = fraction(bytes[19...]) else { return nil }
        let zone = CSVFields.trimmed(rest)
        if zone.isEmpty { return (Double(date) + fraction, false) }
        return anyZone(zone).map { (Double(date - $0) + fraction, true) }
    }

    /// `Thu, 26 Nov 2026 10:00:00 GMT`, whatever the day of the week and the zone.
    static func parseHTTP(_ text: ArraySlice<UInt8>) -> Double? {
        let parts = text.split { $0 == 0x20 || $0 == UInt8(ascii: ",") }
        let date = parts.count == 6 ? parts[1...] : parts[...]
        guard date.count == 5, let start = date.indices.first, date[start + 3].count == 8, date[start + 2].count == 4,
            date[start].count <= 2, let day = digits(date[start]), let year = digits(date[start + 2]),
            let month = month(date[start + 1])
        else { return nil }
        let clockText = Array(date[start + 3])
        guard clockText[2] == UInt8(ascii: ":"), clockText[5] == UInt8(ascii: ":"),
            let time = clock(clockText[0..<2], clockText[3..<5], clockText[6..<8]),
            let days = days(year: year, month: month, day: day), let offset = anyZone(date[start + 4])
        else { return nil }
        return Double(days * 86_400 + time - offset)
    }

    /// Year, month, day and a time in whole seconds: `2009-07-24T19:20:30`, whatever byte stands before the time.
    private static func calendar(_ bytes: [UInt8], separator: Unicode.Scalar) -> Int? {
        let separator = UInt8(ascii: separator)
        guard bytes.count >= 19, bytes.count <= 64, bytes[4] == separator, bytes[7] == separator,
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]), let day = digits(bytes[8..<10]),
            let time = clock(bytes[11..<13], bytes[14..<16], bytes[17..<19]),
            let days = days(year: year, month: month, day: day)
        else { return nil }
        return days * 86_400 + time
    }

    /// Decimals of seconds after a point, if any, and the text after them.
    private static func fraction(_ text: ArraySlice<UInt8>) -> (Double, rest: ArraySlice<UInt8>)? {
        guard text.first == UInt8(ascii: ".") else { return (0, text) }
        let decimals = text.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard !decimals.isEmpty, let value = Double("0." + String(decoding: decimals, as: UTF8.self)) else {
            return nil
        }
        return (value, text[decimals.endIndex...])
    }

    /// `Z`, `UTC` or `GMT`, `+01:00`, `+0100` or `+01`.
    private static func anyZone(_ text: ArraySlice<UInt8>) -> Int? {
        if ["UTC", "GMT"].contains(String(decoding: text, as: UTF8.self).uppercased()) { return 0 }
        return isoZone(Array(text) + (text.count == 3 ? Array("00".utf8) : []))
    }

    private static func isoZone(_ text: [UInt8]) -> Int? {
        switch text.count {
        case 1: text[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil
        case 5: zone(text[0], text[1..<3], text[3..<5])
        case 6: text[3] == UInt8(ascii: ":") ? zone(text[0], text[1..<3], text[4..<6]) : nil
        default: nil
        }
    }

    /// Seconds east of Greenwich.
    private static func zone(_ sign: UInt8, _ hours: ArraySlice<UInt8>, _ minutes: ArraySlice<UInt8>) -> Int? {
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(hours), hours < 24,
            let minutes = digits(minutes), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }

    private static func clock(
        _ hour: ArraySlice<UInt8>, _ minute: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>
    ) -> Int? {
        guard let hour = digits(hour), hour < 24, let minute = digits(minute), minute < 60,
            let second = digits(second), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func digits(_ text: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// Days before each month in an ordinary year; the last value is the whole year.
    private static let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

    /// Days since 1970 by the Gregorian calendar; `nil` if the month doesn't have the day.
    private static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = daysBefore[month] - daysBefore[month - 1] + (isLeap && month == 2 ? 1 : 0)
        guard (1...length).contains(day) else { return nil }
        // Leap days before the year; year 0 has one.
        let before = year == 0 ? 0 : (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
        let ofYear = daysBefore[month - 1] + (isLeap && month > 2 ? 1 : 0)
        return year * 365 + before + ofYear + day - 1 - 719_528
    }
}

/// A date as programs write it: ISO 8601 with `T` or a space, decimals after a point or a comma, with or without a
/// zone; as in HTTP (`Thu, 26 Nov 2026 10:00:00 GMT`) and in Apache's logs; or seconds since 1970, also in thousandths,
/// millionths or billionths.
struct LooseDate {
    let seconds: Double
    /// Whether the date has a zone; without one it is taken as UTC.
    let hasZone: Bool

    init?(_ text: ArraySlice<UInt8>) {
        let text = CSVFields.trimmed(text)
        if let seconds = Self.seconds(ofNumber: text) {
            (self.seconds, hasZone) = (seconds, true)
        } else if let seconds = LogDate.parseISO8601(text) ?? LogDate.parse(text) ?? LogDate.parseHTTP(text) {
            (self.seconds, hasZone) = (seconds, true)
        } else if let date = LogDate.parseLoosely(text) {
            self = LooseDate(seconds: date.seconds, hasZone: date.hasZone)
        } else {
            return nil
        }
    }

    /// `26/Nov/2026 10:00:00`, `26/Nov/2026:10:00:00.655` or `26.11.2026 10:00:00`, without a zone.
    init?(dayFirst text: ArraySlice<UInt8>) {
        let parts = text.prefix(10).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].count == 4 {
            let ordered = Array(parts.reversed().joined(separator: [UInt8(ascii: "-")])) + text.dropFirst(10)
            guard let date = LogDate.parseWithoutZone(ordered[...]) else { return nil }
            self.init(seconds: date, hasZone: false)
            return
        }
        guard text.count >= 20,
            let zoned = LogDate.parse(Array(text.prefix(11)) + [0x3A] + text.dropFirst(12) + Array(" +0000".utf8))
        else { return nil }
        self.init(seconds: zoned, hasZone: false)
    }

    private init(seconds: Double, hasZone: Bool) { (self.seconds, self.hasZone) = (seconds, hasZone) }

    /// Seconds since 1970, in any unit.
    private static func seconds(ofNumber text: ArraySlice<UInt8>) -> Double? {
        guard let number = DecimalText.number(text) else { return nil }
        switch number {
        case ..<1e11: return number
        case ..<1e14: return number / 1e3
        case ..<1e17: return number / 1e6
        default: return number / 1e9
        }
    }
}
