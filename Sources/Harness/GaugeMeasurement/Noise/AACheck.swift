import GaugeStatistics

/// Measures a few benchmarks against themselves, in two workers of the same code that alternate as any two subjects do.
/// The code cannot cause their difference, so a difference of the same size means nothing in this run.
package struct AACheck {
    /// The number of cases that are checked, at the beginning, middle and end of a run.
    package static let most = 3

    /// The positions among `cases` of those whose benchmark is also measured against itself.
    package let positions: [Int]

    package init(cases: [BenchmarkCase]) {
        let possible = cases.indices.filter { Self.benchmark(of: cases[$0]) != nil }
        let chosen = (0..<Self.most).map { possible.count * (2 * $0 + 1) / (2 * Self.most) }
        var seen: Set<Int> = []
        positions = chosen.filter { possible.indices.contains($0) && seen.insert($0).inserted }.map { possible[$0] }
    }

    /// The subject under test, whose differences matter in a run; `nil` for the suite `large`, since two of its tiers
    /// need twice the space on disk.
    package static func benchmark(of next: BenchmarkCase) -> Benchmark? {
        next.benchmarks.first { !$0.isPeer && !$0.suites.contains(BenchmarkSelection.apart) }
    }

    /// The case to measure next: the same benchmark twice.
    package static func twice(_ benchmarkCase: BenchmarkCase) -> BenchmarkCase? {
        benchmark(of: benchmarkCase).map {
            BenchmarkCase(name: "\(benchmarkCase.name) twice", benchmarks: [$0, $0], isControl: true)
        }
    }

    /// The relative difference of the two, by the estimate of a row's ratio: 0.02 when one took 1.02 times as long;
    /// `nil` when one of them failed.
    package static func difference(_ results: [BenchmarkMeasurements], speed: FullSpeed? = nil) -> Double? {
        let rows = results.compactMap { ResultRow.rows(of: [$0], speed: speed, seed: 0).first }
        guard rows.count == 2, let ratio = ResultRow.ratio(rows[0], to: rows[1])?.estimate.value, ratio > 0 else {
            return nil
        }
        return max(ratio, 1 / ratio) - 1
    }
}
