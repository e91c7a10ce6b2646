import GaugeTraces

/// `workloads`: lists the presets, or prints one as the start of a workload file.
struct WorkloadsCommand: GaugeCommand {
    static let show = CommandOption.text(
        "show", "NAME", help: "prints a workload as JSON, to change and pass to --workload FILE")

    static let specification = CommandSpecification(
        name: "workloads", summary: "Lists the workloads that come with the harness, or shows one.",
        options: [show] + WorkloadOptions.changes, notes: [WorkloadOptions.note])

    let shown: WorkloadPlan?

    init(_ arguments: ParsedArguments) throws {
        shown = try WorkloadOptions.plan(named: arguments[Self.show], arguments)
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        if let shown {
            try console.write(shown.json + "\n")
        } else {
            try console.write(
                HelpText.table(WorkloadPlan.presets.map { ($0.name, $0.models) }, width: console.width) + "\n")
        }
        return .ok
    }
}

/// A workload for `run`, and the rate at which its requests are sent.
struct WorkloadLoad {
    let plan: WorkloadPlan
    /// Requests per second; `nil` for a closed loop, which sends each request after the previous answer.
    let rate: Double?

    static let workloadOption = CommandOption.text(
        "workload", "NAME|FILE", help: "measures the caches under a workload instead; the command workloads lists them")
    static let rateOption = CommandOption.number(
        "rate", in: 0.001...1e9, help: "requests a second, sent when they are due; as fast as answers come by default")

    init(plan: WorkloadPlan, rate: Double?) {
        self.plan = plan
        self.rate = rate
    }

    /// The load in the arguments; `nil` if they name no workload.
    init?(_ arguments: ParsedArguments) throws {
        let rate = arguments[Self.rateOption]
        guard let plan = try WorkloadOptions.plan(named: arguments[Self.workloadOption], arguments) else {
            guard rate == nil else { throw UsageError("--rate goes with a workload; name one with --workload") }
            return nil
        }
        (self.plan, self.rate) = (plan, rate)
    }

    /// What workers and results are told of it.
    var offered: OfferedLoad {
        let loop =
            rate.map { "open loop: \(JSONFields.text($0)) requests a second, each sent when it is due" }
            ?? "closed loop: each request is sent when the one before it is answered"
        let bodies = BodySizes(plan.sizes, seed: 0)
        return OfferedLoad(
            arguments: ["--workload=\(plan.json)"] + (rate.map { ["--rate=\($0)"] } ?? []),
            summary: "workload \(plan.name): \(plan.keys) over \(plan.objects) objects, bodies \(bodies); \(loop)",
            isPaced: rate != nil)
    }

    func benchmarks(of gauge: Gauge) -> [Benchmark] {
        let reference = gauge.subjects.first.map { $0.name } ?? ""
        return gauge.subjects.map { benchmark($0, isPeer: false, reference) }
            + gauge.peers.map { benchmark($0, isPeer: true, reference) }
    }

    private func benchmark<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, _ reference: String
    ) -> Benchmark {
        let plan = plan
        let tier: SubjectTier = Subject.capabilities.contains(.disk) ? .both : .memory
        return SubjectBenchmarks.mix(
            type, SubjectCase("workload", plan.name, tier: tier, bodyCount: 0, reference: reference, isPeer: isPeer),
            workload: { Workload(plan, seed: $0) }, rate: rate)
    }
}
