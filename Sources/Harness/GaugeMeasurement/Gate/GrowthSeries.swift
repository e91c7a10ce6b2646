import GaugeSupport

/// Benchmarks that do the same with different numbers of entries: `memory/hit/1k/mine`, `…/10k/…`, `…/100k/…`.
package struct GrowthSeries: Equatable, Sendable {
    /// The common name: `memory/hit/*/mine`.
    package let name: String
    /// The benchmarks, by increasing number of entries.
    package let members: [Member]

    package struct Member: Equatable, Sendable {
        package let benchmark: String
        package let entries: Int
    }

    /// The series among listed benchmarks, each with at least three sizes, in the order of their first members.
    package static func all(in listed: [ListedBenchmark]) -> [GrowthSeries] {
        let members = listed.compactMap { benchmark in
            benchmark.entries.flatMap { $0 > 1 ? Member(benchmark: benchmark.name, entries: $0) : nil }
        }
        return members.grouped { commonName(of: $0.benchmark, entries: $0.entries) }.compactMap { name, members in
            guard Set(members.map(\.entries)).count >= GrowthOrder.leastSizes else { return nil }
            return GrowthSeries(name: name, members: members.sorted { $0.entries < $1.entries })
        }
    }

    /// The series of either build, each with the members of both.
    package static func all(in base: [ListedBenchmark], or head: [ListedBenchmark]) -> [GrowthSeries] {
        let either = Set((all(in: base) + all(in: head)).map(\.name))
        let kept = Set(head.map(\.name))
        return all(in: head + base.filter { !kept.contains($0.name) }).filter { either.contains($0.name) }
    }

    /// The series reduced to members of both builds with equal numbers of entries; `nil` if fewer than three sizes are
    /// left.
    package func shared(_ base: [ListedBenchmark], _ head: [ListedBenchmark]) -> GrowthSeries? {
        let shared = members.filter { member in
            [base, head].allSatisfy { $0.contains { $0.name == member.benchmark && $0.entries == member.entries } }
        }
        guard Set(shared.map(\.entries)).count >= GrowthOrder.leastSizes else { return nil }
        return GrowthSeries(name: name, members: shared)
    }

    /// The name with `*` in place of the number: `1000`, `1k`. Without a number, `*` goes before the subject:
    /// `memory/miss/tiered`.
    private static func commonName(of name: String, entries: Int) -> String {
        var parts = name.split(separator: "/").map(String.init)
        let labels = ["\(entries)"] + (entries % 1_000 == 0 ? ["\(entries / 1_000)k"] : [])
        if let place = parts.firstIndex(where: labels.contains) {
            parts[place] = "*"
        } else {
            parts.insert("*", at: max(0, parts.count - 1))
        }
        return parts.joined(separator: "/")
    }
}

/// How the cost of an operation grows in one build.
package struct Growth: Equatable, Sendable {
    package let order: GrowthOrder
    /// Instructions of one operation, by increasing number of entries.
    package let costs: [Double]
    /// The functions at the largest number of entries.
    package let functions: [InstructionCount.Function]
    /// The cost at the largest number of entries over that at the smallest.
    package let factor: Double

    /// `nil` if a member wasn't counted.
    package init?(of series: GrowthSeries, counts: [String: InstructionCount]) {
        let found = series.members.compactMap { counts[$0.benchmark] }
        guard found.count == series.members.count, let first = found.first, let last = found.last,
            let order = GrowthOrder(fitting: zip(series.members, found).map { (Double($0.entries), $1.perOperation) })
        else { return nil }
        self.order = order
        costs = found.map(\.perOperation)
        functions = last.functions
        factor = last.perOperation / first.perOperation
    }

    /// A smaller difference of factors is no other order: a curve can lie near two.
    package static let leastChange = 1.2

    package static func verdict(base: Growth, head: Growth) -> CountVerdict {
        if head.order > base.order, head.factor > base.factor * leastChange { return .worse }
        if head.order < base.order, head.factor * leastChange < base.factor { return .better }
        return .equivalent
    }
}

extension CountComparison {
    package init(_ series: GrowthSeries, base: Growth?, head: Growth?) {
        func count(_ growth: Growth?) -> RepeatedCount? {
            growth.map { RepeatedCount(Double($0.order.rawValue), Double($0.order.rawValue)) }
        }
        let verdict: CountVerdict =
            if let base, let head { Growth.verdict(base: base, head: head) } else {
                .notComparable(base == nil ? "the base does not count all sizes" : "not all sizes were counted")
            }
        var (causes, note): ([FunctionChange], String?) = ([], nil)
        if let base, let head, verdict != .equivalent {
            let sizes = series.members.map { "\($0.entries)" }.joined(separator: ", ")
            func text(_ growth: Growth) -> String { growth.costs.map(GateTable.number).joined(separator: ", ") }
            causes = FunctionChange.changes(from: base.functions, to: head.functions)
            note = "instructions at \(sizes) entries: \(text(base)) → \(text(head))"
        }
        self.init(
            benchmark: series.name,
            lines: [Line(metric: .growth, base: count(base), head: count(head), verdict: verdict)],
            causes: causes, note: note)
    }
}
