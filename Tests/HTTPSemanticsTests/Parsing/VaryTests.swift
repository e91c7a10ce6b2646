import HTTPSemantics
import Testing

@Suite("Vary") struct VaryTests {
    @Test(
        "Vary names fields, or matches nothing",
        arguments: [
            ("", .nothing, []), (" , ,", .nothing, []), ("Accept", .names, ["Accept"]),
            ("Accept-Encoding, Accept", .names, ["Accept-Encoding", "Accept"]), ("a,b,,c", .names, ["a", "b", "c"]),
            (" a\t,\tb ", .names, ["a", "b"]), ("*", .anything, []), (" *", .anything, []),
            ("Accept, *", .anything, ["Accept"]), ("*, Accept", .anything, []), ("a,*,b", .anything, ["a"]),
            ("**", .names, ["**"]), ("*a", .names, ["*a"]), ("a b", .anything, []), ("a;b", .anything, []),
            ("\"*\"", .anything, []), ("Accept\u{0}", .anything, []), ("Äccept", .anything, []),
            ("a, (b)", .anything, ["a"]),
            ("a:", .anything, []), ("!#$%&'*+-.^_`|~09azAZ", .names, ["!#$%&'*+-.^_`|~09azAZ"]),
        ] as [(String, Vary, [String])])
    func parse(text: String, expected: Vary, names: [String]) {
        let bytes = Array(text.utf8)
        #expect(Vary.parse(ContiguousArray(bytes).span.bytes) == expected)
        var list = VaryNames()
        var read: [String] = []
        while let name = list.next(in: ContiguousArray(bytes).span.bytes) {
            read.append(name.text(in: ContiguousArray(bytes).span.bytes))
        }
        #expect(read == names)
        #expect(list.isAnything == (expected == .anything))
    }

    @Test(
        "every line counts",
        arguments: [
            ([], .nothing), ([""], .nothing), (["", "A"], .names), (["A", ""], .names), (["A", "*"], .anything),
            (["*", "A"], .anything), (["A", "B"], .names), (["A", "b c", "D"], .anything),
        ] as [([String], Vary)])
    func lines(lines: [String], expected: Vary) {
        let fields = HTTPFields(lines.map { HTTPFields.Field(name: "VARY", value: $0) })
        #expect(Vary.parse(fields) == expected)
        #expect(ResponseFieldValues(fields, now: 0).vary == expected)
    }
}
