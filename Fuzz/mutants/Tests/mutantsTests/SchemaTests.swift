import Testing

@testable import mutants

@Suite struct SchemaTests {
    private func woven(_ source: String, _ chosen: (Site) -> Bool) -> String {
        let sites = SiteFinder.sites(in: source, file: "A.swift").filter(chosen)
        return Schema.weave(sites.enumerated().map { Mutant(number: $0 + 1, site: $1) }, into: source)
    }

    @Test("an expression is chosen, a condition negated, a statement skipped, all by number")
    func forms() {
        #expect(
            woven("let x = a < b") { $0.mutation == .comparison }
                == "import Mutation; let x = (isMutant(1) ? ((a) >= (b)) : (a < b))")
        #expect(woven("let x = a ? b : c") { _ in true } == "import Mutation; let x = (isMutant(1) != (a)) ? b : c")
        #expect(
            woven("func f() {\n    g()  // why\n}") { _ in true }
                == "import Mutation; func f() {\n    if !isMutant(1) { g() }  // why\n}")
    }

    @Test("statements are exchanged, preceded by another, and a sequence replaced, all by number")
    func formsOfMistakes() {
        #expect(
            woven("func f() {\n    a()\n    b()\n}") { $0.mutation == .order }
                == "import Mutation; func f() {\n    if isMutant(1) { b(); a() } else { a()\n    b() }\n}")
        #expect(
            woven("func f() {\n    a()\n    b()\n}") { $0.mutation == .exit }
                == "import Mutation; func f() {\n    a()\n    if isMutant(1) { return }; b()\n}")
        #expect(
            woven("func f() { for x in y { g(x) } }") { $0.mutation == .direction }
                == "import Mutation; func f() { for x in (isMutant(1) ? AnySequence(Array(y).reversed()) : AnySequence(y)) { g(x) } }"
        )
    }

    @Test("mutants inside each other keep their brackets apart")
    func nested() {
        let text = woven("let x = a && b < c") { $0.mutation == .connective || $0.mutation == .comparison }
        #expect(
            text
                == "import Mutation; let x = (isMutant(1) ? ((a) || (b < c)) : (a && (isMutant(2) ? ((b) >= (c)) : (b < c))))"
        )
        // Both begin at one place.
        #expect(
            woven("let x = a < b && c") { $0.mutation == .connective || $0.mutation == .comparison }
                == "import Mutation; let x = (isMutant(2) ? ((a < b) || (c)) : ((isMutant(1) ? ((a) >= (b)) : (a < b)) && c))"
        )
    }

    @Test("no line moves, whatever is woven in")
    func lines() {
        let source = "// A comment.\nfunc f() {\n    if a\n        && b < 1\n    {\n        g()\n    }\n}\n"
        let text = woven(source) { _ in true }
        #expect(text.filter(\.isNewline).count == source.filter(\.isNewline).count)
        #expect(text.hasPrefix("import Mutation; // A comment.\n"))
    }

    @Test("a source without mutants stays as it is")
    func untouched() {
        #expect(Schema.weave([], into: "let x = 1") == "let x = 1")
    }
}
