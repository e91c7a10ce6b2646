extension Reference {
    /// The three formats of `HTTP-date` (RFC 9110, section 5.6.7). The case of letters is ignored, as RFC 9111, section
    /// 4.2, demands of a cache, and the name of the day need not match the date.
    public enum HTTPDate {
        /// The time in seconds since 1970; `nil` if `bytes` are not an HTTP-date.
        ///
        /// - Parameter now: decides the century of a two-digit year; a time outside the years 1970 to 9999 counts as the
        ///   nearest one inside.
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

        /// A date with a two-digit year: in the century of `now`, or in the one before if it would be more than 50
        /// years after `now`. Exactly 50 years, to the second, is not more.
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
