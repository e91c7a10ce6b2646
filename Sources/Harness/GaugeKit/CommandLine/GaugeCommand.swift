/// A command of the executable. One file each, `Gauge+Name.swift`.
protocol GaugeCommand: Sendable {
    /// What it takes.
    static var specification: CommandSpecification { get }
    /// Reads its arguments, and checks what the specification cannot.
    init(_ arguments: ParsedArguments) throws
    /// Does it. Throws `UsageError` for what only the benchmarks can tell: a filter that matches nothing.
    func run(_ gauge: Gauge, console: Console) throws -> ExitCode
}

extension Gauge {
    /// Every command, in the order of the help. One line a command, so that additions merge.
    static let commands: [any GaugeCommand.Type] = [
        RunCommand.self,
        ListCommand.self,
        ReportCommand.self,
        WorkloadsCommand.self,
        SimulateCommand.self,
        ReplayCommand.self,
        MRCCommand.self,
        ReplayWorkerCommand.self,
        VerifyCommand.self,
        GateCommand.self,
        BaselineCommand.self,
        VerifyWorkerCommand.self,
        WorkerCommand.self,
    ]
}
