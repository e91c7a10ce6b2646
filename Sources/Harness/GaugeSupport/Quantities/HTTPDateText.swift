import Platform

/// Dates in the header fields of the virtual origin.
package enum HTTPDateText {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The IMF-fixdate (RFC 9110, section 5.6.7) of a moment in seconds since 1970, between the years 1 and 9999.
    package static func at(_ moment: Int64) -> String {
        var seconds = time_t(moment)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let (day, month) = (days[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        let year = String(Int(parts.tm_year) + 1900)
        return "\(day), \(two(parts.tm_mday)) \(month) \(String(repeating: "0", count: max(0, 4 - year.count)))\(year) "
            + "\(time) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
