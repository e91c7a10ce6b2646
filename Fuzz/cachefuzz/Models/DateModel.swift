/// The dates in archives, as seconds since 1970: a second reader, which splits texts at their separators.
///
/// `2026-11-26T10:00:00.5+01:00` with `T` or a space, `-` or `/`, a point or a comma, and any zone or none, which is
/// UTC; `26/Nov/2026:10:00:00 +0100`; `Thu, 26 Nov 2026 10:00:00 GMT`; or a number of seconds, thousandths, millionths
/// or billionths, whichever puts it before the year 5138.
enum DateModel {
    /// The seconds of a text of at most 64 bytes, perhaps with spaces and tabs around it.
    static func seconds(_ text: [UInt8]) -> Double? {
        guard text.count <= 64 else { return nil }
        let text = trimmed(text[...])
        return number(text) ?? yearFirst(text) ?? apache(text) ?? http(text)
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Double? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.count <= 40, parts.count <= 2, let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.allSatisfy(isDigit) }), let value = Double(String(decoding: text, as: UTF8.self))
        else { return nil }
        let units = [1, 1e3, 1e6].first { value < 1e11 * $0 } ?? 1e9
        return value / units
    }

    static func yearFirst(_ text: ArraySlice<UInt8>) -> Double? {
        guard let middle = text.firstIndex(where: { [0x54, 0x74, 0x20].contains($0) }) else { return nil }
        let date = text[..<middle]
        let marks = date.filter { !isDigit($0) }
        guard marks == [UInt8(ascii: "-"), UInt8(ascii: "-")] || marks == [UInt8(ascii: "/"), UInt8(ascii: "/")]
        else { return nil }
        let parts = date.split(omittingEmptySubsequences: false) { !isDigit($0) }
        guard parts.map(\.count) == [4, 2, 2],
            let days = days(digits(parts[0], 4...4), digits(parts[1], 2...2), digits(parts[2], 2...2)),
            let (clock, rest) = clock(text[(middle + 1)...], points: ".,")
        else { return nil }
        let name = trimmed(rest)
        guard let offset = name.isEmpty ? 0 : zone(name) else { return nil }
        return Double(days * 86_400 + clock.seconds - offset) + clock.fraction
    }

    static func apache(_ text: ArraySlice<UInt8>) -> Double? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let parts = text[..<colon].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, let days = days(digits(parts[2], 4...4), month(parts[1]), digits(parts[0], 2...2)),
            let (clock, rest) = clock(text[(colon + 1)...], points: "."), rest.first == 0x20, rest.count == 6,
            let offset = zone(rest.dropFirst())
        else { return nil }
        return Double(days * 86_400 + clock.seconds - offset) + clock.fraction
    }

    /// The first of six words may be anything: it is the day of the week.
    private static func http(_ text: ArraySlice<UInt8>) -> Double? {
        let words = text.split { $0 == 0x20 || $0 == UInt8(ascii: ",") }
        guard 5...6 ~= words.count else { return nil }
        let date = Array(words.suffix(5))
        guard let days = days(digits(date[2], 4...4), month(date[1]), digits(date[0], 1...2)),
            let (clock, rest) = clock(date[3], points: ""), rest.isEmpty, let offset = zone(date[4])
        else { return nil }
        return Double(days * 86_400 + clock.seconds - offset)
    }

    /// A clock time, perhaps with decimals after a point, and the text after it.
    private static func clock(
        _ text: ArraySlice<UInt8>, points: String
    ) -> (clock: (seconds: Int, fraction: Double), rest: ArraySlice<UInt8>)? {
        let parts = text.prefix(8).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = digits(parts[0], 2...2), let minutes = digits(parts[1], 2...2),
            let seconds = digits(parts[2], 2...2), hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        let whole = (hours * 60 + minutes) * 60 + seconds
        let rest = text.dropFirst(8)
        guard let point = rest.first, points.utf8.contains(point) else { return ((whole, 0), rest) }
        let decimals = rest.dropFirst().prefix(while: isDigit)
        guard !decimals.isEmpty, let fraction = Double("0." + String(decoding: decimals, as: UTF8.self)) else {
            return nil
        }
        return ((whole, fraction), rest[decimals.endIndex...])
    }

    /// Seconds east of Greenwich: `Z`, `UTC` or `GMT`, `+01:00`, `+0100` or `+01`.
    private static func zone(_ name: ArraySlice<UInt8>) -> Int? {
        if ["z", "utc", "gmt"].contains(where: { $0.utf8.elementsEqual(name.map(small)) }) { return 0 }
        guard let sign = name.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var places = Array(name.dropFirst())
        if places.count == 5, places[2] == UInt8(ascii: ":") { places.remove(at: 2) }
        if places.count == 2 { places += [0x30, 0x30] }
        guard places.count == 4, let hours = digits(places[..<2], 2...2), let minutes = digits(places[2...], 2...2),
            hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    /// Days since 1970. Years begin in March, so that a leap day is their last.
    private static func days(_ year: Int?, _ month: Int?, _ day: Int?) -> Int? {
        guard let year, let month, let day, 1...12 ~= month else { return nil }
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let longest = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard 1...longest ~= day else { return nil }
        // 400 years later, to divide positive numbers.
        let marchYear = year + 400 - (month <= 2 ? 1 : 0)
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + ofYear - 719_468 - 146_097
    }

    private static func month(_ name: ArraySlice<UInt8>) -> Int? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return names.firstIndex { $0.utf8.elementsEqual(name.map(small)) }.map { $0 + 1 }
    }

    private static func digits(_ text: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
        count.contains(text.count) && text.allSatisfy(isDigit) ? text.reduce(0) { 10 * $0 + Int($1 & 0xF) } : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
