// The length tells the formats apart, so that each is a few loads at fixed offsets; what is wrong anywhere sets a bit in
// one word, which is looked at once, at the end. A mispredicted branch costs more than the whole of it.
//
// Invariant of the loads: each reader below is called for its length alone, and every offset it loads from ends inside.

extension HTTPDate {
    /// `parse(_:now:)` over a buffer.
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        guard let base = bytes.baseAddress else { return nil }
        switch bytes.count {
        case 29: return parseIMFFixdate(base)
        case 24: return parseAsctime(base)
        case 30...33: return parseRFC850(base, count: bytes.count, now: now)
        default: return nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func parseIMFFixdate(_ base: UnsafeRawPointer) -> Int64? {
        let day = loadEight(base, 0)  // `Sun, 06 `
        let year = loadEight(base, 8)  // `Nov 1994`
        let time = loadEight(base, 16)  // ` 08:49:3`
        let zone = loadEight(base, 21)  // `9:37 GMT`
        var wrong = (day & 0xFF00_00FF_FF00_0000) ^ 0x2000_0020_2C00_0000
        wrong |= (year & 0x0000_0000_FF00_0000) ^ 0x0000_0000_2000_0000
        wrong |= (time & 0x00FF_0000_FF00_00FF) ^ 0x003A_0000_3A00_0020
        wrong |= ((zone | 0x2020_2000_0000_0000) & 0xFFFF_FFFF_0000_FF00) ^ 0x746D_6720_0000_3A00
        wrong |= weekdayMismatch(day)
        let digits =
            (day >> 40 & 0xFFFF) | (time << 8 & 0xFFFF_0000) | (time & 0xFFFF_0000_0000)
            | (zone << 32 & 0xFFFF_0000_0000_0000)
        return seconds(dayAndTime: digits, year: year >> 32, month: year, wrong: wrong)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func parseAsctime(_ base: UnsafeRawPointer) -> Int64? {
        let names = loadEight(base, 0)  // `Sun Nov `
        let time = loadEight(base, 8)  // ` 6 08:49`
        let year = loadEight(base, 16)  // `:37 1994`
        var wrong = (names & 0xFF00_0000_FF00_0000) ^ 0x2000_0000_2000_0000
        wrong |= (time & 0x0000_FF00_00FF_0000) ^ 0x0000_3A00_0020_0000
        wrong |= (year & 0x0000_0000_FF00_00FF) ^ 0x0000_0000_2000_003A
        wrong |= weekdayMismatch(names)
        // A day below ten stands after a space, which one more bit makes a zero.
        let padding: UInt64 = time & 0xFF == 0x20 ? 0x10 : 0
        let digits =
            (time & 0xFFFF | padding) | (time >> 8 & 0xFFFF_0000) | (time >> 16 & 0xFFFF_0000_0000)
            | (year << 40 & 0xFFFF_0000_0000_0000)
        return seconds(dayAndTime: digits, year: year >> 32, month: names >> 32, wrong: wrong)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`, whose last 24 bytes have fixed places.
    private static func parseRFC850(_ base: UnsafeRawPointer, count: Int, now: Int64) -> Int64? {
        let day = loadEight(base, count - 24)  // `, 06-Nov`
        let time = loadEight(base, count - 16)  // `-94 08:4`
        let zone = loadEight(base, count - 8)  // `9:37 GMT`
        var wrong = (day & 0x0000_00FF_0000_FFFF) ^ 0x0000_002D_0000_202C
        wrong |= (time & 0x00FF_0000_FF00_00FF) ^ 0x003A_0000_2000_002D
        wrong |= ((zone | 0x2020_2000_0000_0000) & 0xFFFF_FFFF_0000_FF00) ^ 0x746D_6720_0000_3A00
        wrong |= fullWeekdayMismatch(base, nameCount: count - 24)
        let digits =
            (day >> 16 & 0xFFFF) | (time >> 16 & 0xFFFF_0000)
            | ((time >> 24 & 0xFF_0000_0000) | (zone << 40 & 0xFF00_0000_0000))
            | (zone << 32 & 0xFFFF_0000_0000_0000)
        let names = day >> 40
        // Nearly every `now` lies in the century from 2000, where a century more or less is 36,525 days.
        guard
            let date = seconds(dayAndTime: digits, year: 0x3032 | (time << 8 & 0xFFFF_0000), month: names, wrong: wrong)
        else { return nil }
        guard now >= startOf2000, now < startOf2100, !(nearlyFiftyYears...fiftyYears).contains(date - now) else {
            return inCentury(of: now, digits, time << 8 & 0xFFFF_0000, names, wrong)
        }
        return date - now > fiftyYears ? date - 36_525 * 86_400 : date
    }

    /// An RFC 850 date by the calendar, for any `now`.
    @inline(never)
    private static func inCentury(
        of now: Int64, _ dayAndTime: UInt64, _ yearOfCentury: UInt64, _ month: UInt64, _ wrong: UInt64
    ) -> Int64? {
        let present = CivilTime(min(max(now, 0), latest))
        // Fifty years on there is no 29 February: the last moment not yet beyond it ends the 28th.
        let isLeapDay = present.month == 2 && present.day == 29
        let limit = CivilTime.seconds(
            year: present.year + 50, month: present.month, day: present.day,
            secondOfDay: isLeapDay ? -1 : present.secondOfDay)
        func reading(century: Int) -> Int64? {
            let digits = UInt64(0x30 + century / 10) | UInt64(0x30 + century % 10) << 8
            return seconds(dayAndTime: dayAndTime, year: digits | yearOfCentury, month: month, wrong: wrong)
        }
        guard let date = reading(century: present.year / 100) else { return nil }
        return date > limit ? reading(century: present.year / 100 - 1) : date
    }

    /// From 2000 to 2099 fifty years on the calendar are this many seconds, or a day more.
    private static let nearlyFiftyYears: Int64 = 18_261 * 86_400
    private static let fiftyYears: Int64 = 18_263 * 86_400
    private static let startOf2000: Int64 = 946_684_800
    private static let startOf2100: Int64 = 4_102_444_800
}

// MARK: - The parts

extension HTTPDate {
    /// - Parameters:
    ///   - dayAndTime: the digits of day, hour, minute and second, two bytes each.
    ///   - year: the four digits of the year in the low half.
    ///   - month: the name of the month in the low three bytes.
    ///   - wrong: not zero when something has been found wrong already.
    @inline(__always)
    private static func seconds(dayAndTime: UInt64, year: UInt64, month: UInt64, wrong: UInt64) -> Int64? {
        let low = dayAndTime ^ lanes(0x30)
        let high = (year & 0xFFFF_FFFF) ^ 0x3030_3030
        var wrong = wrong | lanesAboveNine(low) | lanesAboveNine(high)

        // Pairs of digits to numbers: day, hour, minute and second in 16 bits each; century and year of the century.
        let pairs = ((low &* 10) &+ (low >> 8)) & 0x00FF_00FF_00FF_00FF
        let years = ((high &* 10) &+ (high >> 8)) & 0x00FF_00FF
        // An hour over 23, a minute over 59 or a second over 60 carries into the top bit of its byte.
        wrong |= (pairs &+ 0x0043_0044_0068_0000) & 0x0080_0080_0080_0000
        let isLeapSecond = pairs >> 48 == 60
        wrong |= isLeapSecond && pairs >> 16 != 0x003C_003B_0017 ? 1 : 0

        let century = years & 0xFF
        let yearOfCentury = years >> 16
        let isLeapYear = (yearOfCentury == 0 ? century : yearOfCentury) & 3 == 0

        let entry = monthTable[Int(monthSlot(month))]
        wrong |= (entry ^ (month | 0x20_2020)) & 0xFF_FFFF
        let monthNumber = entry >> 32 & 0xFF
        let leapDay: UInt64 = isLeapYear ? 1 : 0
        let length = (entry >> 24 & 0xFF) &+ (monthNumber == 2 ? leapDay : 0)
        let day = (pairs & 0xFF) &- 1
        wrong |= day >= length ? 1 : 0
        if wrong != 0 { return nil }

        // Days from 1 January of year 0: one leap year in four, less the centuries begun, plus every fourth of them.
        let fullYear = century &* 100 &+ yearOfCentury
        let centuriesBegun = century &+ (yearOfCentury == 0 ? 0 : 1)
        let yearDays = fullYear &* 365 &+ (fullYear &+ 3) >> 2 &- centuriesBegun &+ (centuriesBegun &+ 3) >> 2
        let days = yearDays &+ entry >> 40 &+ (monthNumber > 2 ? leapDay : 0) &+ day
        let time = (pairs >> 16 & 0xFF) &* 3600 &+ (pairs >> 32 & 0xFF) &* 60 &+ pairs >> 48
        return Int64(truncatingIfNeeded: days &* 86_400 &+ time) &+ earliest
    }

    /// Not zero unless the low three bytes are the short name of a day.
    @inline(__always)
    private static func weekdayMismatch(_ word: UInt64) -> UInt64 {
        let name = UInt32(truncatingIfNeeded: word) & 0xFF_FFFF | 0x20_2020
        return (weekdayTable[Int(weekdaySlot(name))] & 0xFF_FFFF) ^ UInt64(name)
    }

    /// Not zero unless the first `nameCount` bytes, 6 to 9, are the full name of a day. Eight bytes are readable.
    @inline(__always)
    private static func fullWeekdayMismatch(_ base: UnsafeRawPointer, nameCount: Int) -> UInt64 {
        let name = loadEight(base, 0) | lanes(0x20)
        let slot = Int(weekdaySlot(UInt32(truncatingIfNeeded: name) & 0xFF_FFFF))
        let unread = UInt64(truncatingIfNeeded: max(8 &- nameCount, 0)) &* 8
        let ninth = UInt64(loadByte(base, nameCount &- 1) | 0x20) ^ UInt64(UInt8(ascii: "y"))
        let count = weekdayCounts >> (UInt64(truncatingIfNeeded: slot) &* 8) & 0xFF
        let first = ((name << unread) >> unread) ^ weekdayTable[slot]
        return first | ninth | (count ^ UInt64(truncatingIfNeeded: nameCount))
    }

    // Multiply-shift hashes without a collision among the twelve and the seven names; every other name lands somewhere,
    // and differs from what is there.
    @inline(__always)
    private static func monthSlot(_ name: UInt64) -> UInt32 {
        ((UInt32(truncatingIfNeeded: name) & 0xFF_FFFF | 0x20_2020) &* 0x3B6F_E507) >> 28
    }

    @inline(__always)
    private static func weekdaySlot(_ name: UInt32) -> UInt32 { (name &* 0x8712_B8BD) >> 29 }

    /// By slot: the name in the low three bytes, then the days of the month, its number, and the days before it.
    private static let monthTable: [UInt64] = [
        0x00F3_091E_7065_73, 0, 0x0097_061E_6E75_6A, 0, 0, 0x00B5_071F_6C75_6A, 0x0000_011F_6E61_6A,
        0x005A_041E_7270_61, 0x001F_021C_6265_66, 0x0130_0B1E_766F_6E, 0, 0x003B_031F_7261_6D, 0x00D4_081F_6775_61,
        0x0111_0A1F_7463_6F, 0x014E_0C1F_6365_64, 0x0078_051F_7961_6D,
    ]

    /// By slot: the first eight bytes of the full name.
    private static let weekdayTable: [UInt64] = [
        0x0000_7961_646E_6F6D, 0x7961_6473_7275_6874, 0x6164_7365_6E64_6577, 0x7961_6472_7574_6173,
        0x0000_7961_646E_7573, 0x0079_6164_7365_7574, 0, 0x0000_7961_6469_7266,
    ]

    /// By slot, a byte each: the length of the full name. Monday has slot 0.
    private static let weekdayCounts: UInt64 = 0x0600_0706_0809_0806
}
