import Foundation
import Platform

/// `worker`: measures one benchmark for the run that started it. Hidden from the help.
struct WorkerCommand: GaugeCommand {
    static let benchmark = CommandOption.text("benchmark", "NAME", help: "the benchmark that is measured")

    static let extraWork = CommandOption.number(
        "extra-work", "PART", in: ExtraWork.parts,
        help: "extra work in every measured call, for testing a gate: 0.03 is three per cent")

    static let fillSeconds = CommandOption.number(
        "fill-seconds", "SECONDS", in: 0.001...86_400, help: "the time after which filling a cache is given up")

    static let specification = CommandSpecification(
        name: "worker", summary: "Measures one benchmark for another process.",
        options: [
            benchmark, CommonOptions.memory, CommonOptions.disk, CommonOptions.directory, CommonOptions.seed,
            WorkloadLoad.workloadOption, WorkloadLoad.rateOption, extraWork, fillSeconds,
        ], notes: ["Speaks JSON lines on its standard input and output."], isHidden: true)

    let name: String
    let directory: String
    let seed: UInt64
    let memory: ByteSize
    let disk: ByteSize
    let load: WorkloadLoad?
    let extraWork: Double
    let fillSeconds: Double

    init(_ arguments: ParsedArguments) throws {
        guard let name = arguments[Self.benchmark], let directory = arguments[CommonOptions.directory] else {
            throw UsageError("worker needs --benchmark and --directory; the command run gives them")
        }
        self.name = name
        self.directory = directory
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
        memory = arguments[CommonOptions.memory] ?? RunSettings.defaultMemory
        disk = arguments[CommonOptions.disk] ?? RunSettings.defaultDisk
        load = try WorkloadLoad(arguments)
        extraWork = arguments[Self.extraWork] ?? 0
        fillSeconds = arguments[Self.fillSeconds] ?? .infinity
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let benchmarks = load?.benchmarks(of: gauge) ?? gauge.benchmarks
        guard let benchmark = benchmarks.first(where: { $0.name.description == name }) else {
            let names = benchmarks.map(\.name.description)
            throw UsageError("there is no benchmark '\(name)'\(NearNames.question(name, among: names))")
        }
        let (input, output) = try Self.takeStandardStreams()
        Self.endWithInput(input)
        Self.leaveNoCore()
        var session = WorkerSession(
            benchmark, context: context, allocations: gauge.allocationTotals, extraWork: extraWork, input: input,
            output: output)
        try session.serve()
        return .ok
    }

    var context: RunContext {
        var context = RunContext(
            seed: seed, memoryCapacity: memory.bytes, diskCapacity: disk.bytes, directory: directory)
        context.fillSeconds = fillSeconds
        return context
    }

    /// A crash here is an answer, so the system needn't keep a core file.
    static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreFileLimit, &none)
    }

    /// Moves the protocol away from descriptors 0 and 1, since a body may print.
    static func takeStandardStreams() throws -> (input: Int32, output: Int32) {
        let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard input >= 0, output >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0,
            dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
        else { throw SystemError.last }
        close(nothing)
        return (input, output)
    }

    /// Ends the process when the other end closes its input, even while a body runs and nothing reads the input.
    static func endWithInput(_ input: Int32) {
        Thread {
            // Requests no event; poll always reports a hang-up.
            var hangUp = pollfd(fd: input, events: 0, revents: 0)
            while poll(&hangUp, 1, -1) <= 0 {}
            _exit(ExitCode.failure.rawValue)
        }.start()
    }
}
