import Testing

@testable import mutants

@Suite struct SiteFinderTests {
    /// The changes that one operator makes to a source.
    private func changes(_ mutation: MutationOperator, _ source: String) -> [String] {
        SiteFinder.sites(in: source, file: "A.swift").filter { $0.mutation == mutation }.map(\.change)
    }

    @Test(
        "each operator does what its name says",
        arguments: [
            (.comparison, "let x = a + b < c", ["a + b < c → (a + b) >= (c)"]),
            (.offByOne, "let x = a <= b", ["a <= b → (a) < (b)"]),
            (.offByOne, "let x = a + 1", ["1 → 2"]),
            (.offByOne, "for i in 0..<n { f(i) }", ["n → (n) + 1"]),
            (.check, "func f() { guard a, let b = c, d == e else { return } }", ["a → true", "d == e → true"]),
            (.check, "func f() { if a { g() } }", ["a → false"]),
            (.branch, "let x = a ? b : c", ["a → not that"]),
            (.branch, "func f() { if a { g() } else { h() } }", ["a → not that"]),
            (.branch, "func f() { if a { g() } }", []),
            (
                .statement, "func f() { g(); x = 1; x &+= 2; _ = h() }",
                ["g() → nothing", "x = 1 → nothing", "x &+= 2 → nothing"]
            ),
            (.statement, "func f() -> Int { g() }", []),
            (.statement, "func f() { if a { return }; guard b else { return } }", ["return → nothing"]),
            (
                .constant, "let x = [0x7F, 18_446_744_073_709_551_615]",
                ["0x7F → 0x80", "18_446_744_073_709_551_615 → 18446744073709551614"]
            ),
            (.constant, "let x = true", ["true → false"]),
            (.constant, "let x = UInt8(ascii: \"!\")", ["\"!\" → \"#\""]),
            (.connective, "let x = a && b || c", ["a && b → (a) || (b)", "a && b || c → (a && b) && (c)"]),
            (.arithmetic, "let x = a &* (b | c)", ["a &* (b | c) → (a) &+ ((b | c))", "b | c → (b) & (c)"]),
            (.arithmetic, "func f() { x += y }", ["x += y → x -= y"]),
            (
                .arithmetic, "let x = min(a, max(b, c))",
                ["min(a, max(b, c)) → max(a, max(b, c))", "max(b, c) → min(b, c)"]
            ),
            (.arithmetic, "let x = \"a\" + b", []),
        ] as [(MutationOperator, String, [String])])
    func operators(mutation: MutationOperator, source: String, expected: [String]) {
        #expect(changes(mutation, source).sorted() == expected.sorted())
    }

    @Test("nothing is changed in attributes, in conditional compilation, or in the raw values of an enumeration")
    func leftAlone() {
        let source = """
            @available(*, deprecated, renamed: "x") enum E: Int { case a = 1, b = 2 }
            #if os(Linux)
            let x = 1 + 2
            #endif
            """
        #expect(SiteFinder.sites(in: source, file: "A.swift").isEmpty)
    }

    @Test("a place over several lines is shown on one, without its comments")
    func flattened() throws {
        let site = try #require(
            SiteFinder.sites(in: "let x = a  // first\n    && b", file: "A.swift").first { $0.mutation == .connective })
        #expect(site.change == "a && b → (a) || (b)")
        #expect(site.lines == 1...2)
        #expect(site.line == "let x = a  // first")
    }
}
