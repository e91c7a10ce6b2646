import GaugeTraces

struct ReplayOptions: Sendable {
    static let subject = CommandOption.text(
        "subject", "NAME", help: "the cache that the trace is sent to; the first of this executable by default")
    static let entries = CommandOption.whole(
        "entries", in: 1...100_000_000,
        help: "count entries instead of bytes: memory tier only, one shard, bodies of 64 bytes")
    static let noBounds = CommandOption.flag(
        "no-bounds", help: "omit the bounds of other caches, which need 8 bytes of memory for each request")

    static let noBodies = CommandOption.flag(
        "no-bodies",
        help: "simulate the decisions of this package's tiers, without making, storing and checking bodies")

    static let rate = CommandOption.number(
        "rate", in: 0.001...1e9,
        help: "requests a second, sent when they are due, at equal intervals; as fast as answers come by default")

    static let times = CommandOption<Times>.choice(
        "times", help: "trace: send requests at the times of the trace; as fast as answers come by default")
    static let speedup = CommandOption.number(
        "speedup", in: 0.001...1e9, help: "with --times trace, that many times as fast; 1 by default")

    /// Where the times come from when requests are sent.
    enum Times: String, CaseIterable, Sendable { case trace }

    static let all: [any AnyOption] =
        TraceOptions.all + [
            subject, entries, noBounds, noBodies, rate, times, speedup, CommonOptions.format, CommonOptions.memory,
            CommonOptions.disk, CommonOptions.policy, CommonOptions.directory, CommonOptions.seed,
        ]

    let trace: TraceOptions
    let subject: String?
    let entries: Int?
    let wantsBounds: Bool
    /// Whether the tiers are simulated.
    let noBodies: Bool
    let pace: ReplayPace
    let format: ReportFormat
    let memory: ByteSize
    let disk: ByteSize
    let policy: SubjectEvictionPolicy
    let directory: String?
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        trace = try TraceOptions(arguments)
        subject = arguments[Self.subject]
        entries = arguments[Self.entries]
        noBodies = arguments.has(Self.noBodies)
        wantsBounds = !arguments.has(Self.noBounds) && !noBodies
        pace = try Self.pace(arguments)
        format = arguments[CommonOptions.format] ?? .text
        memory = arguments[CommonOptions.memory] ?? RunSettings.defaultMemory
        disk = arguments[CommonOptions.disk] ?? RunSettings.defaultDisk
        policy = arguments[CommonOptions.policy] ?? .lru
        directory = arguments[CommonOptions.directory]
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
        if entries != nil, arguments[CommonOptions.memory] != nil || arguments[CommonOptions.disk] != nil {
            throw UsageError("--entries counts entries instead of bytes; leave out --memory and --disk")
        }
        guard noBodies else { return }
        if subject != nil {
            throw UsageError("--no-bodies simulates this package's tiers and asks no subject; leave out --subject")
        }
        if policy != .lru {
            throw UsageError("--no-bodies simulates LRU tiers alone; leave out --policy, or use mrc --policy")
        }
        if pace != .closedLoop {
            throw UsageError("--no-bodies sends no requests that could be due; leave out --rate and --times")
        }
    }

    /// The memory tier's capacity, in its unit.
    var capacity: (unit: MissRatioCurve.Unit, count: Int) { entries.map { (.entries, $0) } ?? (.bytes, memory.bytes) }

    /// The disk tier's capacity, if there is one.
    var diskCapacity: Int? { entries == nil && disk.bytes > 0 ? disk.bytes : nil }

    private static func pace(_ arguments: ParsedArguments) throws(UsageError) -> ReplayPace {
        let rate = arguments[rate]
        guard arguments[times] != nil else {
            guard arguments[speedup] == nil else { throw UsageError("--speedup needs --times trace") }
            return rate.map { .evenly(rate: $0) } ?? .closedLoop
        }
        guard rate == nil else {
            throw UsageError("--times trace and --rate both tell when requests are due; leave out one of them")
        }
        return .traceTimes(speedup: arguments[speedup] ?? 1)
    }

    /// The options as arguments, with another directory or none.
    func arguments(directory: String?) -> [String] {
        var arguments = ["--format=\(format.rawValue)", "--seed=\(seed)"]
        if let directory { arguments.append("--directory=\(directory)") }
        switch pace {
        case .closedLoop: break
        case .evenly(let rate): arguments.append("--rate=\(JSONFields.text(rate))")
        case .traceTimes(let speedup): arguments += ["--times=trace", "--speedup=\(JSONFields.text(speedup))"]
        }
        if policy != .lru { arguments.append("--policy=\(policy.rawValue)") }
        if noBodies { arguments.append("--no-bodies") }
        if !wantsBounds, !noBodies { arguments.append("--no-bounds") }
        if let subject { arguments.append("--subject=\(subject)") }
        if let entries {
            arguments.append("--entries=\(entries)")
        } else {
            arguments += ["--memory=\(memory.bytes)", "--disk=\(disk.bytes)"]
        }
        return arguments + trace.arguments
    }

    func settings(directory: String, rules: (any CachingRules)?) -> ReplaySettings {
        var settings = ReplaySettings(
            configuration: SubjectConfiguration(
                memoryCapacity: entries == nil ? memory.bytes : 0, diskCapacity: entries == nil ? disk.bytes : 0,
                directory: directory, entryLimit: entries),
            seed: seed)
        settings.configuration.policy = policy
        settings.sizes = trace.sizes(seed: seed)
        settings.rules = rules ?? settings.rules
        settings.wantsBounds = wantsBounds
        settings.pace = pace
        settings.sizeChanges = trace.sizeChanges
        return settings
    }
}
