import GaugeTraces
import Platform

/// `simulate`: sends a workload of several days through a whole HTTP cache, in seconds.
struct SimulateCommand: GaugeCommand {
    static let judges = true

    static let cache = CommandOption.text(
        "cache", "NAME", help: "the cache that is simulated; the first of this executable by default")
    static let days = CommandOption.number("days", in: 0.001...3_650, help: "days of virtual time; 7 by default")
    static let roundTrip = CommandOption.number(
        "round-trip", "MS", in: 0...60_000,
        help: "milliseconds from request to answer in the modelled network; 50 by default")
    static let bandwidth = CommandOption.number(
        "bandwidth", "MBIT", in: 0.001...1_000_000, help: "megabits a second of the modelled network; 10 by default")

    static let specification = CommandSpecification(
        name: "simulate",
        summary: "Runs days of a workload through an HTTP cache in seconds, on a virtual clock.",
        operands: ["WORKLOAD"],
        options: [
            cache, days, roundTrip, bandwidth, CommonOptions.format, CommonOptions.memory, CommonOptions.disk,
            CommonOptions.policy, CommonOptions.directory, CommonOptions.seed,
        ] + WorkloadOptions.changes,
        notes: [
            .text(CommonOptions.sizeNote), WorkloadOptions.note,
            """
            The cache stores, revalidates and evicts as usual; only its clock and its origin are simulated. Every answer
            is judged: its body, its version, and whether its header fields allowed it. One workload and one seed give
            the same report on every run.
            """,
        ])

    let plan: WorkloadPlan
    let name: String?
    let seconds: Double
    let network: Simulation.Network
    let format: ReportFormat
    let memory: ByteSize
    let disk: ByteSize
    let policy: SubjectEvictionPolicy
    let directory: String?
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        plan = try WorkloadOptions.plan(named: arguments.operands[0], arguments) ?? WorkloadPlan()
        name = arguments[Self.cache]
        seconds = (arguments[Self.days] ?? 7) * 86_400
        network = Simulation.Network(
            roundTrip: (arguments[Self.roundTrip] ?? 50) / 1_000,
            bandwidth: (arguments[Self.bandwidth] ?? 10) * 1e6 / 8)
        format = arguments[CommonOptions.format] ?? .text
        memory = arguments[CommonOptions.memory] ?? RunSettings.defaultMemory
        disk = arguments[CommonOptions.disk] ?? RunSettings.defaultDisk
        policy = arguments[CommonOptions.policy] ?? .lru
        directory = arguments[CommonOptions.directory]
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.simulatedCache(named: name)
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        let answers = Answers()
        let workload = Workload(plan, seed: seed)
        var simulation = try Simulation(
            type, workload, configuration: configuration(directory: temporary.path), network: network,
            rules: gauge.reuseRules, answers: answers)
        let start = monotonicNanoseconds()
        var progress = CountProgress("of the days", on: console)
        let result = simulation.run(seconds: seconds, isStopped: { interruption.isRequested }) {
            progress.show(Quantity.percent($0))
        }
        progress.clear()
        console.note("simulated in \(Quantity.time(Double(monotonicNanoseconds() - start)))\n")
        let report = SimulationReport(
            workload: workload, cache: type.name, memory: memory, disk: disk, policy: policy, days: seconds / 86_400,
            network: network,
            judgesHeaders: gauge.reuseRules != nil)
        switch format {
        case .text: try console.write(report.text(result, wrong: answers.count, width: console.width))
        case .json: try console.write(try report.json(result, wrong: answers.count))
        }
        guard answers.count == 0 else {
            console.note(TroubleReport.wrongAnswers(of: type.name, answers.count, answers.first))
            return .wrongAnswer
        }
        return result.isStopped ? .interrupted : .ok
    }

    /// The configuration of the simulated cache.
    func configuration(directory: String) -> SubjectConfiguration {
        var configuration = SubjectConfiguration(
            memoryCapacity: memory.bytes, diskCapacity: disk.bytes, directory: directory)
        configuration.policy = policy
        return configuration
    }
}

extension Gauge {
    /// The simulated cache with this name, or else the first.
    func simulatedCache(named name: String?) throws -> any SimulatedCache.Type {
        guard let first = simulated.first else {
            throw UsageError(
                "\(executable) has no whole HTTP cache to simulate, which only cachegauge has; replay a trace instead: "
                    + "\(executable) replay FILE")
        }
        guard let name else { return first }
        guard let found = simulated.first(where: { $0.name == name }) else {
            let names = simulated.map { $0.name }
            throw UsageError(
                "there is no cache '\(name)'\(NearNames.question(name, among: names)); "
                    + "there are \(names.joined(separator: ", "))")
        }
        return found
    }
}
