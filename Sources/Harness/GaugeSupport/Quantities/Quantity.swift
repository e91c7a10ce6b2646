import Foundation

/// Numbers for reports: three digits and a unit.
package enum Quantity {
    /// The text for a missing measurement.
    package static let missing = "–"

    package static let times = [(size: 1e9, name: " s"), (1e6, " ms"), (1e3, " µs"), (1, " ns")]
    package static let counts = [(size: 1e9, name: " G"), (1e6, " M"), (1e3, " k"), (1, "")]

    /// `12.3 ns`, `1.24 µs`, `342 ms`, `1.50 s`.
    package static func time(_ nanoseconds: Double?) -> String { scaled(nanoseconds, times) }

    /// `1 row`, `2 rows`.
    package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// `81.3 M`, `412 k`, `2.92`.
    package static func rate(_ perSecond: Double?) -> String { scaled(perSecond, counts) }

    /// `1.00×`, `352×`, `10334×`; small ones with two digits, `0.0083×`, down to `<0.001×`.
    package static func ratio(_ ratio: Double?) -> String {
        guard let ratio else { return missing }
        guard ratio > 0, ratio < 0.0995 else { return threeDigits(ratio) + "×" }
        return (ratio < 0.001 ? "<0.001" : decimal(ratio, ratio < 0.00995 ? 4 : 3)) + "×"
    }

    /// `±1.2 %`.
    package static func spread(_ part: Double?) -> String {
        part.map { $0 > 1 ? "±>100 %" : "±" + percent($0) } ?? missing
    }

    /// `71.3 %`, `1312 %`.
    package static func percent(_ part: Double) -> String {
        part.isFinite ? decimal(part * 100, part < 9.995 ? 1 : 0) + " %" : missing
    }

    /// A small part, with two decimals below one per cent: `0.50 %`, `3.0 %`.
    package static func smallPercent(_ part: Double) -> String {
        guard part.isFinite, abs(part) < 0.00995 else { return percent(part) }
        return decimal(part * 100, 2) + " %"
    }

    /// A change: `+3.0 %`, `-0.12 %`, `+0.013 %`; of exact counts, with two decimals up to 100 %.
    package static func change(_ part: Double, isExact: Bool = false) -> String {
        guard part.isFinite else { return missing }
        let sign = part < 0 ? "-" : "+"
        let size = abs(part)
        if size >= 0.000_005, size < 0.000_995 { return sign + decimal(size * 100, 3) + " %" }
        return sign + (isExact && size < 1 ? decimal(size * 100, 2) + " %" : smallPercent(size))
    }

    /// A change from this ratio: `+1.0 %`, or `6.93×` beyond half and twice.
    package static func change(ofRatio ratio: Double) -> String {
        (0.4995...2.0005).contains(ratio) ? change(ratio - 1) : self.ratio(ratio)
    }

    /// `+2.1 % to +3.9 %`: both ends of an interval.
    package static func ends(_ interval: ClosedRange<Double>?, _ text: (Double) -> String) -> String {
        interval.map { "\(text($0.lowerBound)) to \(text($0.upperBound))" } ?? missing
    }

    /// A count per operation: `0`, `1`, `0.03`.
    package static func each(_ number: Double?) -> String {
        guard let number else { return missing }
        if number == 0 { return "0" }
        if number < 0.005 { return "<0.01" }
        return abs(number - number.rounded()) < 0.005 ? decimal(number, 0) : decimal(number, 2)
    }

    /// A large count, with one decimal below a thousand: `38.2`, `1204`, `125 k`.
    package static func many(_ number: Double?) -> String {
        guard let number else { return missing }
        return number < 99_999.5
            ? decimal(number, number < 999.95 ? 1 : 0) : scaled(number, [(1e6, " M"), (1e3, " k")])
    }

    /// An axis label: `1 µs`, `20 M`, `0.5 ns`.
    package static func round(_ value: Double, _ units: [(size: Double, name: String)] = times) -> String {
        let unit = units.first { value >= $0.size * 0.9995 } ?? units[units.count - 1]
        return plain((value / unit.size * 1_000).rounded() / 1_000) + unit.name
    }

    /// A number of bytes that is a power of two: `64 KiB`, `1 GiB`.
    package static func binary(_ bytes: Double) -> String {
        let units = [(0x1p40, " TiB"), (0x1p30, " GiB"), (0x1p20, " MiB"), (0x1p10, " KiB"), (1, " B")]
        let scale = units.first { bytes >= $0.0 } ?? units[units.count - 1]
        return plain((bytes / scale.0 * 100).rounded() / 100) + scale.1
    }

    /// For programs: all significant digits, no exponent, a decimal point in every locale.
    package static func plain(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return withoutZeros(decimal(value, abs(value) < 1 ? 9 : 6))
    }

    /// The text of a number without zeros at the end of its fraction.
    package static func withoutZeros(_ number: String) -> String {
        var text = number
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") {
            if text.removeLast() == "." { break }
        }
        return text
    }

    private static func scaled(_ value: Double?, _ units: [(size: Double, name: String)]) -> String {
        guard let value else { return missing }
        // 999.6 of a unit would be rounded to 1000.
        let unit = units.first { value >= $0.size * 0.9995 } ?? units[units.count - 1]
        return threeDigits(value / unit.size) + unit.name
    }

    private static func threeDigits(_ value: Double) -> String {
        decimal(value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)
    }

    package static func decimal(_ value: Double, _ places: Int) -> String {
        // Some locales use a comma, and programs read this table, too.
        String(format: "%.\(places)f", locale: Locale(identifier: "en_US_POSIX"), value)
    }
}
