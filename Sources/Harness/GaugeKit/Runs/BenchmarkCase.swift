/// The benchmarks that are measured in alternation, since their figures are compared: one stage, one case.
struct BenchmarkCase {
    /// `stage/case`.
    let name: String
    /// One a subject, in the order in which they were listed.
    let benchmarks: [Benchmark]

    /// Groups benchmarks, keeping the order in which cases first appear.
    static func grouping(_ benchmarks: [Benchmark]) -> [BenchmarkCase] {
        var order: [String] = []
        var groups: [String: [Benchmark]] = [:]
        for benchmark in benchmarks {
            let name = "\(benchmark.name.stage)/\(benchmark.name.case)"
            if groups[name] == nil { order.append(name) }
            groups[name, default: []].append(benchmark)
        }
        return order.map { BenchmarkCase(name: $0, benchmarks: groups[$0] ?? []) }
    }
}
