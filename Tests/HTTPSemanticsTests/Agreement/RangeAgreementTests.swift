import HTTPAgreement
import Testing

@Suite("Agreement on ranges") struct RangeAgreementTests {
    @Test("both readings of Range agree on many inputs") func bothReadingsOfRangeAgreeOnManyInputs() {
        expectAgreement(on: "Range", seed: 0x4A06) { maker in
            var field = maker.chance(90) ? Self.bytes : maker.pick(Self.units)
            field += Self.equals + maker.list(of: 1 + maker.below(maker.chance(60) ? 1 : 4), Self.range)
            return Self.damaged(field, &maker)
        } judge: { _, input in
            .range(input)
        }
    }

    @Test("both readings of Content-Range agree on many inputs") func bothReadingsOfContentRangeAgreeOnManyInputs() {
        expectAgreement(on: "Content-Range", seed: 0xC04A) { maker in
            var field = maker.chance(95) ? Self.bytes : maker.pick(Self.units)
            let first = maker.below(1000)
            let last = first + maker.below(1000) - (maker.chance(10) ? 1000 : 0)
            field += maker.chance(95) ? Self.space : maker.pick(Self.oddSpaces)
            field += maker.chance(15) ? Self.star : Self.number(first, &maker) + Self.dash + Self.number(last, &maker)
            field += Self.slash
            field += maker.chance(15) ? Self.star : Self.number(last + maker.below(100), &maker)
            return Self.damaged(field, &maker)
        } judge: { _, input in
            .contentRange(input)
        }
    }

    @Test("both readings of If-Range agree on many inputs") func bothReadingsOfIfRangeAgreeOnManyInputs() {
        expectAgreement(on: "If-Range", seed: 0x1F4A) { maker in
            Self.damaged(maker.pick(Self.validators), &maker)
        } judge: { _, input in
            .ifRange(input, now: 1_795_219_200)
        }
    }

    /// One in three of the fields is damaged, one in ten changes its case.
    private static func damaged(_ field: [UInt8], _ maker: inout InputMaker) -> [UInt8] {
        var field = field
        if maker.chance(10) { maker.recase(&field) }
        if maker.chance(33) { maker.mutate(&field) }
        return field
    }

    private static func range(_ maker: inout InputMaker) -> [UInt8] {
        let first = maker.below(1000)
        switch maker.below(3) {
        case 0: return dash + number(first, &maker)
        case 1: return number(first, &maker) + dash
        default: return number(first, &maker) + dash + number(first + maker.below(1000), &maker)
        }
    }

    private static func number(_ number: Int, _ maker: inout InputMaker) -> [UInt8] {
        maker.chance(97) ? [UInt8]("\(number)".utf8) : maker.pick(oddNumbers)
    }

    private static let bytes = [UInt8]("bytes".utf8)
    private static let equals = [UInt8]("=".utf8)
    private static let dash = [UInt8]("-".utf8)
    private static let star = [UInt8]("*".utf8)
    private static let slash = [UInt8]("/".utf8)
    private static let space = [UInt8](" ".utf8)
    private static let oddSpaces = words("", "=", "  ", "\t")
    private static let units = words("Bytes", "items", "byte", "bytes ", "", "none")
    private static let oddNumbers = words(
        "", "00012", "9223372036854775806", "9223372036854775807", "9223372036854775808", "99999999999999999999", "-1",
        "+1")
    private static let validators = words(
        "\"xyzzy\"", "W/\"xyzzy\"", "\"\"", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "xyzzy", "*", "Wed, 21 Oct 2015 07:28:00 GMT", "W/")
}
