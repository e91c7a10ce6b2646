import GaugeSupport

/// A command of the executable. Each is in a file with its name, as `RunCommand.swift`, or in that of a command that
/// it serves.
protocol GaugeCommand: Sendable {
    /// The operands and options.
    static var specification: CommandSpecification { get }
    /// Whether its exit code is a judgement, which it reaches even when nobody reads its output any more.
    static var judges: Bool { get }
    /// Reads the arguments, and checks conditions that the specification cannot express.
    init(_ arguments: ParsedArguments) throws
    /// Runs the command. Throws `UsageError` for errors that depend on the benchmarks, such as a filter without a
    /// match.
    func run(_ gauge: Gauge, console: Console) throws -> ExitCode
}

extension GaugeCommand {
    static var judges: Bool { false }
}

extension Gauge {
    /// Every command, in the order of the help. Each has its own line, so that additions merge.
    static let commands: [any GaugeCommand.Type] = [
        RunCommand.self,
        ListCommand.self,
        CompareCommand.self,
        ReportCommand.self,
        WorkloadsCommand.self,
        SimulateCommand.self,
        ReplayCommand.self,
        MRCCommand.self,
        AdviseCommand.self,
        PoliciesCommand.self,
        ReplayWorkerCommand.self,
        VerifyCommand.self,
        GateCommand.self,
        BaselineCommand.self,
        VerifyWorkerCommand.self,
        VerifySubjectCommand.self,
        WorkerCommand.self,
    ]
}
