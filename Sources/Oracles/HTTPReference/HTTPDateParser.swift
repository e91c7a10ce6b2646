/// A reader of HTTP-dates.
public protocol HTTPDateParser {
    /// Reads a date.
    ///
    /// - Parameters:
    ///   - bytes: any bytes, of any length.
    ///   - now: the current time in seconds since 1970; decides the century of a two-digit year.
    /// - Returns: seconds since 1970; `nil` if the bytes are not an HTTP-date.
    func parse(_ bytes: [UInt8], now: Int64) -> Int64?
}

extension HTTPDateParser {
    /// Where the parser differs from RFC 9110, section 5.6.7, on this input; takes time linear in the length.
    ///
    /// RFC 9111, section 4.2, wants the case of letters ignored. The name of the day need not match the date.
    public func disagreements(on bytes: [UInt8], now: Int64) -> [Disagreement] {
        let (read, expected) = (parse(bytes, now: now), Reference.HTTPDate.parse(bytes, now: now))
        guard read != expected else { return [] }
        let kind: String =
            switch (read, expected) {
            case (_?, nil): "takes for a date: " + Reference.HTTPDate.flaw(of: bytes, now: now)
            case (nil, let seconds?): "refuses " + Reference.HTTPDate.form(of: bytes, seconds)
            case (_, let seconds?): "reads as another time " + Reference.HTTPDate.form(of: bytes, seconds)
            case (nil, nil): ""
            }
        return [
            Disagreement(
                kind, parser: read.map { "\($0)" } ?? "no date", reference: expected.map { "\($0)" } ?? "no date",
                section: "RFC 9110, section 5.6.7")
        ]
    }
}

extension Reference.HTTPDate {
    /// Which of the three formats a date has, and what is unusual about it.
    static func form(of bytes: [UInt8], _ seconds: Int64) -> String {
        let isFixed = bytes.count == 29 && bytes[3] == 0x2C
        // 32 bits, with a sign or without, end there.
        let era = seconds < 0 ? " before 1970" : seconds >= 2_145_916_800 ? " after 2037" : ""
        let name = (isFixed ? "an IMF-fixdate" : bytes.count == 24 ? "an asctime date" : "an RFC 850 date") + era
        let isLeapSecond = bytes.indices.contains { bytes[$0...].starts(with: [0x3A, 0x36, 0x30]) }
        if isLeapSecond { return name + " with a leap second" }
        // The grammar allows two digits, and nobody writes them.
        if bytes.count == 24, bytes[8] == 0x30 { return name + " with a zero before the day" }
        let usual = forms(seconds)
        if usual.isEmpty || usual.contains(bytes) { return name }
        let isOtherCase = usual.map { $0.map(lowercase) }.contains(bytes.map(lowercase))
        return name + (isOtherCase ? " in letters of another case" : " with another day of the week")
    }

    /// The time as it is usually written in each of the three formats; empty outside the years 0 to 9999.
    private static func forms(_ seconds: Int64) -> [[UInt8]] {
        guard let fixed = format(seconds), let weekday = dayNames.firstIndex(of: Array(fixed[..<3])) else { return [] }
        let (day, month, year, time) = (fixed[5..<7], fixed[8..<11], fixed[12..<16], fixed[17..<25])
        let spacedDay = day.first == 0x30 ? [0x20] + day.suffix(1) : Array(day)
        let asctime = [Array(fixed[..<3]), Array(month), spacedDay, Array(time), Array(year)].joined(separator: [0x20])
        let date = [day, month, year.suffix(2)].joined(separator: [0x2D])
        return [fixed, Array(asctime), longDayNames[weekday] + [0x2C, 0x20] + date + [0x20] + time + [0x20] + gmt]
    }

    /// Why the bytes are not a date: the first of several changes that turns them into one shows it.
    static func flaw(of bytes: [UInt8], now: Int64) -> String {
        func isDate(_ bytes: [UInt8]) -> Bool { parse(bytes, now: now) != nil }
        if isDate(Array(bytes[trimWhitespace(bytes.indices, of: bytes)])) { return "spaces around it" }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return "a byte that is not printable ASCII" }
        if isDate(collapsed(bytes)) { return "more than one space" }
        if isDate(bytes + Array(" GMT".utf8)) { return "no GMT at the end" }
        let words = bytes.split(separator: 0x20)
        if let zone = words.last, words.count > 1 {
            let rest = bytes.dropLast(zone.count)
            if isDate(rest + gmt) { return "another zone than GMT" }
        }
        for count in [29, 24] where bytes.count > count && isDate(Array(bytes[..<count])) {
            return "more text behind it"
        }
        if let comma = bytes.firstIndex(of: 0x2C),
            isDate(Array("Sun".utf8) + bytes[comma...])
                || isDate(Array("Sunday".utf8) + bytes[comma...])
        {
            return "another name of a day"
        }
        // With other numbers it would be one.
        if isDate(bytes.map { isDigit($0) ? 0x31 : $0 }) { return "a day or a time that there is not" }
        return "none of the three formats"
    }

    private static func collapsed(_ bytes: [UInt8]) -> [UInt8] {
        var single: [UInt8] = []
        for byte in bytes where byte != 0x20 || single.last != 0x20 { single.append(byte) }
        return single
    }
}
