import GaugeKit

@main
struct MyGauge {
    static func main() { Gauge(benchmarks: [size], executable: "MyGauge").main() }

    static let size = Benchmark(BenchmarkName("parse", "size", "mine")) { _ in
        let texts = (0..<256).map { Array("\($0 * 37)K".utf8) }
        return PreparedBenchmark(
            .batched { operations in
                for number in 0..<operations { blackHole(texts[number & 255].count) }
            })
    }
}
