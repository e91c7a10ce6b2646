import Testing

@testable import GaugeMeasurement
@testable import cachegauge

@Suite("Benchmark list")
struct BenchmarkListTests {
    static let benchmarks = CacheGauge.benchmarks.flatMap(\.self)

    @Test("every name is stage, case and subject in lower case")
    func everyNameIsStageCaseAndSubjectInLowerCase() throws {
        for benchmark in Self.benchmarks {
            let name = benchmark.name.description
            #expect(name.wholeMatch(of: /[a-z0-9-]+(\/[a-z0-9.-]+)+\/[a-z0-9-]+/) != nil, "\(name)")
        }
    }

    @Test("no two benchmarks have one name") func noTwoBenchmarksHaveOneName() {
        let names = Self.benchmarks.map(\.name.description)
        #expect(Set(names).count == names.count)
    }

    @Test("the subjects of this package are under test and everything else is a peer")
    func theSubjectsOfThisPackageAreUnderTestAndEverythingElseIsAPeer() {
        let underTest = CacheGauge.subjects.map { $0.name }
        for benchmark in Self.benchmarks where benchmark.name.stage != "harness" {
            #expect(benchmark.isPeer != underTest.contains(benchmark.name.subject), "\(benchmark.name)")
        }
    }

    @Test("every row is compared with an existing row that does the same work")
    func everyRowIsComparedWithAnExistingRowThatDoesTheSameWork() {
        let names = Set(Self.benchmarks.map(\.name))
        for benchmark in Self.benchmarks where benchmark.isPeer {
            let name = BenchmarkName(benchmark.name.stage, benchmark.name.case, benchmark.reference)
            #expect(names.contains(name), "\(benchmark.name) is compared with \(name)")
        }
    }
}
