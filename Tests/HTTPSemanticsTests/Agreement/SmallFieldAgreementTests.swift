import HTTPAgreement
import Testing

@Suite("Agreement on small fields") struct SmallFieldAgreementTests {
    @Test("both readings of Vary agree on a million inputs") func bothReadingsOfVaryAgreeOnAMillionInputs() {
        expectAgreement(on: "Vary", seed: 0x7A47) { maker in
            Self.damaged(maker.list(of: maker.below(5)) { $0.pick(Self.names) }, &maker)
        } judge: { _, input in
            .vary(input)
        }
    }

    @Test("both readings of Age agree on a million inputs") func bothReadingsOfAgeAgreeOnAMillionInputs() {
        expectAgreement(on: "Age", seed: 0xA6E0) { maker in
            Self.damaged(maker.chance(80) ? maker.digits(1 + maker.below(12)) : maker.pick(Self.ages), &maker)
        } judge: { _, input in
            .age(input)
        }
    }

    @Test("both readings of Expires agree on a million inputs") func bothReadingsOfExpiresAgreeOnAMillionInputs() {
        expectAgreement(on: "Expires", seed: 0xE9F1) { maker in
            Self.damaged(maker.pick(Self.dates), &maker)
        } judge: { _, input in
            .expires(input, now: 1_795_219_200)
        }
    }

    @Test("both readings of Pragma agree on a million inputs") func bothReadingsOfPragmaAgreeOnAMillionInputs() {
        expectAgreement(on: "Pragma", seed: 0x94A6) { maker in
            Self.damaged(maker.list(of: 1 + maker.below(2)) { $0.pick(Self.directives) }, &maker)
        } judge: { _, input in
            .pragma(input)
        }
    }

    @Test("both readings of Content-Length agree on a million inputs")
    func bothReadingsOfContentLengthAgreeOnAMillionInputs() {
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
