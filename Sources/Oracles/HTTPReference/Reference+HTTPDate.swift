extension Reference {
    /// The three formats of `HTTP-date` (RFC 9110, section 5.6.7). The case of letters is ignored, as RFC 9111, section
    /// 4.2, demands of a cache, and the name of the day need not match the date.
    public enum HTTPDate {
        /// The time in seconds since 1970; `nil` if `bytes` are not an HTTP-date.
        ///
        /// - Parameter now: decides the century of a two-digit year; a time outside the years 1970 to 9999 counts as
        ///   the nearest one inside.
        public static func parse(_ bytes: [UInt8], now: Int64) -> Int64? {
            imfFixdate(bytes) ?? rfc850Date(bytes, now: now) ?? asctimeDate(bytes)
        }

        /// `IMF-fixdate` of `seconds`; `nil` outside the years 0 to 9999.
        public static func format(_ seconds: Int64) -> [UInt8]? {
            let (days, time) = split(seconds)
            guard let date = CivilDate(daysSince1970: days) else { return nil }
            var text = dayNames[date.weekday]
            text += [0x2C, 0x20] + digits(date.day, 2) + [0x20] + monthNames[date.month - 1] + [0x20]
            text += digits(date.year, 4) + [0x20] + digits(time / 3600, 2) + [0x3A]
            text += digits(time / 60 % 60, 2) + [0x3A] + digits(time % 60, 2) + [0x20] + gmt
            return text
        }

        /// `IMF-fixdate = day-name "," SP day SP month SP year SP time-of-day SP GMT`
        private static func imfFixdate(_ bytes: [UInt8]) -> Int64? {
            var reader = Reader(bytes)
            guard reader.read(oneOf: dayNames) != nil, reader.read(0x2C), reader.read(0x20),
                let day = reader.readDigits(2), reader.read(0x20),
                let month = reader.read(oneOf: monthNames), reader.read(0x20),
                let year = reader.readDigits(4), reader.read(0x20),
                let time = timeOfDay(&reader), reader.read(0x20), reader.read(word: gmt), reader.isAtEnd,
                let date = CivilDate(year: year, month: month + 1, day: day)
            else { return nil }
            return date.daysSince1970 * 86_400 + time
        }

        /// `rfc850-date = day-name-l "," SP 2DIGIT "-" month "-" 2DIGIT SP time-of-day SP GMT`
        private static func rfc850Date(_ bytes: [UInt8], now: Int64) -> Int64? {
            var reader = Reader(bytes)
            guard reader.read(oneOf: longDayNames) != nil, reader.read(0x2C), reader.read(0x20),
                let day = reader.readDigits(2), reader.read(0x2D),
                let month = reader.read(oneOf: monthNames), reader.read(0x2D),
                let year = reader.readDigits(2), reader.read(0x20),
                let time = timeOfDay(&reader), reader.read(0x20), reader.read(word: gmt), reader.isAtEnd
            else { return nil }
            return resolve(year: year, month: month + 1, day: day, time: time, now: now)
        }

        /// `asctime-date = day-name SP month SP ( 2DIGIT / ( SP 1DIGIT ) ) SP time-of-day SP year`
        private static func asctimeDate(_ bytes: [UInt8]) -> Int64? {
            var reader = Reader(bytes)
            guard reader.read(oneOf: dayNames) != nil, reader.read(0x20),
                let month = reader.read(oneOf: monthNames), reader.read(0x20),
                let day = reader.read(0x20) ? reader.readDigits(1) : reader.readDigits(2), reader.read(0x20),
                let time = timeOfDay(&reader), reader.read(0x20),
                let year = reader.readDigits(4), reader.isAtEnd,
                let date = CivilDate(year: year, month: month + 1, day: day)
            else { return nil }
            return date.daysSince1970 * 86_400 + time
        }

        /// `time-of-day = hour ":" minute ":" second`, from 00:00:00 to 23:59:60, the leap second.
        private static func timeOfDay(_ reader: inout Reader) -> Int64? {
            guard let hour = reader.readDigits(2), reader.read(0x3A),
                let minute = reader.readDigits(2), reader.read(0x3A),
                let second = reader.readDigits(2), hour < 24, minute < 60,
                second < 60 || (hour == 23 && minute == 59 && second == 60)
            else { return nil }
            return Int64(hour * 3600 + minute * 60 + second)
        }

        /// A date with a two-digit year: in the century of `now`, or the one before if it would otherwise be more than
        /// 50 years after `now`. Exactly 50 years, to the second, is not more.
        private static func resolve(year: Int, month: Int, day: Int, time: Int64, now: Int64) -> Int64? {
            let (nowDays, nowTime) = split(min(max(now, 0), latest))
            guard let today = CivilDate(daysSince1970: nowDays),
                let date = CivilDate(year: today.year / 100 * 100 + year, month: month, day: day)
            else { return nil }
            let limit = [today.year + 50, today.month, today.day, nowTime]
            // A leap second counts as 00:00:00 of the next day.
            let moment = date.daysSince1970 * 86_400 + time
            let (days, timeOfDay) = split(moment)
            guard let civil = CivilDate(daysSince1970: days) else { return moment }
            guard limit.lexicographicallyPrecedes([civil.year, civil.month, civil.day, timeOfDay]) else {
                return moment
            }
            return CivilDate(year: date.year - 100, month: month, day: day).map { $0.daysSince1970 * 86_400 + time }
        }

        /// 9999-12-31T23:59:59Z.
        static let latest: Int64 = 2_932_897 * 86_400 - 1

        /// The day and the second of the day, rounding towards the past.
        private static func split(_ seconds: Int64) -> (days: Int64, time: Int) {
            let days = seconds / 86_400
            let time = seconds % 86_400
            return time < 0 ? (days - 1, Int(time) + 86_400) : (days, Int(time))
        }

        private static func digits(_ number: Int, _ count: Int) -> [UInt8] {
            var digits = [UInt8](repeating: 0x30, count: count)
            var rest = number
            var index = count - 1
            while index >= 0 {
                digits[index] += UInt8(rest % 10)
                rest /= 10
                index -= 1
            }
            return digits
        }

        static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map { [UInt8]($0.utf8) }
        static let longDayNames = [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
        ].map { [UInt8]($0.utf8) }
        static let monthNames = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ].map { [UInt8]($0.utf8) }
        static let gmt = [UInt8]("GMT".utf8)
    }
}

/// A date of the proleptic Gregorian calendar, computed directly from the rule: a year has 365 days, and one more if it
/// is divisible by 4 but not by 100, or divisible by 400.
struct CivilDate: Equatable {
    var year: Int
    /// 1 is January.
    var month: Int
    var day: Int

    /// A date; `nil` if this day does not exist.
    init?(year: Int, month: Int, day: Int) {
        guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1,
            day <= Self.daysInMonth(month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date `daysSince1970` days after 1970-01-01; `nil` outside the years 0 to 9999.
    ///
    /// No year has more than 366 days, so at least `days / 366` whole years have passed. From there, years, then
    /// months, are counted one by one.
    init?(daysSince1970: Int64) {
        guard daysSince1970 >= -719_528, daysSince1970 <= 2_932_896 else { return nil }
        let days = Int(daysSince1970) + Self.daysBefore(year: 1970)
        year = days / 366
        while Self.daysBefore(year: year + 1) <= days { year += 1 }
        day = 1 + days - Self.daysBefore(year: year)
        month = 1
        while day > Self.daysInMonth(month, year: year) {
            day -= Self.daysInMonth(month, year: year)
            month += 1
        }
    }

    var daysSince1970: Int64 {
        var days = Self.daysBefore(year: year) - Self.daysBefore(year: 1970)
        var earlier = 1
        while earlier < month {
            days += Self.daysInMonth(earlier, year: year)
            earlier += 1
        }
        return Int64(days + day - 1)
    }

    /// 0 is Sunday. 1970-01-01 was a Thursday.
    var weekday: Int { Int((daysSince1970 % 7 + 7 + 4) % 7) }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Days from 0000-01-01 to the first day of `year`: 365 for every year before it, plus one for every leap year.
    /// Year 0 is the first of those.
    static func daysBefore(year: Int) -> Int {
        guard year > 0 else { return 0 }
        let last = year - 1
        return year * 365 + 1 + last / 4 - last / 100 + last / 400
    }

    static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
