import HTTPAgreement
import Testing

@Suite("Agreement on Cache-Control") struct CacheControlAgreementTests {
    @Test("both readings of Cache-Control agree on many inputs") func bothReadingsOfCacheControlAgreeOnManyInputs() {
        expectAgreement(on: "Cache-Control", seed: 0xCACE, make: Self.field) { _, input in .cacheControl(input) }
    }

    private static func field(_ maker: inout InputMaker) -> [UInt8] {
        let count = maker.chance(10) ? maker.below(8) : 1 + maker.below(3)
        var field = maker.list(of: count, directive)
        if maker.chance(15) { maker.recase(&field) }
        if maker.chance(15) {
            field = field.map { $0 == UInt8(ascii: ",") && maker.chance(50) ? UInt8(ascii: ";") : $0 }
        }
        if maker.chance(25) { maker.mutate(&field) }
        return field
    }

    private static func directive(_ maker: inout InputMaker) -> [UInt8] {
        switch maker.below(20) {
        case 0...6: maker.pick(flags)
        case 7...15: maker.pick(numbered) + equals + argument(&maker)
        case 16: maker.pick(flags) + equals + maker.pick(strings)
        case 17: maker.pick(numbered)
        case 18: maker.pick(oddities)
        default: maker.pick(unknown) + equals + maker.pick(strings)
        }
    }

    private static func argument(_ maker: inout InputMaker) -> [UInt8] {
        switch maker.below(16) {
        case 0...10: maker.digits(1 + maker.below(6))
        case 11: maker.digits(6 + maker.below(24))
        case 12...13: quote + maker.digits(1 + maker.below(5)) + quote
        case 14: maker.pick(limits)
        default: maker.pick(badNumbers)
        }
    }

    private static let equals = [UInt8]("=".utf8)
    private static let quote = [UInt8]("\"".utf8)
    private static let flags = words(
        "no-store", "no-cache", "must-revalidate", "proxy-revalidate", "public", "private", "immutable",
        "must-understand", "no-transform", "only-if-cached", "max-stale")
    private static let numbered = words(
        "max-age", "max-age", "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error", "min-fresh",
        "max-stale")
    private static let unknown = words(
        "x", "community", "pre-check", "post-check", "max-ag", "max-ages", "no-stor", "*")
    private static let strings = words(
        "\"a\\\"b, no-store\"", "\"max-age=9\"", "\"Set-Cookie, Date\"", "\"\"", "\"a\"", "token", "\"\\\\\"", "\"\\\"",
        "\"unclosed", "\"a\"b", "a\"b\"")
    private static let limits = words(
        "0", "2147483647", "2147483648", "2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
        "18446744073709551616", "00000000000000000000000000000000000060", "99999999", "100000000")
    private static let badNumbers = words(
        "-1", "+60", "60.0", "60a", "'60'", "", " 60", "60 ", "\"60", "60\"", "\"6\\0\"", "\"6 0\"", "\"\"", "\"-1\"",
        "1e3",
        "0x10", "60;", "60 s", "\"60\" ", "=60")
    private static let oddities = words(
        "max-age =60", "max-age:60", "a;max-age=5", "max-age;=5", "no-store;", "no-store foo", "no-store =",
        "no-cache\t",
        "=", "=60", "\"", "\"no-store\"", "public =", "private= \"a\"", "no-cache=Set-Cookie", "max-age 60",
        "max-age==60")
}
