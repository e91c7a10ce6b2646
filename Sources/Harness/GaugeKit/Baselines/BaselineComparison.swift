/// Compares new counts with a baseline.
package struct BaselineComparison {
    package let name: String
    package let baseline: Baseline
    package let key: BaselineKey
    package let settings: Baseline.Settings

    /// The reason why no comparison is possible; `nil` when it is possible.
    package var obstacle: String? {
        guard let entry = baseline[key] else { return "baseline \(name) has no counts for \(key)" }
        guard entry.settings == settings else {
            return "baseline \(name) was counted with other capacities, seed or operations"
        }
        return nil
    }

    /// The counts to compare with; none if that is not possible.
    package var kept: [String: BenchmarkCounts] { obstacle == nil ? baseline[key]?.counts ?? [:] : [:] }

    /// Judges each benchmark that was counted, and each of the baseline's that is no longer `known`.
    ///
    /// - Parameter isMeant: whether the selection includes a benchmark of the baseline, given only its name.
    package func comparisons(
        with table: [String: BenchmarkCounts], order: [String], isMeant: (String) -> Bool
    ) -> [CountComparison] {
        if let obstacle {
            return order.map { benchmark in
                var nothing = BenchmarkCounts(failure: obstacle)
                for metric in table[benchmark]?.values.keys.sorted() ?? [] { nothing.reasons[metric] = obstacle }
                return CountComparison(benchmark, base: nothing, head: table[benchmark])
            }
        }
        let kept = kept
        let gone = kept.keys.filter { table[$0] == nil && isMeant($0) }.sorted()
        return (order + gone).map { benchmark in
            var base = kept[benchmark]
            for metric in table[benchmark]?.values.keys.sorted() ?? [] where base?.values[metric] == nil {
                base?.reasons[metric] =
                    "the baseline has no such count, as earlier versions left out what varies; make it again with "
                    + "baseline update"
            }
            return CountComparison(benchmark, base: base, head: table[benchmark])
        }
    }
}
