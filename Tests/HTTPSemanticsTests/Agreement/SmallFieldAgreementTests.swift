import HTTPAgreement
import Testing

@Suite("Agreement on small fields") struct SmallFieldAgreementTests {
    @Test("both readings of Vary agree on many inputs") func bothReadingsOfVaryAgreeOnManyInputs() {
        expectAgreement(on: "Vary", seed: 0x7A47) { maker in
            // Now and then more than is compared.
            let count = maker.below(maker.chance(2) ? 100 : 5)
            return Self.damaged(maker.list(of: count) { $0.pick(Self.names) }, &maker)
        } judge: { _, input in
            .vary(input)
        }
    }

    @Test("both readings of Accept-Language agree on many pairs of values") func bothReadingsOfAcceptLanguageAgree() {
        expectAgreement(on: "Accept-Language", seed: 0xACC1, count: agreementCount / 4) { maker in
            let count = maker.below(4)
            return Self.damaged(maker.list(of: count) { $0.pick(Self.languages) + $0.pick(Self.weights) }, &maker)
        } judge: { maker, input in
            .acceptLanguage(input, Self.respelled(input, &maker))
        }
    }

    /// The members in another order, with other case, whitespace and weights, or damaged.
    private static func respelled(_ value: [UInt8], _ maker: inout InputMaker) -> [UInt8] {
        var members = value.split(separator: 0x2C).map { Array($0) }
        if members.count > 1, maker.chance(50) { members.swapAt(0, maker.below(members.count)) }
        if !members.isEmpty, maker.chance(20) { members[0] = maker.pick(languages) + maker.pick(weights) }
        var other = maker.list(of: members.count) { _ in members.removeFirst() }
        maker.recase(&other)
        return damaged(other, &maker)
    }

    @Test("both readings of Age agree on many inputs") func bothReadingsOfAgeAgreeOnManyInputs() {
        expectAgreement(on: "Age", seed: 0xA6E0) { maker in
            Self.damaged(maker.chance(80) ? maker.digits(1 + maker.below(12)) : maker.pick(Self.ages), &maker)
        } judge: { _, input in
            .age(input)
        }
    }

    @Test("both readings of Expires agree on many inputs") func bothReadingsOfExpiresAgreeOnManyInputs() {
        expectAgreement(on: "Expires", seed: 0xE9F1) { maker in
            Self.damaged(maker.pick(Self.dates), &maker)
        } judge: { _, input in
            .expires(input, now: 1_795_219_200)
        }
    }

    @Test("both readings of Pragma agree on many inputs") func bothReadingsOfPragmaAgreeOnManyInputs() {
        expectAgreement(on: "Pragma", seed: 0x94A6) { maker in
            Self.damaged(maker.list(of: 1 + maker.below(2)) { $0.pick(Self.directives) }, &maker)
        } judge: { _, input in
            .pragma(input)
        }
    }

    @Test("both readings of Content-Length agree on many inputs") func bothReadingsOfContentLengthAgreeOnManyInputs() {
        expectAgreement(on: "Content-Length", seed: 0xC1E4) { maker in
            Self.damaged(maker.chance(80) ? maker.digits(1 + maker.below(20)) : maker.pick(Self.lengths), &maker)
        } judge: { _, input in
            .contentLength(input)
        }
    }

    /// One in four of the fields is damaged.
    private static func damaged(_ field: [UInt8], _ maker: inout InputMaker) -> [UInt8] {
        var field = field
        if maker.chance(25) { maker.mutate(&field) }
        return field
    }

    private static let names = words(
        "Accept", "Accept-Encoding", "accept-language", "Cookie", "X-A", "Origin", "User-Agent", "a",
        "b!#$%&'*+-.^_`|~1",
        "Accept", "Accept-Encoding", "*", "foo bar", "a/b", "\"a\"", "\u{e9}")
    private static let languages = words("de", "DE", "en-GB", "en", "*", "zh-Hant-CN", "fr-1990")
    private static let weights = words(
        "", "", ";q=1", "; q=1.000", ";q=0.5", " ;\tQ=0.50", ";q=0.500", ";q=0.8", ";q=0", ";q=0.001", ";q=1.",
        ";q=1.001",
        ";q=2", ";q=.5", ";r=1", ";q=0.1234")
    private static let ages = words(
        "7200, 0", "7200.0", "-1", "old", "", ", 50", "2147483648", "2147483649", "1 ,", "1 2")
    private static let dates = words(
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "0", "-1",
        "Sat, 31 Dec 2016 23:59:60 GMT", "Thu, 29 Feb 2024 00:00:00 GMT")
    private static let directives = words(
        "no-cache", "NO-CACHE", "no-cach", "no-caches", "x", "x=\"no-cache\"", "x=\"a, no-cache\"", "no-cache=1",
        "x=no-cache")
    private static let lengths = words(
        "5, 5", "5,5", "5, 6", "9223372036854775806", "9223372036854775807", "9223372036854775808", "", ",", "0, 00",
        "-5", "5 5")
}
