import GaugeKit

@main
struct CacheGauge {
    /// What is measured, in the order of the table. One line a list, so that additions merge.
    static let benchmarks: [[Benchmark]] = [
        HarnessBenchmarks.all,
        ReuseBenchmarks.all,
    ]

    static func main() {
        Gauge(benchmarks: benchmarks.flatMap(\.self)).main()
    }
}
