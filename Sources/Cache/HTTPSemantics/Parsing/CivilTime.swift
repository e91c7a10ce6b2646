/// A moment on the proleptic Gregorian calendar, UTC.
///
/// The conversions count from 1 March, so that the leap day ends the year. After Howard Hinnant, "chrono-compatible
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
        // Days from 1 March of the year -400, so that nothing is negative.
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

    /// Seconds since 1970. A day past the end of its month counts on into the next: 29 February of an ordinary year is
    /// 1 March. Years from 0000 to 99999.
    static func seconds(year: Int, month: Int, day: Int, secondOfDay: Int) -> Int64 {
        let marchYear = year + 400 - (month <= 2 ? 1 : 0)
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
        return Int64((days - 146_097 + 60) * 86_400 + secondOfDay) + HTTPDate.earliest
    }
}
