import Foundation

/// Compares counts with those that were kept.
struct BaselineComparison {
    let name: String
    let baseline: Baseline
    let key: BaselineKey
    let settings: Baseline.Settings

    /// Why nothing of it can be compared; `nil` when it can.
    var obstacle: String? {
        guard let entry = baseline[key] else {
            return "baseline \(name) has no counts for \(key)"
        }
        guard entry.settings == settings else {
            return "baseline \(name) was counted with other capacities, seed or operations"
        }
        return nil
    }

    /// Judges each benchmark that was counted, and those of the baseline that are `known` no more.
    ///
    /// - Parameter isMeant: whether a benchmark of the baseline, of which there is a name only, would have been counted.
    func comparisons(
        with table: [String: BenchmarkCounts], order: [String], isMeant: (String) -> Bool
    ) -> [CountComparison] {
        if let obstacle {
            return order.map { benchmark in
                var nothing = BenchmarkCounts(failure: obstacle)
                for metric in table[benchmark]?.values.keys.sorted() ?? [] { nothing.reasons[metric] = obstacle }
                return CountComparison(benchmark, base: nothing, head: table[benchmark])
            }
        }
        let kept = baseline[key]?.counts ?? [:]
        let gone = kept.keys.filter { table[$0] == nil && isMeant($0) }.sorted()
        return (order + gone).map { CountComparison($0, base: kept[$0], head: table[$0]) }
    }
}
