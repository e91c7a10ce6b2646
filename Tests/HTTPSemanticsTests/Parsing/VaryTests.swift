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
            (["A", "*", "B"], .anything),
        ] as [([String], Vary)])
    func lines(lines: [String], expected: Vary) {
        let fields = HTTPFields(lines.map { HTTPFields.Field(name: "VARY", value: $0) })
        #expect(Vary.parse(fields) == expected)
        #expect(ResponseFieldValues(fields, now: 0).vary == expected)
    }

    @Test(
        "more names than an origin needs match nothing, over one line or several",
        arguments: [
            (64, 1, .names), (65, 1, .anything), (64, 32, .names), (64, 33, .anything), (1, 2_048, .names),
            (1, 2_049, .anything), (0, 1, .nothing),
        ] as [(Int, Int, Vary)])
    func limit(count: Int, length: Int, expected: Vary) {
        let name = String(repeating: "a", count: length)
        let names = [String](repeating: name, count: count)
        // Neither whitespace nor empty members count.
        let spread = names.joined(separator: " ,\t" + String(repeating: ",", count: 3_000))
        let two = [names.prefix(count / 2).joined(separator: ","), names.dropFirst(count / 2).joined(separator: ",")]
        for lines in [[names.joined(separator: ",")], [spread], two, names] {
            let fields = HTTPFields(lines.map { HTTPFields.Field(name: "Vary", value: $0) })
            #expect(Vary.parse(fields) == expected)
            #expect(ResponseFieldValues(fields, now: 0).vary == expected)
            let selection = VarySelection(fields["Vary"])
            #expect(selection.matchesNothing == (expected == .anything))
            #expect(selection.names == (expected == .names ? [name] : []))
        }
    }
}
