import GaugeSupport
import GaugeTraces
import Testing

@testable import GaugeMeasurement

@Suite("Arguments of a worker")
struct WorkerArgumentsTests {
    @Test("each setting has its own option, and what is not set has none")
    func options() {
        var settings = RunSettings(seed: 7, memory: ByteSize(bytes: 1_000), disk: ByteSize(bytes: 2_000))
        let usual = [
            "worker", "--benchmark=a/b/c", "--directory=/d", "--seed=7", "--memory=1000", "--disk=2000",
        ]
        #expect(WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d") == usual)
        settings.extraWork = 0.03
        #expect(
            WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d", fillSeconds: 2.5)
                == usual + ["--fill-seconds=2.5", "--extra-work=0.03"])
    }

    @Test("a workload is passed whole, with its rate where it has one")
    func workloads() throws {
        let plan = try #require(WorkloadPlan.presets.first)
        let closed = WorkloadLoad(plan: plan, rate: nil)
        #expect(closed.arguments == ["--workload=\(plan.json)"])
        #expect(closed.summary.hasSuffix("; closed loop: each request is sent when the one before it is answered"))
        let open = WorkloadLoad(plan: plan, rate: 2.5)
        #expect(open.arguments == ["--workload=\(plan.json)", "--rate=2.5"])
        #expect(open.summary.hasSuffix("; open loop: 2.5 requests a second, each sent when it is due"))
        #expect(open.summary.hasPrefix("workload \(plan.name): "))
        let settings = RunSettings(load: open)
        let arguments = WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d")
        #expect(Array(arguments.dropFirst(6)) == open.arguments)
    }
}
