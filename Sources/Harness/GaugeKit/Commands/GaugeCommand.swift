/// A command of the executable, in a file with its name, e.g. `RunCommand.swift`, or with the command that it serves.
protocol GaugeCommand: Sendable {
    /// The operands and options.
    static var specification: CommandSpecification { get }
    /// Whether its exit code is a judgement, to be reached even if nobody reads its output anymore.
    static var judges: Bool { get }
    /// Reads the arguments, and checks what the specification can't express.
    init(_ arguments: ParsedArguments) throws
    /// Runs the command. Throws `UsageError` for errors that depend on the benchmarks, e.g. a filter without a match.
    func run(_ gauge: Gauge, console: Console) throws -> ExitCode
}

extension GaugeCommand {
    static var judges: Bool { false }
}

extension Gauge {
    /// Every command, in the order of the help, one per line so that additions merge.
    static let commands: [any GaugeCommand.Type] = [
        RunCommand.self, ListCommand.self, CompareCommand.self, ReportCommand.self, WorkloadsCommand.self,
        SimulateCommand.self, ReplayCommand.self, MRCCommand.self, AdviseCommand.self, PoliciesCommand.self,
        ReplayWorkerCommand.self, VerifyCommand.self, GateCommand.self, BaselineCommand.self, VerifyWorkerCommand.self,
        VerifySubjectCommand.self, WorkerCommand.self,
    ]
}
