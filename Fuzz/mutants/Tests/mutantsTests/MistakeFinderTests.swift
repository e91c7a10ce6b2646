import Testing

@testable import mutants

@Suite struct MistakeFinderTests {
    private func changes(_ mutation: MutationOperator, _ source: String) -> [String] {
        SiteFinder.sites(in: source, file: "A.swift").filter { $0.mutation == mutation }.map(\.change)
    }

    @Test(
        "each operator does what its name says",
        arguments: [
            (.arguments, "let x = f(a: p, b: q.r, c: 1)", ["f(a: p, b: q.r, c: 1) → f(a: q.r, b: p, c: 1)"]),
            (.arguments, "let x = f(p, p)", []),
            (.arguments, "let x = f(p, q) { 1 }", []),
            (.copy, "let x = f(a: p, b: q)", ["f(a: p, b: q) → f(a: p, b: p)"]),
            (.copy, "func f() { x = a.p; y = b.p }", ["b.p → a.p"]),
            (.fallback, "let x = a ?? b", ["a ?? b → (b)"]),
            (.fallback, "let x = f(a, tolerance: 2)", ["f(a, tolerance: 2) → f(a)"]),
            (.neighbour, "enum E { case a, b, c(Int) }; let x: E = .a", [".a → .b"]),
            (.neighbour, "struct S { var p: Int; var q: Int; var r: Double }; let x = s.p + s.r", ["s.p → s.q"]),
            (.neighbour, "func f(baseCount: Int, headCount: Int) { g(baseCount) }", ["baseCount → headCount"]),
            (.neighbour, "let first = 1, last = 2; let x = first", ["first → last"]),
            (.neighbour, "struct S { var p: Int; var q: Int }; func f() { s.p = 1; s.q += 2; g(&s.p); s.p() }", []),
            (.neighbour, "enum E { case a, b }; func f() { switch x { case .a: g() default: h() } }", []),
            (.order, "func f() { a(); x = 1 }", ["a(); x = 1 → x = 1; a()"]),
            (.order, "func f() { a(); return }", []),
            (.order, "func f() { x = 1; y = 2 }", []),
            (.exit, "func f() { a(); x += 1 }", ["x += 1 → return before it"]),
            (.exit, "func f() -> Int { a(); x += 1; return x }", []),
            (.exit, "func f() { g { a(); x += 1 } }", []),
            (.prefix, "let x = a.body == b.body", ["a.body == b.body → (a.body).prefix(64) == (b.body).prefix(64)"]),
            (.prefix, "let x = a.count == b.count", []),
            (.unit, "let x = Duration.milliseconds(5)", ["Duration.milliseconds(5) → Duration.seconds(5)"]),
            (.unit, "let x = a * 1_000", ["1_000 → 1"]),
            (.unit, "let x = 4 << 20", ["4 << 20 → 4 << 10"]),
            (.direction, "func f() { for x in y { g(x) } }", ["y → Array(y).reversed()"]),
            (.direction, "let x = y.sorted()", ["y.sorted() → Array(y)"]),
            (.rounding, "let x = y.rounded()", ["y.rounded() → y.rounded(.down)"]),
            (.rounding, "let x = y.rounded(.down)", ["y.rounded(.down) → y.rounded(.up)"]),
            (.fraction, "let x = 0.95", ["0.95 → 0.9"]),
        ] as [(MutationOperator, String, [String])])
    func operators(mutation: MutationOperator, source: String, expected: [String]) {
        #expect(changes(mutation, source) == expected)
    }

    @Test("a twin needs a declaration in the module")
    func undeclaredTwin() {
        #expect(changes(.neighbour, "let x = first").isEmpty)
        let neighbours = Neighbours(sources: ["let last = 1"])
        let sites = SiteFinder.sites(in: "let x = first", file: "A.swift", neighbours: neighbours)
        #expect(sites.map(\.change) == ["first → last"])
    }
}
