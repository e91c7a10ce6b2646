/// The benchmarks of one stage and case, which are measured in alternation because their figures are compared.
package struct BenchmarkCase {
    /// `stage/case`.
    package let name: String
    /// One benchmark for each subject, in listed order.
    package let benchmarks: [Benchmark]
    /// Whether it measures one benchmark against itself (see `AACheck`).
    package var isControl = false

    /// The suite of the benchmarks that are measured first, together with their peers, however little time there is.
    package static let headline = "headline"

    /// Whether it is measured first, and completely.
    package var isHeadline: Bool { benchmarks.contains { $0.suites.contains(Self.headline) } }

    /// Groups benchmarks in the order in which their cases first appear.
    package static func grouping(_ benchmarks: [Benchmark]) -> [BenchmarkCase] {
        var order: [String] = []
        var groups: [String: [Benchmark]] = [:]
        for benchmark in benchmarks {
            let name = "\(benchmark.name.stage)/\(benchmark.name.case)"
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(benchmark)
        }
        return order.compactMap { name in groups[name].map { BenchmarkCase(name: name, benchmarks: $0) } }
    }
}
