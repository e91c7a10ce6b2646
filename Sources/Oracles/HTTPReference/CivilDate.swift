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
    /// No year has more than 366 days, so at least `days / 366` whole years have passed. Years, then months, are
    /// counted one by one from that lower bound.
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

    /// Days from 1970-01-01 to this date.
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

    /// Days from 0000-01-01 to the first day of `year`: 365 for every year before it, and one more for every leap year,
    /// the first of which is year 0.
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
