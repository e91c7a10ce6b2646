import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Choice of benchmarks") struct BenchmarkSelectionTests {
    private static func benchmark(_ name: String, _ suites: Set<String>) -> Benchmark {
        Benchmark(BenchmarkName("stage", name, "tiered"), suites: suites) { _ in
            PreparedBenchmark(.batched { _ in }, outcome: .computed)
        }
    }

    private static let all = [
        benchmark("quick", ["default"]), benchmark("slow", []), benchmark("gigabytes", [BenchmarkSelection.apart]),
    ]

    private func cases(_ filter: String?, _ suite: String?) throws -> [String] {
        try BenchmarkSelection(filter: filter, suite: suite).of(Self.all).map(\.name.case)
    }

    @Test("benchmarks that fill gigabytes are chosen only by their own suite") func apart() throws {
        #expect(try cases(nil, nil) == ["quick", "slow"])
        #expect(try cases(nil, "full") == ["quick", "slow"])
        #expect(try cases(nil, "default") == ["quick"])
        #expect(try cases(nil, "large") == ["gigabytes"])
        #expect(try cases("giga", "large") == ["gigabytes"])
    }

    @Test(
        "a filter that matches nothing in its suite names the suite in which it does",
        arguments: [
            ("slow", "default", "add --suite full"), ("giga", "default", "add --suite large"),
            ("giga", "full", "add --suite large"), ("quick", "large", "add --suite full"),
        ])
    func otherSuite(filter: String, suite: String, remedy: String) {
        let error = #expect(throws: UsageError.self) { try cases(filter, suite) }
        #expect(error.map { "\($0)".hasSuffix(remedy) } == true, "\(String(describing: error))")
    }
}
