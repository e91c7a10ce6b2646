import Foundation
import GaugeStatistics
import GaugeSupport

/// The table of the tries of a comparison, as Markdown.
package struct CompareTrialsReport {
    private let tries: [CompareTrials.Try]
    private let delta: Double

    package init(_ tries: [CompareTrials.Try], delta: Double) {
        self.tries = tries
        self.delta = delta
    }

    package var markdown: String {
        var text = """
            # The command compare, tested

            Both sides are the same executable; extra work ran inside the measured call of one side, which changed at
            random. A try is *called* when the verdict names that side as the slower one, and *wrong* when it names the
            other side, or any side of equal ones.

            | benchmark | planted | seconds | tries | called | wrong | equivalent | inconclusive | ± (median) | sets |
            |---|---|---|---|---|---|---|---|---|---|

            """
        var benchmarks: [String] = []
        for next in tries where !benchmarks.contains(next.benchmark) { benchmarks.append(next.benchmark) }
        for benchmark in benchmarks {
            for kind in CompareTrials.kinds {
                let these = tries.filter { $0.benchmark == benchmark && $0.kind == kind }
                if !these.isEmpty { text += line(benchmark, kind, these) }
            }
        }
        text += "\nEquivalent is within \(TimeReport.percent(delta, isSigned: false)).\n\n"
        text += "| try | benchmark | planted | seconds | verdict | change | interval | sets | steal | load |\n"
        text += "|---|---|---|---|---|---|---|---|---|---|\n"
        for (number, next) in tries.enumerated() {
            text += "| \(number + 1) | \(Self.cells(next).joined(separator: " | ")) |\n"
        }
        return text
    }

    private func line(_ benchmark: String, _ kind: CompareTrials.Kind, _ tries: [CompareTrials.Try]) -> String {
        let isPlanted = kind.planted > 0
        let called = isPlanted ? "\(tries.count(where: \.isCalled))" : Quantity.missing
        let wrong = tries.count { $0.isReversed || (!isPlanted && $0.isCalled) }
        func count(_ kind: PairedVerdict.Kind) -> Int { tries.count { $0.verdict.kind == kind } }
        let reach = Samples(
            tries.compactMap { $0.verdict.interval.map { ($0.upperBound - $0.lowerBound) / 2 } }
        ).median
        let sets = Samples(tries.map { Double($0.sets) }).median ?? 0
        let cells = [
            benchmark, TimeReport.percent(kind.planted, isSigned: isPlanted), Quantity.plain(kind.seconds),
            "\(tries.count)", called, "\(wrong)", "\(count(.equivalent))", "\(count(.inconclusive))",
            reach.map { TimeReport.percent($0, isSigned: false) } ?? Quantity.missing, Quantity.plain(sets),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    /// The columns of one try; its change is that of the side with the planted work.
    package static func cells(_ next: CompareTrials.Try) -> [String] {
        let sign = next.isB ? 1.0 : -1.0
        func percent(_ logarithm: Double?) -> String {
            logarithm.map { TimeReport.percent(expm1(sign * $0)) } ?? Quantity.missing
        }
        let interval = next.verdict.interval
        let ends = [percent(interval?.lowerBound), percent(interval?.upperBound)]
        let verdict =
            next.isCalled || next.isReversed
            ? (next.kind.planted > 0 && next.isCalled ? "called" : "wrong") : next.verdict.kind.rawValue
        return [
            next.benchmark, TimeReport.percent(next.kind.planted, isSigned: next.kind.planted > 0),
            Quantity.plain(next.kind.seconds), verdict, percent(next.verdict.change),
            (next.isB ? ends : ends.reversed()).joined(separator: " to "), "\(next.sets)",
            next.stolen.map(Quantity.percent) ?? Quantity.missing, Quantity.each(next.load),
        ]
    }
}
