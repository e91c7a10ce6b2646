import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Benchmarks that a build lists") struct RevisionBenchmarksTests {
    private func list(_ selection: BenchmarkSelection) throws -> [ListedBenchmark] {
        try RevisionBenchmarks.list(
            of: "\(CountedBuilds.folder)/listing", selection, title: "the base", interruption: nil)
    }

    @Test("an executable is asked with the suite and the filter, and its peers are left out") func options() throws {
        for (selection, options) in [
            (BenchmarkSelection(), ""), (.init(filter: "^a"), " --filter=^a"), (.init(suite: "full"), " --suite=full"),
            (.init(filter: "b", suite: "c"), " --suite=c --filter=b"),
        ] {
            let name = "list --format=json\(options)"
            #expect(try list(selection) == [ListedBenchmark(name: name, entries: 7)])
            let names = try RevisionBenchmarks.names(
                of: "\(CountedBuilds.folder)/listing", selection, title: "the base", interruption: nil)
            #expect(names == [name])
        }
    }

    @Test("an executable without these benchmarks lists none, and one that cannot list is an error with its last words")
    func failures() throws {
        #expect(try list(.init(filter: "unknown")) == [])
        for (filter, reason) in [("broken", ": last line"), ("silent", ""), ("odd", "")] {
            let error = "the base does not list its benchmarks\(reason); its main has to be Gauge.main"
            #expect(throws: GaugeError(error)) { try list(.init(filter: filter)) }
        }
    }

    @Test("a build fails for the first line that says error, else for its last line, else for its exit code")
    func reason() {
        for (output, errors, reason) in [
            ("one\n  x.swift:1: error: first\nerror: second", "error: third", "x.swift:1: error: first"),
            ("one", "two\nwarning: 3 errors  \n", "warning: 3 errors"), ("one\n two ", "", "two"),
            ("", "", "swift ended with 3"),
        ] {
            #expect(ProductBuild.reason(Tool.Outcome(status: 3, output: output, errors: errors)) == reason)
        }
    }
}
