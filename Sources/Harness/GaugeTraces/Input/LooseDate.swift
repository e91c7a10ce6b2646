import GaugeSupport

/// A date as programs write it: ISO 8601 with `T` or a space, decimals after a point or a comma, with a zone or none; as in
/// HTTP (`Thu, 26 Nov 2026 10:00:00 GMT`) and in Apache's logs; or seconds since 1970, also in thousandths, millionths or
/// billionths.
struct LooseDate {
    let seconds: Double
    /// Whether the date names its zone; without one it is taken as UTC.
    let hasZone: Bool

    init?(_ text: ArraySlice<UInt8>) {
        let text = CSVFields.trimmed(text)
        if let seconds = Self.seconds(ofNumber: text) {
            (self.seconds, hasZone) = (seconds, true)
        } else if let seconds = LogDate.parseISO8601(text) ?? LogDate.parse(text) ?? LogDate.parseHTTP(text) {
            (self.seconds, hasZone) = (seconds, true)
        } else if let date = LogDate.parseLoosely(text) {
            self = LooseDate(seconds: date.seconds, hasZone: date.hasZone)
        } else {
            return nil
        }
    }

    /// `26/Nov/2026 10:00:00` or `26/Nov/2026:10:00:00.655`, without a zone, as logs write a date and a clock time; or
    /// `26.11.2026 10:00:00`.
    init?(dayFirst text: ArraySlice<UInt8>) {
        let parts = text.prefix(10).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count == 3, parts[2].count == 4 {
            let ordered = Array(parts.reversed().joined(separator: [UInt8(ascii: "-")])) + text.dropFirst(10)
            guard let date = LogDate.parseWithoutZone(ordered[...]) else { return nil }
            self.init(seconds: date, hasZone: false)
            return
        }
        guard text.count >= 20,
            let zoned = LogDate.parse(Array(text.prefix(11)) + [0x3A] + text.dropFirst(12) + Array(" +0000".utf8))
        else { return nil }
        self.init(seconds: zoned, hasZone: false)
    }

    private init(seconds: Double, hasZone: Bool) { (self.seconds, self.hasZone) = (seconds, hasZone) }

    /// Seconds since 1970, in whatever unit they are written.
    private static func seconds(ofNumber text: ArraySlice<UInt8>) -> Double? {
        guard let number = DecimalText.number(text) else { return nil }
        switch number {
        case ..<1e11: return number
        case ..<1e14: return number / 1e3
        case ..<1e17: return number / 1e6
        default: return number / 1e9
        }
    }
}
