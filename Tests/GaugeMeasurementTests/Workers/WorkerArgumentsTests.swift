import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Arguments of a worker") struct WorkerArgumentsTests {
    @Test("each setting has its own option, and what is not set has none") func options() {
        var settings = RunSettings(seed: 7, memory: ByteSize(bytes: 1_000), disk: ByteSize(bytes: 2_000))
        let usual = ["worker", "--benchmark=a/b/c", "--directory=/d", "--seed=7", "--memory=1000", "--disk=2000"]
        #expect(WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d") == usual)
        settings.extraWork = 0.03
        #expect(
            WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d", fillSeconds: 2.5)
                == usual + ["--fill-seconds=2.5", "--extra-work=0.03"])
    }

    @Test("a workload's own options come after the settings") func workloads() {
        let settings = RunSettings(
            load: OfferedLoad(arguments: ["--workload={}", "--rate=2.5"], summary: "", isPaced: false))
        let arguments = WorkerArguments.make(benchmark: "a/b/c", settings: settings, directory: "/d")
        #expect(Array(arguments.dropFirst(6)) == ["--workload={}", "--rate=2.5"])
    }
}
