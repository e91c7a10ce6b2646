import Platform

/// Reads the numbers and keys of traces strictly: without sign, space or exponent.
package enum DecimalText {
    /// A decimal integer without leading zeros.
    package static func integer(_ text: ArraySlice<UInt8>) -> UInt64? {
        guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else { return nil }
        var value: UInt64 = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = product.addingReportingOverflow(UInt64(byte - 0x30))
            if overflowed || overflowedToo { return nil }
            value = sum
        }
        return value
    }

    /// Digits, with at most one point among or after them.
    package static func number(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.first != UInt8(ascii: "."), text.count <= 40,
            text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(String(decoding: text, as: UTF8.self))
    }

    /// A 64-bit hash of a text: FNV-1a, finished by ``SplitMix64``. Among a million texts, any two collide with a
    /// probability of 1 in 37 million.
    package static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
        // Looping over a text's bytes through its protocol would take a quarter of the time of reading a log.
        splitMixed(text.withContiguousStorageIfAvailable { fnv1a($0) } ?? fnv1a(text))
    }
}

extension String {
    /// The text, padded with trailing spaces to at least `width` characters.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text, padded with leading spaces to at least `width` characters.
    package func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// Dates in the header fields of the virtual origin.
package enum HTTPDateText {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

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
