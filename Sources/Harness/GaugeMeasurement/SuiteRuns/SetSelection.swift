/// Chooses the benchmarks of a case that its next set measures.
///
/// Those that failed or are precise enough are measured no further. Of the others, those whose sets differ little leave
/// most sets to those whose sets differ much: an allocator or a seed of hashes can change a time by 20 % from process to
/// process, and only more processes make its mean certain. The reference of a chosen benchmark is always chosen.
package struct SetSelection {
    /// One in so many sets measures all benchmarks, so that no row meets one mood of the machine alone.
    package static let wholeSets = 4
    /// An error is small beside another that is so many times as large.
    package static let lesserErrors = 2.0

    private let benchmarks: [Benchmark]
    private let plan: RunPlan
    private var active: [Int]
    private var errors: [Double?]

    package init(_ benchmarks: [Benchmark], plan: RunPlan) {
        self.benchmarks = benchmarks
        self.plan = plan
        active = Array(benchmarks.indices)
        errors = benchmarks.map { _ in nil }
    }

    /// Whether no benchmark needs another set.
    package var isEmpty: Bool { active.isEmpty }

    /// The largest error of the rows so far; `nil` before it is known.
    package var error: Double? { errors.compactMap(\.self).max() }

    /// The positions of the benchmarks to measure in the set with this number, from 0. A given number of sets holds for
    /// every benchmark.
    package func members(ofSet number: Int) -> [Int] {
        guard plan.sets == nil, number % Self.wholeSets > 0, let error else { return active }
        return withReferences(active.filter { errors[$0].map { $0 > error / Self.lesserErrors } ?? true })
    }

    /// Takes the results so far.
    ///
    /// - Parameter rows: the rows of each benchmark.
    package mutating func update(_ measured: [BenchmarkMeasurements], rows: [[ResultRow]]) {
        active.removeAll { measured[$0].failure != nil }
        if plan.precision != nil { active = withReferences(active.filter { !plan.isPrecise(rows[$0]) }) }
        errors = rows.map { RunPlan.error(of: $0) }
    }

    private func withReferences(_ chosen: [Int]) -> [Int] {
        active.filter { position in
            chosen.contains(position)
                || chosen.contains { benchmarks[$0].reference == benchmarks[position].name.subject }
        }
    }
}
