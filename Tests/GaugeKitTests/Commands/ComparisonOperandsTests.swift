import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

/// The kinds of operands that the two sides of `compare` are taken for.
@Suite("Sides of compare") struct ComparisonOperandsTests {
    private static func named(_ stage: String, _ name: String, _ subject: String) -> Benchmark {
        Benchmark(BenchmarkName(stage, name, subject), suites: []) { _ in PreparedBenchmark(.batched { _ in }) }
    }

    private static let gauge = Gauge(benchmarks: [
        named("memory", "hit/1k", "tiered"), named("memory", "hit/1k", "main"), named("date", "imf", "sub.json"),
    ])

    private func sides(_ a: String, _ b: String) throws(UsageError) -> ComparisonOperands.Sides {
        try ComparisonOperands(a, b).resolved(in: Self.gauge)
    }

    @Test("names of subjects and rows are subjects, in the order of the sides, before revisions")
    func subjects() throws {
        #expect(try sides("main", "tiered") == .subjects("main", "tiered"))
        #expect(try sides("memory/hit/1k/tiered", "main") == .subjects("memory/hit/1k/tiered", "main"))
        #expect(try sides("sub.json", "main") == .subjects("sub.json", "main"))
        let name = BenchmarkName("memory", "hit/1k", "main")
        #expect(ComparisonOperands.names("main", name) && ComparisonOperands.names("memory/hit/1k/main", name))
        #expect(!ComparisonOperands.names("hit/1k/main", name) && !ComparisonOperands.names("memory", name))
    }

    @Test("a file is results, or an executable where it may be run; a folder, a dot and the rest are builds")
    func files() throws {
        let scratch = try ScratchDirectory()
        let (plain, program) = ("\(scratch.path)/results", "\(scratch.path)/program")
        for path in [plain, program] { try "".write(toFile: path, atomically: true, encoding: .utf8) }
        chmod(program, 0o755)
        #expect(try sides(plain, "missing.json") == .files(plain, "missing.json"))
        #expect(try sides("missing.json", plain) == .files("missing.json", plain))
        #expect(try sides(program, ".") == .builds(.executable(path: program), .workingTree))
        #expect(try sides("v1.0", program) == .builds(.revision("v1.0"), .executable(path: program)))
        #expect(try sides(scratch.path, ".") == .builds(.revision(scratch.path), .workingTree))
    }

    @Test("sides of different kinds are refused, each with its kind, and a subject near the second is named")
    func mixed() throws {
        let message = #expect(throws: UsageError.self) { try sides("a.json", "tierd") }
        #expect(
            message?.description == "a.json is a file of results and tierd is a build; did you mean tiered?; compare "
                + "two of the same kind: subjects, executables or revisions, or files of results")
        let other = #expect(throws: UsageError.self) { try sides("tiered", "a.json") }
        #expect(other?.description.hasPrefix("tiered is a subject and a.json is a file of results; ") == true)
        for (a, b) in [("", "b"), ("a", "")] {
            #expect(throws: UsageError("a side of the comparison is empty; write compare A B")) {
                try ComparisonOperands(a, b)
            }
        }
    }
}
