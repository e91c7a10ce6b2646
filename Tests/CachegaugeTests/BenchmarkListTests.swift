import Testing

@testable import GaugeMeasurement
@testable import cachegauge

@Suite("Benchmark list")
struct BenchmarkListTests {
    static let benchmarks = CacheGauge.benchmarks.flatMap(\.self)

    @Test func `every name is stage, case and subject in lower case`() throws {
        for benchmark in Self.benchmarks {
            let name = benchmark.name.description
            #expect(name.wholeMatch(of: /[a-z0-9-]+(\/[a-z0-9.-]+)+\/[a-z0-9-]+/) != nil, "\(name)")
        }
    }

    @Test func `no two benchmarks have one name`() {
        let names = Self.benchmarks.map(\.name.description)
        #expect(Set(names).count == names.count)
    }

    @Test func `the subjects of this package are under test and everything else is a peer`() {
        let underTest = CacheGauge.subjects.map { $0.name }
        for benchmark in Self.benchmarks where benchmark.name.stage != "harness" {
            #expect(benchmark.isPeer != underTest.contains(benchmark.name.subject), "\(benchmark.name)")
        }
    }

    @Test func `every row is compared with one that is there and does the same work`() {
        let names = Set(Self.benchmarks.map(\.name))
        for benchmark in Self.benchmarks where benchmark.isPeer {
            let name = BenchmarkName(benchmark.name.stage, benchmark.name.case, benchmark.reference)
            #expect(names.contains(name), "\(benchmark.name) is compared with \(name)")
        }
    }
}
