import Foundation
import GaugeTraces
import TestSupport
import Testing

@Suite("Commands workloads and policies") struct WorkloadsCommandTests {
    private func workloads(_ arguments: String...) throws -> ChildRun {
        try ChildRun("PlantedGauge", ["workloads"] + arguments)
    }

    @Test("every preset is listed, and every policy") func listed() throws {
        let list = try workloads()
        #expect(list.status == 0)
        for preset in WorkloadPlan.presets { #expect(list.output.contains("  \(preset.name)  "), "\(list.output)") }
        let policies = try ChildRun("PlantedGauge", ["policies"], environment: ["COLUMNS": "200"])
        let names = policies.output.split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(names == PolicyKind.all.map(\.name) + OfflinePolicy.allCases.map(\.rawValue))
    }

    @Test("a workload that is shown can be named again, as text or as a file, and its parts can be changed")
    func shown() throws {
        let scratch = try ScratchDirectory()
        let shown = try workloads("--show", "image-feed")
        #expect(shown.status == 0)
        let file = "\(scratch.path)/feed.json"
        try shown.output.write(toFile: file, atomically: true, encoding: .utf8)
        for name in [file, shown.output.trimmingCharacters(in: .whitespacesAndNewlines)] {
            #expect(try workloads("--show", name).output == shown.output)
        }
        let changed = try workloads(
            "--show=image-feed", "--objects=77", "--keys=zipf,exponent=0.5", "--sizes=constant,bytes=99",
            "--headers=max_age=60,etag=true;no_store=true", "--operations=read=0.5,store=0.5",
            "--revisit=constant,seconds=3", "--duplicates=0.25")
        let plan = try WorkloadPlan(json: Array(changed.output.utf8))
        #expect(plan.objects == 77 && plan.duplicates == 0.25 && plan.name == "image-feed")
        #expect(plan.revisit == .constant(seconds: 3) && plan.headers.count == 2)
        #expect(plan != (try WorkloadPlan(json: Array(shown.output.utf8))))
    }

    @Test(
        "a workload that is not there or cannot be read is told with its fault",
        arguments: [
            (["--show=image-fed"], 64, "there is no workload 'image-fed'; did you mean image-feed?; the presets are "),
            (["--show={\"objects\": 0}"], 64, "the workload: "),
            (["--show=./missing.json"], 1, "cannot be read: No such"),
            (["--show=/proc/self/mem"], 1, "cannot be read: "), (["--keys=ziph"], 64, "--keys: "),
            (["--sizes=constant"], 64, "--sizes: "), (["--headers=max_age=x"], 64, "--headers: "),
            (["--operations=red=1"], 64, "--operations: "), (["--revisit=never"], 64, "--revisit: "),
            (["--duplicates=2"], 64, "--duplicates: "),
        ] as [([String], Int32, String)])
    func refused(arguments: [String], status: Int32, told: String) throws {
        let run = try ChildRun("PlantedGauge", ["workloads"] + arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(told), "\(run.errors)")
    }
}
