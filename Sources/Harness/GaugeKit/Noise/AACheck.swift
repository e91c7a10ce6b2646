/// Measures a few benchmarks against themselves: two workers of the same code, in alternation as any two subjects are.
/// Whatever difference they show is none of the code's, and a difference as small means nothing in this run.
struct AACheck {
    /// As many cases are checked, from the beginning, the middle and the end of a run.
    static let most = 3

    /// The positions among `cases` after which a benchmark is measured against itself.
    let positions: Set<Int>

    init(cases: [BenchmarkCase]) {
        let possible = cases.indices.filter { Self.benchmark(of: cases[$0]) != nil }
        let chosen = (0..<Self.most).map { possible.count * (2 * $0 + 1) / (2 * Self.most) }
        positions = Set(chosen.filter { possible.indices.contains($0) }.map { possible[$0] })
    }

    /// The subject under test, whose differences are what a run is for.
    static func benchmark(of next: BenchmarkCase) -> Benchmark? { next.benchmarks.first { !$0.isPeer } }

    /// What is measured after the case: twice the same.
    static func twice(_ benchmarkCase: BenchmarkCase) -> BenchmarkCase? {
        benchmark(of: benchmarkCase).map { BenchmarkCase(name: "\(benchmarkCase.name) twice", benchmarks: [$0, $0]) }
    }

    /// How far the two were apart, as a part: 0.02 when one took 1.02 times as long; `nil` when one of them failed.
    static func difference(_ results: [SubjectResult]) -> Double? {
        let rows = results.compactMap { Row.rows(of: [$0], seed: 0).first }
        guard rows.count == 2, let ratio = Row.ratio(rows[0], to: rows[1]), ratio > 0 else { return nil }
        return max(ratio, 1 / ratio) - 1
    }
}
