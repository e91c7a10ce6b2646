import Testing

@testable import mutants

@Suite struct ChoiceTests {
    static let sites = SiteFinder.sites(
        in: (0..<200).map { "func f\($0)(a: Int, b: Int) -> Bool { a + \($0) < b && true }" }.joined(separator: "\n"),
        file: "Many.swift")

    @Test("the same seed chooses the same, another seed something else")
    func seeded() {
        let first = Choice.sites(40, of: Self.sites, seed: 1)
        #expect(first == Choice.sites(40, of: Self.sites, seed: 1))
        #expect(first != Choice.sites(40, of: Self.sites, seed: 2))
    }

    @Test("the operators have equal parts, and no line is chosen twice")
    func even() {
        let chosen = Choice.sites(40, of: Self.sites, seed: 3)
        #expect(chosen.count == 40)
        #expect(Set(chosen.map(\.lines.lowerBound)).count == 40)
        let sizes = Dictionary(grouping: chosen, by: \.mutation).values.map(\.count)
        #expect(sizes.max().map { largest in sizes.filter { largest - $0 <= 1 }.count >= 5 } == true, "\(sizes)")
    }

    @Test("a choice of few has other operators with another seed, in the end all of them")
    func fewOfAll() {
        let choices = (1...40).map { Set(Choice.sites(3, of: Self.sites, seed: $0).map(\.mutation)) }
        #expect(choices.allSatisfy { $0.count == 3 })
        #expect(Set(choices.joined()) == Set(Self.sites.map(\.mutation)))
    }

    @Test("where there are fewer sites than asked for, all are taken")
    func few() {
        let sites = SiteFinder.sites(in: "let x = 1", file: "One.swift")
        #expect(Choice.sites(10, of: sites, seed: 1) == sites)
    }

    @Test("of two pairs of statements that share one, one is chosen")
    func crossing() {
        let sites = SiteFinder.sites(in: "func f() {\n    a()\n    b()\n    c()\n}", file: "Three.swift")
            .filter { $0.mutation == .order }
        #expect(sites.map(\.original) == ["a(); b()", "b(); c()"])
        #expect(Choice.sites(10, of: sites, seed: 1).count == 1)
    }

    @Test("groups have their turns, each in an order that the seed gives")
    func turns() {
        let groups = [Array(0..<20), Array(100..<103), []]
        let all = Choice.inTurns(groups, seed: 1)
        #expect(all.sorted() == groups.joined().sorted() && all == Choice.inTurns(groups, seed: 1))
        #expect(all.prefix(6).map { $0 >= 100 } == [false, true, false, true, false, true])
        #expect(all.filter { $0 < 100 } != Array(0..<20))
    }
}
