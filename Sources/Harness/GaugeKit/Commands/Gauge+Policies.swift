import GaugeSupport
import GaugeTraces

/// `policies`: lists the policies that `mrc` simulates.
struct PoliciesCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "policies", summary: "Lists the eviction policies that mrc simulates.", options: [])

    init(_ arguments: ParsedArguments) {}

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let rows =
            PolicyKind.all.map { ($0.name, $0.summary) } + OfflinePolicy.allCases.map { ($0.rawValue, $0.summary) }
        try console.write(HelpText.table(rows) + "\n")
        return .ok
    }
}
