/// A workload as `run` measures with it, and how its requests are sent.
struct WorkloadLoad: Sendable {
    static let workload = CommandOption.text(
        "workload", "NAME|FILE", help: "measures the caches under a workload instead; the command workloads lists them")
    static let rate = CommandOption.number(
        "rate", in: 0.001...1e9, help: "requests a second, sent when they are due; as fast as answers come unless said")

    let plan: WorkloadPlan
    /// Requests a second; `nil` for a closed loop.
    let rate: Double?

    /// What the arguments ask for; `nil` when that is no workload.
    init?(_ arguments: ParsedArguments) throws {
        rate = arguments[Self.rate]
        guard let plan = try WorkloadOptions.plan(named: arguments[Self.workload], arguments) else {
            guard rate == nil else { throw UsageError("--rate goes with a workload; name one with --workload") }
            return nil
        }
        self.plan = plan
    }

    /// The same for a worker.
    var arguments: [String] { ["--workload=\(plan.json)"] + (rate.map { ["--rate=\($0)"] } ?? []) }

    /// A line for people.
    var summary: String {
        let loop =
            rate.map { "open loop: \(JSONFields.text($0)) requests a second, each sent when it is due" }
            ?? "closed loop: each request is sent when the one before it is answered"
        let bodies = BodySizes(plan.sizes, seed: 0)
        return "workload \(plan.name): \(plan.keys) over \(plan.objects) objects, bodies \(bodies); \(loop)"
    }

    /// A benchmark for each subject and peer.
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
            type, SubjectCase("workload", plan.name, tier: tier, bodyCount: 0, reference: reference), isPeer: isPeer,
            workload: { Workload(plan, seed: $0) }, rate: rate)
    }
}
