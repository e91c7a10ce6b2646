import GaugeSupport
import GaugeTraces

/// `policies`: lists the policies that `mrc` simulates.
struct PoliciesCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "policies", summary: "Lists the eviction policies that mrc simulates.", options: [])

    init(_ arguments: ParsedArguments) {}

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        try console.write(HelpText.table(PolicyKind.all.map { ($0.name, $0.summary) }) + "\n")
        return .ok
    }
}
