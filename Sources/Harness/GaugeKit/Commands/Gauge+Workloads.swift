import GaugeSupport
import GaugeTraces

/// `workloads`: lists the presets, or prints one as the start of a workload file.
struct WorkloadsCommand: GaugeCommand {
    static let show = CommandOption.text(
        "show", "NAME", help: "prints a workload as JSON, to change and pass to --workload FILE")

    static let specification = CommandSpecification(
        name: "workloads", summary: "Lists the workloads that come with the harness, or shows one.",
        options: [show.specification] + WorkloadOptions.changes, notes: [WorkloadOptions.note])

    let shown: WorkloadPlan?

    init(_ arguments: ParsedArguments) throws {
        shown = try WorkloadOptions.plan(named: arguments[Self.show], arguments)
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        if let shown {
            try console.write(shown.json + "\n")
        } else {
            try console.write(HelpText.table(WorkloadPlan.presets.map { ($0.name, $0.models) }) + "\n")
        }
        return .ok
    }
}
