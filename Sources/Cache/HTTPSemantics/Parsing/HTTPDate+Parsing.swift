// The length tells the formats apart, so each is a few loads at fixed offsets. Any defect sets a bit in one word, which
// is tested once, at the end. One mispredicted branch would cost more than all of it.
//
// Invariant of the loads: each reader below is called only for its length, and every offset it loads from ends inside.

extension HTTPDate {
    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        parse(RawSpan(_unsafeBytes: bytes), now: now)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    @usableFromInline
    static func parseIMFFixdate(_ bytes: RawSpan) -> Int64? {
        let day = loadEight(bytes, 0)  // `Sun, 06 `
        let year = loadEight(bytes, 8)  // `Nov 1994`
        let time = loadEight(bytes, 16)  // ` 08:49:3`
        let zone = loadEight(bytes, 21)  // `9:37 GMT`
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
    @usableFromInline
    static func parseAsctime(_ bytes: RawSpan) -> Int64? {
        let names = loadEight(bytes, 0)  // `Sun Nov `
        let time = loadEight(bytes, 8)  // ` 6 08:49`
        let year = loadEight(bytes, 16)  // `:37 1994`
        var wrong = (names & 0xFF00_0000_FF00_0000) ^ 0x2000_0000_2000_0000
        wrong |= (time & 0x0000_FF00_00FF_0000) ^ 0x0000_3A00_0020_0000
        wrong |= (year & 0x0000_0000_FF00_00FF) ^ 0x0000_0000_2000_003A
        wrong |= weekdayMismatch(names)
        // A day below ten follows a space, which one more bit turns into a zero.
        let padding: UInt64 = time & 0xFF == 0x20 ? 0x10 : 0
        let digits =
            (time & 0xFFFF | padding) | (time >> 8 & 0xFFFF_0000) | (time >> 16 & 0xFFFF_0000_0000)
            | (year << 40 & 0xFFFF_0000_0000_0000)
        return seconds(dayAndTime: digits, year: year >> 32, month: names >> 32, wrong: wrong)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`, whose last 24 bytes have fixed places.
    @usableFromInline
    static func parseRFC850(_ bytes: RawSpan, now: Int64) -> Int64? {
        let count = bytes.byteCount
        let day = loadEight(bytes, count &- 24)  // `, 06-Nov`
        let time = loadEight(bytes, count &- 16)  // `-94 08:4`
        let zone = loadEight(bytes, count &- 8)  // `9:37 GMT`
        var wrong = (day & 0x0000_00FF_0000_FFFF) ^ 0x0000_002D_0000_202C
        wrong |= (time & 0x00FF_0000_FF00_00FF) ^ 0x003A_0000_2000_002D
        wrong |= ((zone | 0x2020_2000_0000_0000) & 0xFFFF_FFFF_0000_FF00) ^ 0x746D_6720_0000_3A00
        wrong |= fullWeekdayMismatch(bytes, nameCount: count - 24)
        let digits =
            (day >> 16 & 0xFFFF) | (time >> 16 & 0xFFFF_0000)
            | ((time >> 24 & 0xFF_0000_0000) | (zone << 40 & 0xFF00_0000_0000))
            | (zone << 32 & 0xFFFF_0000_0000_0000)
        let names = day >> 40
        // Nearly every `now` is in the century from 2000, where a century more or less is 36,525 days.
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
        // Fifty years later there is no 29 February, so the last moment allowed is the end of the 28th.
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

    /// From 2000 to 2099, fifty calendar years are this many seconds, or a day more.
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
    ///   - wrong: not zero if something has already been found wrong.
    @inline(__always)
    private static func seconds(dayAndTime: UInt64, year: UInt64, month: UInt64, wrong: UInt64) -> Int64? {
        let low = dayAndTime ^ lanes(0x30)
        let high = (year & 0xFFFF_FFFF) ^ 0x3030_3030
        // Turns pairs of digits into numbers: day, hour, minute and second in 16 bits each; century and year of the
        // century.
        let pairs = ((low &* 10) &+ (low >> 8)) & 0x00FF_00FF_00FF_00FF
        let years = ((high &* 10) &+ (high >> 8)) & 0x00FF_00FF
        let century = years & 0xFF
        let yearOfCentury = years >> 16
        let leapDay: UInt64 = (yearOfCentury == 0 ? century : yearOfCentury) & 3 == 0 ? 1 : 0

        let entry = monthTable[monthSlot(month)]
        let length = (entry >> 24 & 0xFF) &+ (entry >> 32 & leapDay)
        let day = (pairs & 0xFF) &- 1
        // An hour over 23, or a minute or second over 59, carries into the top bit of its byte.
        let times = (pairs &+ 0x0044_0044_0068_0000) & 0x0080_0080_0080_0000
        let wrongName = (entry ^ (month | 0x20_2020)) << 40
        let wrongDay: UInt64 = day >= length ? 1 : 0
        guard wrong | wrongName | wrongDay | times | lanesAboveNine(low) | lanesAboveNine(high) == 0 else {
            return leapSecond(dayAndTime: dayAndTime, year: year, month: month, wrong: wrong)
        }

        // Days from 1 January of year 0, in three parts. A century is 36,525 days, a year 365, and one in four has one
        // more. Subtract one for each century begun, and add one for every fourth of them.
        let centuriesBegun = century &+ (yearOfCentury == 0 ? 0 : 1)
        let leapYears = (yearOfCentury &+ 3) >> 2 &+ (centuriesBegun &+ 3) >> 2 &- centuriesBegun
        let yearDays = century &* 36_525 &+ yearOfCentury &* 365 &+ leapYears
        let days = yearDays &+ entry >> 40 &+ (entry >> 33 & leapDay) &+ day
        let time = (pairs >> 16 & 0xFF) &* 3600 &+ (pairs >> 32 & 0xFF) &* 60 &+ pairs >> 48
        return Int64(truncatingIfNeeded: days &* 86_400 &+ time) &+ earliest
    }

    /// Like `seconds(dayAndTime:year:month:wrong:)`, for `23:59:60`, the second after 23:59:59; `nil` for any other
    /// time.
    @inline(never)
    private static func leapSecond(dayAndTime: UInt64, year: UInt64, month: UInt64, wrong: UInt64) -> Int64? {
        guard dayAndTime >> 16 == 0x3036_3935_3332 else { return nil }
        let before = dayAndTime & 0xFFFF | 0x3935_3935_3332 << 16
        return seconds(dayAndTime: before, year: year, month: month, wrong: wrong).map { $0 + 1 }
    }

    /// Zero if the low three bytes are the short name of a day.
    @inline(__always)
    private static func weekdayMismatch(_ word: UInt64) -> UInt64 {
        let name = word | 0x20_2020
        return (weekdayTable[weekdaySlot(name)] ^ name) << 40
    }

    /// Zero if the first `nameCount` bytes (6 to 9) are the full name of a day. Eight bytes are readable.
    @inline(__always)
    private static func fullWeekdayMismatch(_ bytes: RawSpan, nameCount: Int) -> UInt64 {
        let name = loadEight(bytes, 0) | lanes(0x20)
        let slot = weekdaySlot(name)
        let unread = UInt64(truncatingIfNeeded: max(8 &- nameCount, 0)) &* 8
        let last = bytes.unsafeLoad(fromUncheckedByteOffset: nameCount &- 1, as: UInt8.self) | 0x20
        let count = weekdayCounts &>> (UInt64(truncatingIfNeeded: slot) &* 8) & 0xFF
        let wrongName = ((name &<< unread) &>> unread) ^ weekdayTable[slot]
        return wrongName | UInt64(last ^ UInt8(ascii: "y")) | (count ^ UInt64(truncatingIfNeeded: nameCount))
    }

    // Multiply-shift hashes of the low three bytes, without collisions among the twelve and the seven names. Any other
    // name also gets a slot, but differs from the name there.
    @inline(__always)
    private static func monthSlot(_ name: UInt64) -> Int {
        Int(truncatingIfNeeded: ((UInt32(truncatingIfNeeded: name) | 0x20_2020) &* 0x0326_3300) >> 28)
    }

    @inline(__always)
    private static func weekdaySlot(_ name: UInt64) -> Int {
        Int(truncatingIfNeeded: (UInt32(truncatingIfNeeded: name) &* 0x414C_3500) >> 29)
    }

    /// By slot: the name in the low three bytes, the days of the month above it, bit 32 for February, bit 33 for later
    /// months, and from bit 40 on the days before the month.
    private static let monthTable: [UInt64] = [
        0x0001_4E02_1F63_6564, 0, 0x0000_D402_1F67_7561, 0x0001_1102_1F74_636F, 0x0000_B502_1F6C_756A, 0,
        0x0001_3002_1E76_6F6E, 0, 0x0000_3B02_1F72_616D, 0x0000_5A02_1E72_7061, 0x0000_9702_1E6E_756A,
        0x0000_0000_1F6E_616A, 0x0000_F302_1E70_6573, 0x0000_1F01_1C62_6566, 0x0000_7802_1F79_616D, 0,
    ]

    /// By slot: the first eight bytes of the full name.
    private static let weekdayTable: [UInt64] = [
        0x6164_7365_6E64_6577, 0x7961_6472_7574_6173, 0x0079_6164_7365_7574, 0, 0x0000_7961_646E_6F6D,
        0x0000_7961_6469_7266, 0x7961_6473_7275_6874, 0x0000_7961_646E_7573,
    ]

    /// By slot, a byte each: the length of the full name. Wednesday has slot 0.
    private static let weekdayCounts: UInt64 = 0x0608_0606_0007_0809
}
