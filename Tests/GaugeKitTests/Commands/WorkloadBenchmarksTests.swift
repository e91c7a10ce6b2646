import Testing

@testable import GaugeKit
@testable import GaugeTraces

@Suite("Benchmarks of a workload") struct WorkloadBenchmarksTests {
    private class Subject: CacheSubject {
        class var name: String { "own" }
        class var capabilities: SubjectCapabilities { .memory }
        required init(_ configuration: SubjectConfiguration) {}
        func key(for url: String) -> String { url }
        func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
        func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
        func remove(_ key: String) {}
    }

    private final class Peer: Subject {
        override class var name: String { "other" }
        override class var capabilities: SubjectCapabilities { [.memory, .disk] }
    }

    @Test("each subject and each peer has a row, which is compared with the first subject") func rows() throws {
        let plan = try #require(WorkloadPlan.presets.first)
        let load = WorkloadLoad(plan: plan, rate: 5)
        let rows = load.benchmarks(of: Gauge(benchmarks: [], subjects: [Subject.self], peers: [Peer.self]))
        #expect(rows.map(\.name.description) == ["own", "other"].map { "workload/\(plan.name)/\($0)" })
        #expect(rows.map(\.isPeer) == [false, true] && rows.map(\.reference) == ["own", "own"])
        let peers = load.benchmarks(of: Gauge(benchmarks: [], peers: [Peer.self]))
        #expect(peers.map(\.isPeer) == [true] && peers.map(\.reference) == [""])
        #expect(load.benchmarks(of: Gauge(benchmarks: [])).isEmpty)
    }

    @Test("a workload is passed whole, with its rate where it has one") func offered() throws {
        let plan = try #require(WorkloadPlan.presets.first)
        let closed = WorkloadLoad(plan: plan, rate: nil).offered
        #expect(closed.arguments == ["--workload=\(plan.json)"])
        #expect(closed.summary.hasSuffix("; closed loop: each request is sent when the one before it is answered"))
        let open = WorkloadLoad(plan: plan, rate: 2.5).offered
        #expect(open.arguments == ["--workload=\(plan.json)", "--rate=2.5"])
        #expect(open.summary.hasSuffix("; open loop: 2.5 requests a second, each sent when it is due"))
        #expect(open.summary.hasPrefix("workload \(plan.name): "))
    }

    @Test("time is judged in the suite that is named, else in the one for it, else in the default one")
    func timeSelection() {
        func row(_ suites: Set<String>) -> Benchmark {
            Benchmark(BenchmarkName("a", "b", "c"), suites: suites) { _ in PreparedBenchmark(.batched { _ in }) }
        }
        let (usual, own) = (
            Gauge(benchmarks: [row(["default"])]), Gauge(benchmarks: [row(["default"]), row(["time-gate", "x"])])
        )
        for (gauge, suite, expected) in [
            (usual, nil, "default"), (own, nil, "time-gate"), (own, "x", "x"), (usual, "x", "x"),
        ] as [(Gauge, String?, String)] {
            let selection = gauge.timeSelection("f", suite: suite)
            #expect(selection.filter == "f" && selection.suite == expected)
            #expect(gauge.timeSelection(nil, suite: suite).filter == nil)
        }
    }
}
