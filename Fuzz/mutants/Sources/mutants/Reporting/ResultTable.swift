import Foundation

/// The outcome of every mutant, as the page `results/mutants.md`.
struct ResultTable {
    let revision: String
    let seed: UInt64
    let siteCount: Int
    let chosenCount: Int
    let fuzzSeconds: Int
    let mutants: [Mutant]
    let outcomes: [Int: [Stage: Outcome]]
    let equivalent: EquivalentMutants

    static let modules = ["HTTPSemantics", "CacheTiers"]

    var text: String {
        """
        # Mutants

        \(mutants.count) changes of the sources of HTTPSemantics and CacheTiers as of commit \(revision), each meant to break something, with \
        the tests that detected it. Chosen by seed \(seed) from \(siteCount) places, evenly over the operators; \
        \(chosenCount - mutants.count) more did not compile. Made by `Fuzz/fuzz mutants`.

        Every mutant is met by the unit tests and by the replay of the corpora; those that neither kills are fuzzed for \
        \(fuzzSeconds) s, shared by the targets that come to the place\(unfuzzed). Suites and corpora that come to the place are tried one \
        after the other, the quickest first. Times are seconds of processor time until the mutant was killed, of fuzzing \
        the clock's with the start of the script; a time-out counts as killed. An equivalent mutant changes \
        nothing that could be seen, for the reason below the table, and is not counted.

        \(summary)
        \(byOperator)
        ## Survivors

        \(survivors)
        ## All

        | # | place | operator | change | unit tests | replay | fuzzing |
        |---|---|---|---|---|---|---|
        \(mutants.map(row).joined(separator: "\n"))

        """
    }

    // MARK: - Counting

    /// A note on the mutants that were not fuzzed because the run was stopped before.
    private var unfuzzed: String {
        let left = mutants.filter { !isKilled($0) && outcomes[$0.number]?[.fuzzing] == nil }
        let open = left.count { equivalent.reason($0.site) == nil }
        if left.isEmpty { return "" }
        return
            open == 0
            ? "; \(left.count) were not, all of them equivalent, so that nothing was left for fuzzing to kill"
            : "; \(left.count) were not, of which \(open) may still be killed by it"
    }

    private func isKilled(_ mutant: Mutant, by stage: Stage) -> Bool {
        outcomes[mutant.number]?[stage]?.kind == .killed
    }

    func isKilled(_ mutant: Mutant) -> Bool { Stage.allCases.contains { isKilled(mutant, by: $0) } }

    private func counts(_ mutants: [Mutant]) -> [String] {
        let counted = mutants.filter { isKilled($0) || equivalent.reason($0.site) == nil }
        let killed = counted.filter(isKilled).count
        let share = counted.isEmpty ? "n/a" : String(format: "%.1f %%", 100 * Double(killed) / Double(counted.count))
        return [
            "\(mutants.count)", "\(mutants.count - counted.count)",
            "\(counted.filter { isKilled($0, by: .tests) }.count)",
            "\(counted.filter { isKilled($0, by: .replay) }.count)",
            "\(counted.filter { isKilled($0, by: .fuzzing) }.count)", "\(killed) of \(counted.count)", share,
        ]
    }

    private static let columns =
        "mutants | equivalent | killed by unit tests | by replay | by fuzzing alone | killed | share |\n|---|---|---|---|---|---|---|---|"

    private var summary: String {
        let rows = (Self.modules + ["both"]).map { module in
            let part = mutants.filter { module == "both" || $0.site.file.hasPrefix("Sources/Cache/\(module)/") }
            return "| \(([module] + counts(part)).joined(separator: " | ")) |"
        }
        return "| module | \(Self.columns)\n" + rows.joined(separator: "\n") + "\n"
    }

    private var byOperator: String {
        let rows = MutationOperator.allCases.map { mutation in
            "| \(([mutation.rawValue.escaped] + counts(mutants.filter { $0.site.mutation == mutation })).joined(separator: " | ")) |"
        }
        return "| operator | \(Self.columns)\n" + rows.joined(separator: "\n") + "\n"
    }

    // MARK: - One by one

    private var survivors: String {
        let left = mutants.filter { !isKilled($0) }
        if left.isEmpty { return "None.\n" }
        return left.map { mutant in
            let site = mutant.site
            return "- \(mutant.number), \(Self.place(site)): `\(site.change)` in `\(site.line)`. "
                + (equivalent.reason(site).map { "Equivalent: \($0)" } ?? "Not killed.")
        }.joined(separator: "\n") + "\n"
    }

    /// Mutants that are listed as equivalent but were killed: their reasons are wrong.
    var contradictions: [Mutant] { mutants.filter { isKilled($0) && equivalent.reason($0.site) != nil } }

    private func row(_ mutant: Mutant) -> String {
        let site = mutant.site
        let fates = Stage.allCases.map { stage in
            let outcome = outcomes[mutant.number]?[stage]
            return outcome == nil && !isKilled(mutant) ? "not tried" : Self.cell(outcome)
        }
        let change = site.change.count > 90 ? site.change.prefix(90) + "…" : site.change[...]
        let code = "`\(change)`".escaped
        let cells = ["\(mutant.number)", Self.place(site), site.mutation.rawValue.escaped, code] + fates
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func place(_ site: Site) -> String {
        "\(site.file.split(separator: "/").last ?? ""):\(site.lines.lowerBound)"
    }

    private static func cell(_ outcome: Outcome?) -> String {
        guard let outcome else { return "" }
        switch outcome.kind {
        case .unreached: return "not reached"
        case .survived: return "survived"
        case .killed:
            return String(format: "%.2f s ", outcome.seconds) + outcome.detail.escaped
        }
    }
}

extension String {
    /// The text escaped for the cell of a table.
    fileprivate var escaped: String { replacing("|", with: "\\|") }
}
