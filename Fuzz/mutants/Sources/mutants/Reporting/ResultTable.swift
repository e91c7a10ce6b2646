import Foundation

/// The outcome of every mutant, as the page `results/mutants.md`.
struct ResultTable {
    let revision: String
    let modules: [String]
    let seed: UInt64
    let siteCount: Int
    let droppedCount: Int
    /// The chosen mutants that weren't reached before the run was stopped.
    let untriedCount: Int
    let fuzzSeconds: Int
    let mutants: [Mutant]
    let outcomes: [Int: [Stage: Outcome]]
    /// The suites and targets that fail without a mutant and were left out.
    let failing: [String]
    let equivalent: EquivalentMutants
    /// The section on mistakes made by hand, which the tool doesn't know.
    let byHand: String

    var text: String {
        """
        # Mutants

        \(mutants.count) changes of the sources as of commit \(revision), each meant to break something, with the tests \
        that detected it. Chosen by seed \(seed) from \(siteCount) places, in each module evenly over the operators; \
        \(droppedCount) candidates more did not compile\(untried). Made by `Fuzz/fuzz mutants`.

        Every mutant is met by the unit tests, and those that they leave by the replay of the corpora\(fuzzing)\
        \(unfuzzed). Suites and corpora that reach the place are tried one after the other, the quickest first. Times are seconds of processor time until \
        the mutant was killed, of fuzzing the clock's with the start of the script; a time-out counts as killed. An \
        equivalent mutant changes nothing that could be seen, for the reason below the table, and is not counted.
        \(leftOut)
        \(summary)
        \(byOperator)
        ## Survivors

        \(survivors)
        ## All

        | # | place | operator | change | unit tests | replay | fuzzing |
        |---|---|---|---|---|---|---|
        \(mutants.map(row).joined(separator: "\n"))

        \(byHand)
        """
    }

    private var untried: String {
        untriedCount == 0 ? "" : ", and \(untriedCount) were not tried before the run was stopped"
    }

    private var leftOut: String {
        failing.isEmpty
            ? "" : "\nLeft out, since they fail in this build without a mutant: \(failing.joined(separator: ", ")).\n"
    }

    // MARK: - Counting

    private var fuzzing: String {
        fuzzSeconds == 0
            ? ""
            : "; those that neither kills are fuzzed for \(fuzzSeconds) s, shared by the targets that reach the place"
    }

    /// A note on mutants that weren't fuzzed because the run was stopped before.
    private var unfuzzed: String {
        guard fuzzSeconds > 0 else { return "" }
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
        "mutants | equivalent | killed by unit tests | by replay alone | by fuzzing alone | killed | share |\n|---|---|---|---|---|---|---|---|"

    private var summary: String {
        var rows = modules.map { folder in
            let part = mutants.filter { $0.site.file.hasPrefix(folder + "/") }
            return "| \(([Modules.name(of: folder)] + counts(part)).joined(separator: " | ")) |"
        }
        rows.append("| \((["all"] + counts(mutants)).joined(separator: " | ")) |")
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

    /// Mutants listed as equivalent but were killed: their reasons are wrong.
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
    /// The text, escaped for a table's cell.
    fileprivate var escaped: String { replacing("|", with: "\\|") }
}
