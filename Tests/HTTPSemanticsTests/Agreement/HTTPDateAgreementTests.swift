import HTTPAgreement
import Testing

@Suite("Agreement on HTTP-dates") struct HTTPDateAgreementTests {
    @Test("both readings of a date agree on many inputs") func bothReadingsOfADateAgreeOnManyInputs() {
        expectAgreement(on: "HTTP-date", seed: 0xDA7E, make: Self.date) { maker, input in
            // Three clocks in four are in the first half of this century, like a cache's clock.
            let now =
                maker.chance(75) ? 1_795_000_000 + Int64(maker.below(1 << 26)) : Int64(maker.below(253_402_300_800))
            // EveryDayTests compares writing with the C library for every day; this includes the years before 1970.
            if maker.chance(10) {
                let written = Agreement.httpDate(writing: Int64(maker.below(320_000_000_000)) - 65_000_000_000)
                if case .broken = written { return written }
            }
            return .httpDate(input, now: now)
        }
    }

    /// One of the three formats with fields inside their ranges or just beyond, one in three of them damaged.
    private static func date(_ maker: inout InputMaker) -> [UInt8] {
        var text: [UInt8]
        let year = maker.chance(70) ? [UInt8]("20".utf8) + maker.digits(2) : maker.digits(4)
        let time = maker.chance(70) ? twoDigits(maker.below(24)) + minutes(&maker) : maker.pick(rareTimes)
        switch maker.below(3) {
        case 0:
            text = maker.pick(dayNames) + comma + day(&maker) + space + maker.pick(monthNames) + space + year + space
            text += time + zone
        case 1:
            text = maker.pick(longDayNames) + comma + day(&maker) + dash + maker.pick(monthNames) + dash
            text += maker.digits(2) + space + time + zone
        default:
            text = maker.pick(dayNames) + space + maker.pick(monthNames) + space
            text += maker.chance(50) ? space + maker.digits(1) : day(&maker)
            text += space + time + space + year
        }
        if maker.chance(20) { maker.recase(&text) }
        if maker.chance(33) { maker.mutate(&text) }
        return text
    }

    private static func day(_ maker: inout InputMaker) -> [UInt8] {
        twoDigits(maker.chance(80) ? 1 + maker.below(28) : maker.below(34))
    }

    private static func minutes(_ maker: inout InputMaker) -> [UInt8] {
        colon + twoDigits(maker.below(60)) + colon + twoDigits(maker.below(60))
    }

    private static func twoDigits(_ number: Int) -> [UInt8] { [UInt8(0x30 + number / 10), UInt8(0x30 + number % 10)] }

    private static let space = [UInt8](" ".utf8)
    private static let comma = [UInt8](", ".utf8)
    private static let dash = [UInt8]("-".utf8)
    private static let colon = [UInt8](":".utf8)
    private static let zone = [UInt8](" GMT".utf8)
    private static let rareTimes = words(
        "00:00:00", "23:59:59", "23:59:60", "23:59:61", "22:59:60", "23:58:60", "24:00:00", "12:60:00", "08:49:37")
    private static let dayNames = words("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
    private static let longDayNames = words(
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
    private static let monthNames = words(
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
}
