/// Reads an HTTP-date as an engineer would who wants it fast and easy to follow: the length tells the format, every
/// character has its place, and days are counted without a table. Same results as `HTTPDate.parse`.
enum PlainHTTPDate {
    /// The seconds since 1970; `nil` if the bytes are no HTTP-date.
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        switch bytes.count {
        case 29: imfFixdate(bytes)
        case 24: asctime(bytes)
        case 30...33: rfc850(bytes, now: now)
        default: nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    @inline(__always)
    private static func imfFixdate(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard isShortDay(text), text[3] == comma, text[4] == space, text[7] == space, text[11] == space,
            text[16] == space, text[25] == space, isZone(text, at: 26),
            let day = twoDigits(text, at: 5), let month = month(text, at: 8),
            let century = twoDigits(text, at: 12), let year = twoDigits(text, at: 14),
            let time = time(text, at: 17)
        else { return nil }
        return seconds(year: century * 100 + year, month, day, time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    @inline(__always)
    private static func asctime(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard isShortDay(text), text[3] == space, text[7] == space, text[10] == space, text[19] == space,
            let month = month(text, at: 4),
            let day = text[8] == space ? digit(text, at: 9) : twoDigits(text, at: 8),
            let time = time(text, at: 11),
            let century = twoDigits(text, at: 20), let year = twoDigits(text, at: 22)
        else { return nil }
        return seconds(year: century * 100 + year, month, day, time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    @inline(__always)
    private static func rfc850(_ text: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        let name = text.count - 24
        guard isLongDay(text, count: name), text[name] == comma, text[name + 1] == space, text[name + 4] == dash,
            text[name + 8] == dash, text[name + 11] == space, text[name + 20] == space, isZone(text, at: name + 21),
            let day = twoDigits(text, at: name + 2), let month = month(text, at: name + 5),
            let year = twoDigits(text, at: name + 9), let time = time(text, at: name + 12)
        else { return nil }
        let now = min(max(now, 0), 253_402_300_799)
        let today = civil(days: now / 86_400)
        let fullYear = today.year / 100 * 100 + year
        guard let moment = seconds(year: fullYear, month, day, time) else { return nil }
        // More than 50 years ahead on the calendar means the century before.
        let isLimitMissing = today.month == 2 && today.day == 29 && !isLeap(today.year + 50)
        let limitDay = days(year: today.year + 50, today.month, today.day)
        let limit = limitDay * 86_400 + (isLimitMissing ? -1 : now % 86_400)
        return moment <= limit ? moment : seconds(year: fullYear - 100, month, day, time)
    }

    // MARK: Parts

    @inline(__always)
    private static func digit(_ text: UnsafeRawBufferPointer, at place: Int) -> Int64? {
        let digit = text[place] &- 0x30
        return digit <= 9 ? Int64(digit) : nil
    }

    @inline(__always)
    private static func twoDigits(_ text: UnsafeRawBufferPointer, at place: Int) -> Int64? {
        let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
        return tens <= 9 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
    }

    /// The seconds of `08:49:37`; 23:59:60 is a leap second.
    @inline(__always)
    private static func time(_ text: UnsafeRawBufferPointer, at place: Int) -> Int64? {
        guard text[place + 2] == colon, text[place + 5] == colon, let hour = twoDigits(text, at: place),
            let minute = twoDigits(text, at: place + 3), let second = twoDigits(text, at: place + 6),
            hour < 24, minute < 60, second < 60 || (hour == 23 && minute == 59 && second == 60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Three letters in lower case, in one number. The bit 0x20 turns a capital into a small letter, and nothing else
    /// into one.
    @inline(__always)
    private static func letters(_ text: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
        UInt32(text[place]) << 16 | UInt32(text[place + 1]) << 8 | UInt32(text[place + 2]) | 0x20_20_20
    }

    /// Compares with all seven days, since the branches of a switch would be mispredicted.
    @inline(__always)
    private static func isShortDay(_ text: UnsafeRawBufferPointer) -> Bool {
        let day = letters(text, at: 0)
        func isEqual(_ name: UInt32) -> Int { day == name ? 1 : 0 }
        // sun, mon, tue, wed, thu, fri, sat
        return isEqual(0x73_75_6E) + isEqual(0x6D_6F_6E) + isEqual(0x74_75_65) + isEqual(0x77_65_64)
            + isEqual(0x74_68_75) + isEqual(0x66_72_69) + isEqual(0x73_61_74) == 1
    }

    @inline(__always)
    private static func isLongDay(_ text: UnsafeRawBufferPointer, count: Int) -> Bool {
        let name: StaticString
        switch letters(text, at: 0) {
        case 0x73_75_6E: name = "sunday"
        case 0x6D_6F_6E: name = "monday"
        case 0x74_75_65: name = "tuesday"
        case 0x77_65_64: name = "wednesday"
        case 0x74_68_75: name = "thursday"
        case 0x66_72_69: name = "friday"
        case 0x73_61_74: name = "saturday"
        default: return false
        }
        guard name.utf8CodeUnitCount == count else { return false }
        for index in 3..<count where text[index] | 0x20 != name.utf8Start[index] { return false }
        return true
    }

    @inline(__always)
    private static func isZone(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
        letters(text, at: place) == 0x67_6D_74  // gmt
    }

    @inline(__always)
    private static func month(_ text: UnsafeRawBufferPointer, at place: Int) -> Int64? {
        switch letters(text, at: place) {
        case 0x6A_61_6E: 1  // jan
        case 0x66_65_62: 2  // feb
        case 0x6D_61_72: 3  // mar
        case 0x61_70_72: 4  // apr
        case 0x6D_61_79: 5  // may
        case 0x6A_75_6E: 6  // jun
        case 0x6A_75_6C: 7  // jul
        case 0x61_75_67: 8  // aug
        case 0x73_65_70: 9  // sep
        case 0x6F_63_74: 10  // oct
        case 0x6E_6F_76: 11  // nov
        case 0x64_65_63: 12  // dec
        default: nil
        }
    }

    // MARK: The calendar

    @inline(__always)
    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    @inline(__always)
    private static func seconds(year: Int64, _ month: Int64, _ day: Int64, _ time: Int64) -> Int64? {
        // July and August both have 31 days.
        let last = month == 2 ? (isLeap(year) ? 29 : 28) : 30 + (month + month / 8) % 2
        guard day >= 1, day <= last else { return nil }
        return days(year: year, month, day) * 86_400 + time
    }

    /// Days since 1970, counted in years that begin in March, in eras of 400 years.
    @inline(__always)
    private static func days(year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // 400 years more keep the first two months of year 0 positive.
        let year = year + (month <= 2 ? 399 : 400)
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468 - 146_097
    }

    /// The date of a day since 1970.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let (era, dayOfEra) = (days / 146_097, days % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static let comma = UInt8(ascii: ",")
    private static let space = UInt8(ascii: " ")
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
}
