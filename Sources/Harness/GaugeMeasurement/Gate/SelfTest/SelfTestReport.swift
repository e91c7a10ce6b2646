import Foundation
import GaugeSupport

/// The table of a self-test, as Markdown.
package struct SelfTestReport {
    private let settings: SelfTestRecord.Settings?
    private let rounds: [SelfTestRecord.Round]
    private let instructions: [SelfTestRecord.Instructions]

    package init(_ records: [SelfTestRecord]) {
        settings = records.compactMap { if case .settings(let settings) = $0 { settings } else { nil } }.first
        rounds = records.compactMap { if case .round(let round) = $0 { round } else { nil } }
        instructions = records.compactMap { if case .instructions(let counted) = $0 { counted } else { nil } }
    }

    /// The verdicts on all decisions with the same planted work.
    package struct Tally: Equatable {
        package var decisions = 0
        package var worse = 0
        package var better = 0
        package var equivalent = 0
        package var inconclusive = 0
        package var failed = 0

        package init(_ decisions: [SelfTestRecord.Decision]) {
            self.init(decisions.map { $0.failure == nil ? $0.verdict : nil })
        }

        /// - Parameter verdicts: `nil` for a failure.
        fileprivate init(_ verdicts: [Verdict?]) {
            decisions = verdicts.count
            for verdict in verdicts {
                switch verdict {
                case nil: failed += 1
                case .worse: worse += 1
                case .better: better += 1
                case .equivalent: equivalent += 1
                case .inconclusive: inconclusive += 1
                }
            }
        }
    }

    package func tally(planted size: Double) -> Tally {
        Tally(rounds.flatMap(\.decisions).filter { $0.planted == size })
    }

    package var markdown: String {
        let clean = tally(planted: 0)
        let seconds = rounds.map(\.seconds)
        let delta = settings.map { Quantity.smallPercent($0.delta) } ?? ""
        var text = """
            # The time gate, tested

            Extra work ran inside the measured call of one variant and not of the other; both are the same executable.
            Work is detected when the verdict is *worse by more than \(delta)*; inconclusive counts as not detected.
            Bounds are Clopper and Pearson's at 95 %, one-sided for the clean decisions.

            | planted | decisions | detected | rate, 95 % | equivalent | inconclusive | better |
            |---|---|---|---|---|---|---|

            """
        for size in SelfTestPlan.sizes {
            let tally = tally(planted: size)
            guard tally.decisions > 0 else { continue }
            let bounds = BinomialInterval.interval(tally.worse, of: tally.decisions)
            text += "| \(Quantity.change(size)) | \(tally.decisions) | \(tally.worse) | "
            text += "\(Self.rate(bounds.lowerBound)) to \(Self.rate(bounds.upperBound)) | \(tally.equivalent) | "
            text += "\(tally.inconclusive + tally.failed) | \(tally.better) |\n"
        }
        let bound = clean.decisions > 0 ? BinomialInterval.upperBound(clean.worse, of: clean.decisions) : 1
        text += """

            | clean decisions | false regressions | upper bound, 95 % | equivalent | inconclusive | better |
            |---|---|---|---|---|---|
            | \(clean.decisions) | \(clean.worse) | \(Self.rate(bound)) | \(clean.equivalent) | \
            \(clean.inconclusive + clean.failed) | \(clean.better) |

            """
        if let longest = seconds.max() {
            let usual = Samples(seconds).median ?? longest
            text +=
                "\n\(rounds.count) rounds of \(Self.number(usual)) s (median), the longest \(Self.number(longest)) s."
        }
        text += "\n\n" + benchmarks
        if rounds.contains(where: { $0.decisions.contains { $0.tail != nil } }) { text += "\n" + tails }
        if !instructions.isEmpty { text += "\n" + counted }
        return text
    }

    /// The verdicts on clean decisions, by benchmark.
    private var benchmarks: String {
        var text =
            "| benchmark, clean | decisions | false regressions | equivalent | inconclusive | detectable, median |\n"
        text += "|---|---|---|---|---|---|\n"
        for name in settings?.benchmarks ?? [] {
            let decisions = rounds.flatMap(\.decisions).filter { $0.benchmark == name && $0.planted == 0 }
            let tally = Tally(decisions)
            let resolution = Samples(decisions.compactMap(\.resolution)).median
            text += "| \(name) | \(tally.decisions) | \(tally.worse) | \(tally.equivalent) | "
            text += "\(tally.inconclusive + tally.failed) | "
            text += "\(resolution.map { Quantity.smallPercent($0) } ?? Quantity.missing) |\n"
        }
        return text
    }

    private var tails: String {
        var text = "| 99th percentile, planted | judged | worse | equivalent | inconclusive | better |\n"
        text += "|---|---|---|---|---|---|\n"
        for size in [0] + SelfTestPlan.sizes {
            let tally = tailTally(planted: size)
            text += "| \(size == 0 ? "clean" : Quantity.change(size)) | \(tally.decisions) | \(tally.worse) | "
            text += "\(tally.equivalent) | \(tally.inconclusive) | \(tally.better) |\n"
        }
        return text
    }

    package func tailTally(planted size: Double) -> Tally {
        Tally(rounds.flatMap(\.decisions).filter { $0.planted == size && $0.failure == nil }.compactMap(\.tail))
    }

    private var counted: String {
        var text =
            "| planted work, by callgrind | planted | instructions without | with | more |\n|---|---|---|---|---|\n"
        for row in instructions {
            text += "| \(row.benchmark) | \(Quantity.change(row.size)) | \(Quantity.many(row.without)) | "
            text += "\(Quantity.many(row.with)) | \(Quantity.change(row.with / row.without - 1)) |\n"
        }
        return text
    }

    private static func rate(_ part: Double) -> String { Quantity.smallPercent(part) }

    private static func number(_ value: Double) -> String { Quantity.plain((value * 10).rounded() / 10) }
}
