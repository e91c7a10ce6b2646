import HTTPReference
import Testing

/// What is said of parsers of ranges, tags, `Vary` and blocks of fields that read otherwise than the reference.
@Suite("Disagreements of parsers of small fields and blocks with the reference") struct FieldDisagreementTests {
    private struct Ranges: RangeParser {
        var answer: @Sendable ([UInt8]) -> [Reference.ByteRange]?
        func parse(_ bytes: [UInt8]) -> [Reference.ByteRange]? { answer(bytes) }
    }

    private struct Tags: EntityTagParser {
        var answer: @Sendable ([UInt8]) -> Reference.EntityTag?
        func parse(_ bytes: [UInt8]) -> Reference.EntityTag? { answer(bytes) }
    }

    private struct Names: VaryParser {
        var answer: @Sendable ([UInt8]) -> Reference.Vary
        func parse(_ bytes: [UInt8]) -> Reference.Vary { answer(bytes) }
    }

    private struct Blocks: FieldBlockParser {
        var answer: @Sendable (Reference.FieldBlock?) -> Reference.FieldBlock?
        func parse(_ bytes: [UInt8]) -> Reference.FieldBlock? {
            answer(Reference.FieldBlock.parse(bytes, limits: limits))
        }
    }

    private struct Directives: CacheControlParser {
        var answer: @Sendable ([UInt8]) -> Reference.CacheControl
        func parse(_ bytes: [UInt8]) -> Reference.CacheControl { answer(bytes) }
    }

    private static func reading(_ bytes: [UInt8]) -> [Reference.ByteRange]? {
        if case .bytes(let ranges) = Reference.RangeField.parse(bytes) { ranges } else { nil }
    }

    @Test(
        "of ranges that are refused it is told what is unusual",
        arguments: [
            ("bytes=0-1", "ranges"), ("bytes=-5, 3-", "ranges"), ("bytes= 0-1", "ranges behind whitespace"),
            ("bytes=0-99999999999999999999", "ranges with a number above 2^63 - 1"),
            ("bytes=9999999999999999999-9999999999999999998", "ranges with a number above 2^63 - 1"),
            ("bytes=0-9223372036854775808", "ranges with a number above 2^63 - 1"),
            ("bytes=0-0009223372036854775807", "ranges"),
        ])
    func refusedRanges(text: String, name: String) {
        #expect(Ranges { _ in nil }.disagreements(on: Array(text.utf8)).map(\.kind) == ["refuses \(name)"])
        #expect(Ranges(answer: Self.reading).disagreements(on: Array(text.utf8)).isEmpty)
    }

    @Test(
        "of a malformed Range that is accepted the first flaw is told",
        arguments: [
            ("bytes=5-1", "a last position before the first"), ("bytes=0-1,5-1", "a last position before the first"),
            ("bytes 0-1", "no = behind the unit"), ("bytes", "no = behind the unit"),
            ("bytes =0-1", "whitespace before ="), ("", "no unit"), ("=0-1", "no unit"),
            ("x=", "a malformed set of another unit"),
            ("bytes=", "no range"), ("bytes=, ,", "no range"), ("bytes=1-2x", "a position that is no number"),
            ("bytes=+1-2", "a position that is no number"), ("bytes=1 -2", "whitespace in a range"),
            ("bytes=5", "a range without -"), ("bytes=1-2-3", "a range with more than one -"),
            ("bytes=--1", "a range with more than one -"), ("bytes=-", "a range without a number"),
        ])
    func acceptedRange(text: String, flaw: String) {
        let found = Ranges { _ in [.last(1)] }.disagreements(on: Array(text.utf8))
        #expect(found.map(\.kind) == ["accepts a malformed field: \(flaw)"])
        #expect(Ranges(answer: Self.reading).disagreements(on: Array(text.utf8)).isEmpty)
    }

    @Test("of ranges that are read otherwise it is told how, as they stand in a field") func otherRanges() {
        let parser = Ranges { _ in [.from(0, through: 1), .from(5, through: nil), .last(3)] }
        let found = parser.disagreements(on: Array("bytes=0-1".utf8))
        #expect(found.map(\.kind) == ["reads otherwise ranges: another number of ranges"])
        #expect(found.map(\.parser) == ["[0-1, 5-, -3]"] && found.map(\.reference) == ["[0-1]"])
        let kinds = parser.disagreements(on: Array("bytes=0-2,5-,-3".utf8)).map(\.kind)
        #expect(kinds == ["reads otherwise ranges: other positions"])
        #expect(parser.disagreements(on: Array("x=1".utf8)).map(\.kind) == ["accepts ranges of another unit"])
    }

    @Test(
        "of a text that is taken for an entity tag the first flaw is told",
        arguments: [
            ("w/\"a\"", "W/ in lower case"), ("a", "no quotes"), ("W/a", "no quotes"), ("", "nothing"),
            ("W/", "nothing"), ("a\"", "no opening quote"), ("\"a", "no closing quote"), ("\"", "no closing quote"),
            ("\"a b\"", "a space or control character"), ("\"a\u{7F}\"", "a space or control character"),
            ("\"a\"b\"", "a quote inside"), ("\"a\", \"b\"", "a quote inside"), ("\"a\"b", "text behind it"),
            ("\"a\";x", "text behind it"),
        ])
    func acceptedTag(text: String, flaw: String) {
        let found = Tags { _ in .init(isWeak: false, opaque: []) }.disagreements(on: Array(text.utf8))
        #expect(found.map(\.kind) == ["accepts what is not an entity tag: \(flaw)"])
    }

    @Test("of a tag it is told whether it is refused or read otherwise, and how") func tags() {
        let parser = Tags { _ in .init(isWeak: false, opaque: [0x78]) }
        #expect(Tags { _ in nil }.disagreements(on: Array("\"x\"".utf8)).map(\.kind) == ["refuses an entity tag"])
        #expect(parser.disagreements(on: Array("\"x\"".utf8)).isEmpty)
        let weak = parser.disagreements(on: Array("W/\"x\"".utf8))
        #expect(weak.map(\.kind) == ["reads otherwise an entity tag: weak or strong"])
        #expect(weak.map(\.parser) == ["\"x\""] && weak.map(\.reference) == ["W/\"x\""])
        #expect(
            parser.disagreements(on: Array("\"y\"".utf8)).map(\.kind)
                == ["reads otherwise an entity tag: another text"])
    }

    @Test("of Vary neither the order nor the case of names counts") func vary() {
        let parser = Names { _ in .names(["A", "b"]) }
        #expect(parser.disagreements(on: Array("b, a, b".utf8)).isEmpty)
        #expect(parser.disagreements(on: Array("a".utf8)).map(\.kind) == ["other names"])
        #expect(parser.disagreements(on: Array("*".utf8)).map(\.kind) == ["names in the place of *"])
        #expect(parser.disagreements(on: Array("a b".utf8)).map(\.kind) == ["names in the place of a malformed field"])
    }

    private static func lowercased(_ name: [UInt8]) -> [UInt8] {
        Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
    }

    @Test("the case of a field's name does not count, and hides nothing else") func namesOfAnotherCase() {
        let block = Array("Accept: a\r\nB: \tc d\r\n\r\n".utf8)
        func kinds(_ change: @escaping @Sendable (inout [Reference.FieldBlock.Field]) -> Void) -> [String] {
            let parser = Blocks { block in
                guard let block else { return nil }
                var fields = block.fields.map {
                    Reference.FieldBlock.Field(name: Self.lowercased($0.name), value: $0.value)
                }
                change(&fields)
                return Reference.FieldBlock(fields: fields)
            }
            return parser.disagreements(on: block).map(\.kind)
        }
        #expect(kinds { _ in }.isEmpty)
        let otherwise = "reads otherwise a block of fields: "
        #expect(kinds { $0.removeLast() } == [otherwise + "another number of lines"])
        #expect(kinds { $0[0] = .init(name: [0x78], value: $0[0].value) } == [otherwise + "other names"])
        #expect(kinds { $0[1].value.insert(0x09, at: 0) } == [otherwise + "whitespace around a value"])
        #expect(kinds { $0[1].value.removeLast() } == [otherwise + "other values"])
    }

    @Test("of a block it is told whether it is refused or read otherwise, in readable lines") func blocks() {
        func found(_ answer: Reference.FieldBlock?, _ text: String) -> [Disagreement] {
            Blocks { _ in answer }.disagreements(on: Array(text.utf8))
        }
        let empty = Reference.FieldBlock(fields: [])
        #expect(found(nil, "a: b\tc\r\n\r\n").map(\.kind) == ["refuses a block of fields"])
        #expect(found(nil, "a: b\u{1}\r\n").map(\.kind) == ["refuses a block of fields with a control character"])
        #expect(
            found(empty, "A: b\u{1}\r\n").map(\.description) == [
                """
                reads otherwise a block of fields with a control character: another number of lines: \
                the parser reads [], the reference ["A": "b\\u{01}"] (RFC 9112, sections 2.1 and 5)
                """
            ])
        #expect(found(empty, "\r\n").isEmpty)
    }

    @Test(
        "whitespace around a value, which a field value has not, is no other mistake: read or refused, it is marked",
        arguments: [" ", "\t"])
    func whitespace(space: String) {
        let marked = "whitespace around the value: "
        let trimming: @Sendable ([UInt8]) -> [UInt8] = { bytes in
            Array(String(decoding: bytes, as: UTF8.self).filter { $0 != " " && $0 != "\t" }.utf8)
        }
        let isStrict: @Sendable ([UInt8]) -> Bool = { bytes in trimming(bytes) == bytes }
        let ranges = Ranges { isStrict($0) ? Self.reading($0) : nil }
        #expect(ranges.disagreements(on: Array("bytes=0-1\(space)".utf8)).map(\.kind) == [marked + "refuses ranges"])
        let tags = Tags { .parse(trimming($0)) }
        #expect(
            tags.disagreements(on: Array("\(space)\"a\"".utf8)).map(\.kind)
                == [marked + "accepts what is not an entity tag: no opening quote"])
        let names = Names { isStrict($0) ? .parse($0) : .invalid }
        #expect(
            names.disagreements(on: Array("\(space)Accept".utf8)).map(\.kind)
                == [marked + "a malformed field in the place of names"])
        let directives = Directives { isStrict($0) ? .init(parsing: $0) : .init() }
        let field = Array("no-store,max-age=5\(space)".utf8)
        #expect(
            directives.disagreements(on: field).map(\.kind) == [
                marked + "max-age: nothing in the place of a number",
                marked + "no-store: nothing in the place of a directive",
            ])
        #expect(directives.disagreements(on: field).allSatisfy { $0.section == "RFC 9110, section 5.5" })
        // A mistake that is there without it, too, keeps its kind.
        let deaf = Directives { _ in .init() }
        #expect(deaf.disagreements(on: field).allSatisfy { !$0.kind.hasPrefix(marked) })
        let wrong = Tags { _ in nil }
        #expect(wrong.disagreements(on: Array("\(space)\"a\"".utf8)).isEmpty)
    }
}
