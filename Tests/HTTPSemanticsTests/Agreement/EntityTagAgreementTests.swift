import HTTPAgreement
import Testing

@Suite("Agreement on entity tags") struct EntityTagAgreementTests {
    @Test("both readings of an entity tag agree on many inputs") func bothReadingsOfAnEntityTagAgreeOnManyInputs() {
        expectAgreement(on: "ETag", seed: 0xE7A6) { maker in
            var tag = Self.tag(&maker)
            if maker.chance(30) { maker.mutate(&tag) }
            return tag
        } judge: { _, input in
            .entityTag(input)
        }
    }

    @Test("both readings of If-None-Match and of its matches agree on many inputs")
    func bothReadingsOfIfNoneMatchAndWhatItNamesAgreeOnManyInputs() {
        expectAgreement(on: "If-None-Match", seed: 0x14F0, make: Self.list) { maker, input in
            let comparison = Agreement.entityTags(input, name: Self.tag(&maker))
            if case .broken = comparison { return comparison }
            return .entityTagList(input)
        }
    }

    private static func list(_ maker: inout InputMaker) -> [UInt8] {
        if maker.chance(3) { return [0x2A] }
        var list = maker.list(of: 1 + maker.below(3), tag)
        if maker.chance(30) { maker.mutate(&list) }
        return list
    }

    private static func tag(_ maker: inout InputMaker) -> [UInt8] {
        if maker.chance(5) { return maker.pick(oddTags) }
        return maker.pick(prefixes) + quote + maker.pick(opaques) + quote
    }

    private static let quote = [UInt8]("\"".utf8)
    private static let prefixes = words("", "", "", "W/")
    private static let opaques =
        words("", "a", "b", "a,b", "a\\", "xyzzy", "33a64df551425fcc55e4d42a148795d9f25f89d4", "W/", ";") + [
            [0xFF, 0x80]
        ]
    private static let oddTags = words(
        "*", "w/\"a\"", "W\"a\"", "W/", "W/a", "a", "\"a", "a\"", "\"a b\"", "\"a\\\"b\"", "\"\u{7F}\"", "\"\u{1}\"",
        "W/ \"a\"",
        "\"\"\"", "'a'")
}
