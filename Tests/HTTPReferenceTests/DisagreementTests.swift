import HTTPReference
import Testing

/// What is said of parsers that read otherwise than the reference.
@Suite("Disagreements of parsers with the reference") struct DisagreementTests {
    private static let now: Int64 = 1_795_219_200

    /// Reads as the reference does, but for what `answer` says.
    private struct Dates: HTTPDateParser {
        var answer: @Sendable (Int64?) -> Int64? = { $0 }
        func parse(_ bytes: [UInt8], now: Int64) -> Int64? { answer(Reference.HTTPDate.parse(bytes, now: now)) }
    }

    private struct Directives: CacheControlParser {
        var directives = Reference.CacheControl.names
        var change: @Sendable (inout Reference.CacheControl) -> Void = { _ in }
        func parse(_ bytes: [UInt8]) -> Reference.CacheControl {
            var read = Reference.CacheControl(parsing: bytes)
            change(&read)
            return read
        }
    }

    @Test(
        "of a date that is refused the format and what is unusual are told",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "an IMF-fixdate"), ("Sun Nov  6 08:49:37 1994", "an asctime date"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "an RFC 850 date"),
            ("sun, 06 Nov 1994 08:49:37 GMT", "an IMF-fixdate in letters of another case"),
            ("Mon, 06 Nov 1994 08:49:37 GMT", "an IMF-fixdate with another day of the week"),
            ("Sat, 31 Dec 2016 23:59:60 GMT", "an IMF-fixdate with a leap second"),
            ("Wed Nov 16 08:49:37 1994", "an asctime date"),
            ("Mon Nov  6 08:49:37 1994", "an asctime date with another day of the week"),
            ("sun nov  6 08:49:37 1994", "an asctime date in letters of another case"),
            ("Sun Nov 06 08:49:37 1994", "an asctime date with a zero before the day"),
            ("Monday, 06-Nov-94 08:49:37 GMT", "an RFC 850 date with another day of the week"),
            ("sunday, 06-Nov-94 08:49:37 GMT", "an RFC 850 date in letters of another case"),
            ("Wed, 31 Dec 1969 23:59:59 GMT", "an IMF-fixdate before 1970"),
            ("Sat, 01 Jan 0000 00:00:00 GMT", "an IMF-fixdate before 1970"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "an IMF-fixdate"), ("Thu, 31 Dec 2037 23:59:59 GMT", "an IMF-fixdate"),
            ("Fri, 01 Jan 2038 00:00:00 GMT", "an IMF-fixdate after 2037"),
            ("Sat, 01 Jan 2038 00:00:00 GMT", "an IMF-fixdate after 2037 with another day of the week"),
            ("Friday, 01-Jan-38 00:00:00 GMT", "an RFC 850 date after 2037"),
            ("Wed Dec 31 23:59:59 1969", "an asctime date before 1970"),
        ])
    func refusedDate(text: String, form: String) throws {
        let found = Dates(answer: { _ in nil }).disagreements(on: Array(text.utf8), now: Self.now)
        #expect(found.map(\.kind) == ["refuses \(form)"])
        let other = Dates(answer: { $0.map { $0 + 1 } }).disagreements(on: Array(text.utf8), now: Self.now)
        #expect(other.map(\.kind) == ["reads as another time \(form)"])
        #expect(try #require(other.first).description.hasSuffix("(RFC 9110, section 5.6.7)"))
        #expect(Dates().disagreements(on: Array(text.utf8), now: Self.now).isEmpty)
    }

    @Test(
        "of a text that is taken for a date the flaw is told",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 +0100", "another zone than GMT"),
            ("Sun, 06 Nov 1994 08:49:37", "no GMT at the end"),
            ("\tSun, 06 Nov 1994 08:49:37 GMT", "spaces around it"),
            (" Sun, 06 Nov 1994 08:49:37 GMT", "spaces around it"),
            ("Sun, 06  Nov 1994 08:49:37 GMT", "more than one space"),
            ("Sun, 06 Nov 1994 08:49:37 GMTx", "another zone than GMT"),
            ("Sun, 06 Nov 1994 08:49:37 GMT x", "more text behind it"),
            ("Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "a byte that is not printable ASCII"),
            ("Xyz, 06 Nov 1994 08:49:37 GMT", "another name of a day"),
            ("Sun, 31 Nov 1994 08:49:37 GMT", "a day or a time that there is not"),
            ("Sun, 06 Nov 1994 24:00:00 GMT", "a day or a time that there is not"),
            ("Sun, 06 Nov 94 08:49:37 GMT", "none of the three formats"), ("", "none of the three formats"),
        ])
    func acceptedText(text: String, flaw: String) {
        let found = Dates(answer: { $0 ?? 0 }).disagreements(on: Array(text.utf8), now: Self.now)
        #expect(found.map(\.kind) == ["takes for a date: \(flaw)"])
        #expect(Dates().disagreements(on: Array(text.utf8), now: Self.now).isEmpty)
    }

    @Test("of Cache-Control each directive is judged, if the parser knows it") func cacheControl() {
        let field = Array("no-store, max-age=5, min-fresh=x".utf8)
        #expect(Directives().disagreements(on: field).isEmpty)
        var parser = Directives(change: {
            $0 = Reference.CacheControl(flags: ["public"], numbers: ["max-age": 6, "min-fresh": 0])
        })
        #expect(
            parser.disagreements(on: field).map(\.kind) == [
                "max-age: another number of seconds",
                "min-fresh: 0 in the place of an argument that is no number",
                "no-store: nothing in the place of a directive", "public: a directive in the place of nothing",
            ])
        parser.directives = ["max-age"]
        #expect(parser.disagreements(on: field).map(\.reference) == ["5"])
        #expect(
            parser.disagreements(on: Array("max-age=5, \"".utf8)).map(\.kind)
                == ["in a malformed field max-age: another number of seconds"])
        // What is larger than any lifetime is the same lifetime.
        parser.change = { $0 = Reference.CacheControl(flags: [], numbers: ["max-age": .max]) }
        #expect(parser.disagreements(on: Array("max-age=99999999999999999999".utf8)).isEmpty)
    }

    @Test(
        "what RFC 9111 leaves open has a kind of its own: fields outside the grammar, arguments where there are none",
        arguments: [
            ("no-store", "", "no-store: nothing in the place of a directive"),
            ("no-store, x=\"a b\"", "", "no-store: nothing in the place of a directive"),
            ("no-store, no-store=1", "", "no-store: nothing in the place of a directive"),
            ("immutable=1", "", "immutable: nothing in the place of a directive"),
            ("no-cache=a", "", "no-cache: nothing in the place of a directive"),
            ("no-store=1", "", "no-store with an argument: nothing in the place of a directive"),
            ("public=1", "public", "public with an argument: a directive in the place of nothing"),
            ("no-store x", "", "in a malformed field no-store with an argument: nothing in the place of a directive"),
            ("no-store=@", "", "in a malformed field no-store with an argument: nothing in the place of a directive"),
            ("no-store, (x)", "", "in a malformed field no-store: nothing in the place of a directive"),
            ("no-cache=a b", "", "in a malformed field no-cache: nothing in the place of a directive"),
            ("immutable x", "immutable", "in a malformed field immutable: a directive in the place of nothing"),
            ("public x", "public", "in a malformed field public with an argument: a directive in the place of nothing"),
        ])
    func leftOpen(field: String, read: String, kind: String) {
        let flags: Set<String> = read.isEmpty ? [] : [read]
        let parser = Directives(change: { $0 = Reference.CacheControl(flags: flags, numbers: [:]) })
        #expect(parser.disagreements(on: Array(field.utf8)).map(\.kind) == [kind])
        #expect(Directives().disagreements(on: Array(field.utf8)).isEmpty)
    }

    @Test(
        "RFC 9111 lets a lifetime that stands twice or has no number be stale, and the largest number be any",
        arguments: [
            ("max-age=99999999999", ["max-age": Int64(Int32.max)], [], []),
            ("max-age=2147483646", ["max-age": .max], [], ["max-age: another number of seconds"]),
            ("max-age=1, max-age=2", ["max-age": 0], [], []), ("max-age=1, max-age=2", [:], ["max-age"], []),
            ("max-age=1, max-age=2", ["max-age": 2], [], ["max-age: another number of seconds, of several"]),
            ("max-age=1, max-age=2", [:], [], ["max-age: nothing in the place of a number, of several"]),
            ("max-age=60a", ["max-age": 0], [], []),
            ("max-age=60a", ["max-age": 60], [], ["max-age: a number in the place of an argument that is no number"]),
            ("max-age=60", ["max-age": 0], [], ["max-age: another number of seconds"]),
            ("max-age=60", [:], ["max-age"], ["max-age: an argument that is no number in the place of a number"]),
        ] as [(String, [String: Int64], Set<String>, [String])])
    func lifetimes(field: String, numbers: [String: Int64], invalid: Set<String>, kinds: [String]) {
        let parser = Directives(change: { $0 = Reference.CacheControl(flags: [], numbers: numbers, invalid: invalid) })
        #expect(parser.disagreements(on: Array(field.utf8)).map(\.kind) == kinds)
    }

    @Test(
        "of a block that is accepted the first flaw is told",
        arguments: [
            ("a: b\r\n c\r\n\r\n", "a folded line"), ("a: b\n\r\n", "a bare LF"), ("a: b\rc\r\n\r\n", "a bare CR"),
            ("a: b\0c\r\n\r\n", "a NUL"), ("a : b\r\n", "whitespace before the colon"),
            ("a\r\n", "a line without a colon"), (": b\r\n", "an empty name"), ("a: b", "a line without an end"),
            ("a: b\r", "a line without an end"), (" a: b\r\n", "whitespace at its start"),
            ("a b: c\r\n", "a name that is not a token"), ("\u{e9}: c\r\n", "a name that is not a token"),
            ("a: b\r\nc: d\r\n\r\nx", "more than the limits"),
        ])
    func acceptedBlock(text: String, flaw: String) {
        struct Blocks: FieldBlockParser {
            let limits = Reference.FieldBlock.Limits(bytes: 100, lineBytes: 100, lines: 1)
            func parse(_ bytes: [UInt8]) -> Reference.FieldBlock? { .init(fields: []) }
        }
        #expect(Blocks().disagreements(on: Array(text.utf8)).map(\.kind) == ["accepts a block with \(flaw)"])
    }
}
