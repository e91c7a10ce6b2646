import Testing

@testable import mutants

@Suite struct DiagnosticsTests {
    static let source = """
        func f() -> Int {
            let x: Int
            x = 1
            if a {
                g(2 + 3)
            }
            return x
        }
        """

    private func culprits(_ output: String, among changes: [String]) -> [String] {
        let sites = SiteFinder.sites(in: Self.source, file: "Sources/A.swift").filter { changes.contains($0.change) }
        let mutants = sites.enumerated().map { Mutant(number: $0 + 1, site: $1) }
        #expect(mutants.count == changes.count)
        let numbers = Diagnostics.culprits(in: output, root: "/copy", among: mutants)
        return mutants.filter { numbers.contains($0.number) }.map(\.site.change)
    }

    @Test("an error belongs to the innermost mutant on its line")
    func innermost() {
        let output = "/copy/Sources/A.swift:5:15: error: no\n/copy/Sources/B.swift:4:1: error: no\n"
        #expect(culprits(output, among: ["g(2 + 3) → nothing", "2 → 3", "a → false"]) == ["2 → 3"])
    }

    @Test("an error on a line without a mutant belongs to the last statement left out before it")
    func before() {
        let output = "/copy/Sources/A.swift:7:12: error: constant 'x' used before being initialized\n"
        #expect(culprits(output, among: ["x = 1 → nothing", "a → false"]) == ["x = 1 → nothing"])
    }

    @Test("warnings, and errors outside the mutants, belong to no mutant")
    func elsewhere() {
        let output = "/copy/Sources/A.swift:5:15: warning: no\n/other/Sources/A.swift:5:1: error: no\nerror: fatal\n"
        #expect(culprits(output, among: ["2 → 3"]).isEmpty)
    }
}
