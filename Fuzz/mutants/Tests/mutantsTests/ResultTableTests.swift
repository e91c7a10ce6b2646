import Testing

@testable import mutants

@Suite struct ResultTableTests {
    static let mutants = SiteFinder.sites(
        in: "let x = a < b\nlet y = 7\nlet z = true", file: "Sources/Cache/CacheTiers/A.swift"
    )
    .enumerated().map { Mutant(number: $0 + 1, site: $1) }

    private func table(_ equivalent: String = "") throws -> ResultTable {
        let killed = Outcome(kind: .killed, seconds: 0.25, detail: "etag: a promise")
        let survived = Outcome(kind: .survived, seconds: 1, detail: "")
        let isKilled: (Mutant) -> Bool = { $0.site.mutation != .constant }
        return ResultTable(
            revision: "abc", modules: ["Sources/Cache/CacheTiers"], seed: 1, siteCount: 9, droppedCount: 5,
            untriedCount: 3,
            fuzzSeconds: 60, mutants: Self.mutants,
            outcomes: Dictionary(
                uniqueKeysWithValues: Self.mutants.map { ($0.number, [.replay: isKilled($0) ? killed : survived]) }),
            failing: [], equivalent: try EquivalentMutants(equivalent), byHand: "## By hand")
    }

    @Test("an equivalent mutant is shown with its reason and not counted")
    func equivalentIsNotCounted() throws {
        #expect(try table().text.contains("| CacheTiers | 4 | 0 | 0 | 2 | 0 | 2 of 4 | 50.0 % |"))
        let text = try table(
            """
            # A comment.
            Sources/Cache/CacheTiers/A.swift
            wrong constant
            let y = 7
            7 → 8
            No code reads
            it.
            """
        ).text
        #expect(text.contains("| CacheTiers | 4 | 1 | 0 | 2 | 0 | 2 of 3 | 66.7 % |"))
        #expect(text.contains("Equivalent: No code reads it.") && text.contains("Not killed."))
    }

    @Test("what was not fuzzed is told")
    func unfuzzed() throws {
        let text = try table().text
        #expect(text.contains("; 2 were not, of which 2 may still be killed by it. Suites"))
        #expect(text.contains("| survived | not tried |"))
        let listed = Self.mutants.filter { $0.site.mutation == .constant }.map { mutant in
            (EquivalentMutants.key(of: mutant.site) + ["No code reads it."]).joined(separator: "\n")
        }
        #expect(
            try table(listed.joined(separator: "\n\n")).text.contains(
                "; 2 were not, all of them equivalent, so that nothing was left for fuzzing to kill. Suites"))
    }

    @Test("a mutant that is named as equivalent and was killed is counted and given away")
    func contradiction() throws {
        let table = try table(
            "Sources/Cache/CacheTiers/A.swift\nflipped comparison\nlet x = a < b\na < b → (a) >= (b)\nWrong.")
        #expect(table.contradictions.map(\.site.mutation) == [.comparison])
        #expect(table.text.contains("| CacheTiers | 4 | 0 | 0 | 2 | 0 | 2 of 4 | 50.0 % |"))
    }

    @Test("a bar in the text of a mutant does not end the cell")
    func escaped() throws {
        for line in try table().text.split(separator: "\n") where line.contains("swapped &&") {
            #expect(line.hasPrefix("| swapped && and \\|\\| | 0 |"))
        }
    }

    @Test("a paragraph without a reason is refused")
    func noReason() {
        #expect(throws: Failure.self) { try EquivalentMutants("A.swift\nwrong constant\nlet y = 7\n7 → 8") }
    }

    @Test("a run that was stopped says how many are left, and the mistakes made by hand stand at the end")
    func parts() throws {
        let text = try table().text
        #expect(text.contains("5 candidates more did not compile, and 3 were not tried before the run was stopped."))
        #expect(text.trimmed.hasSuffix("## By hand"))
    }
}
