import Foundation
import GaugeSupport

/// The table of a self-test, as Markdown.
package struct SelfTestReport {
    private let settings: SelfTestRecord.Settings?
    private let rounds: [SelfTestRecord.Round]
    private let instructions: [PlantedInstructions]

    package init(_ records: [SelfTestRecord.Line]) {
        settings = records.first?.shared
        rounds = records.compactMap(\.done)
        instructions = records.compactMap(\.counted)
    }

    /// The verdicts on all decisions with the same planted work; `nil` for a failure.
    func verdicts(planted size: Double) -> [Verdict?] {
        decisions { $0.planted == size }.map { $0.failure == nil ? $0.verdict : nil }
    }

    private func decisions(where isMeant: (SelfTestRecord.Decision) -> Bool) -> [SelfTestRecord.Decision] {
        rounds.flatMap { $0.decisions.filter(isMeant) }
    }

    package var markdown: String {
        let delta = settings.map { Quantity.smallPercent($0.delta) } ?? ""
        let clean = verdicts(planted: 0)
        let bound = clean.isEmpty ? 1 : BinomialInterval.upperBound(clean.count { $0 == .worse }, of: clean.count)
        return """
            # The time gate, tested

            Extra work ran inside the measured call of one variant and not of the other; both are the same executable.
            Work is detected when the verdict is *worse by more than \(delta)*; inconclusive counts as not detected.
            Bounds are Clopper and Pearson's at 95 %, one-sided for the clean decisions.

            \(planted)
            \(Table(
                [
                    "clean decisions", "false regressions", "upper bound, 95 %", "equivalent", "inconclusive", "better",
                ], [Self.cells(clean, with: Quantity.smallPercent(bound))]).markdown)\(length)

            \(benchmarks)\(tails)\(counted)
            """
    }

    /// The cells of some verdicts: all, worse, equivalent, inconclusive or failed, and better.
    private static func cells(_ verdicts: [Verdict?], with rate: String? = nil) -> [String] {
        func count(_ verdict: Verdict?) -> Int { verdicts.count { $0 == verdict } }
        return ["\(verdicts.count)", "\(count(.worse))"] + (rate.map { [$0] } ?? [])
            + ["\(count(.equivalent))", "\(count(.inconclusive) + count(nil))", "\(count(.better))"]
    }

    private var planted: String {
        let rows = SelfTestPlan.sizes.map { ($0, verdicts(planted: $0)) }.filter { !$1.isEmpty }.map { size, verdicts in
            let bounds = BinomialInterval.interval(verdicts.count { $0 == .worse }, of: verdicts.count)
            return [Quantity.change(size)]
                + Self.cells(verdicts, with: Quantity.ends(bounds, Quantity.smallPercent))
        }
        return Table(
            ["planted", "decisions", "detected", "rate, 95 %", "equivalent", "inconclusive", "better"], rows
        ).markdown
    }

    private var length: String {
        let seconds = rounds.map(\.seconds)
        guard let longest = seconds.max(), let usual = Samples(seconds).median else { return "" }
        return "\n\(rounds.count) rounds of \(Self.number(usual)) s (median), the longest \(Self.number(longest)) s."
    }

    /// The verdicts on clean decisions, by benchmark.
    private var benchmarks: String {
        let rows = (settings?.benchmarks ?? []).map { name in
            let clean = decisions { $0.benchmark == name && $0.planted == 0 }
            let resolution = Samples(clean.compactMap(\.resolution)).median
            return [name] + Self.cells(clean.map { $0.failure == nil ? $0.verdict : nil }).dropLast()
                + [resolution.map(Quantity.smallPercent) ?? Quantity.missing]
        }
        return Table(
            [
                "benchmark, clean", "decisions", "false regressions", "equivalent", "inconclusive",
                "detectable, median",
            ], rows
        ).markdown
    }

    private var tails: String {
        guard !decisions(where: { $0.tail != nil }).isEmpty else { return "" }
        let rows = ([0] + SelfTestPlan.sizes).map { size in
            [size == 0 ? "clean" : Quantity.change(size)]
                + Self.cells(decisions { $0.planted == size && $0.failure == nil }.compactMap(\.tail))
        }
        return "\n"
            + Table(
                ["99th percentile, planted", "judged", "worse", "equivalent", "inconclusive", "better"], rows
            ).markdown
    }

    private var counted: String {
        guard !instructions.isEmpty else { return "" }
        let rows = instructions.map { row in
            [
                row.benchmark, Quantity.change(row.size), Quantity.many(row.without), Quantity.many(row.with),
                Quantity.change(row.with / row.without - 1),
            ]
        }
        return "\n"
            + Table(["planted work, by callgrind", "planted", "instructions without", "with", "more"], rows).markdown
    }

    private static func number(_ value: Double) -> String { Quantity.plain((value * 10).rounded() / 10) }
}
