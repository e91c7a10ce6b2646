import GaugeTraces

/// `mrc`: the miss ratios of policies for one trace over many capacities.
struct MRCCommand: GaugeCommand {
    static let unit = CommandOption<MissRatioCurve.Unit>.choice(
        "by", help: "unit of capacities; by default bytes where the trace or --sizes gives sizes, otherwise entries")
    static let capacities = CommandOption<[ByteSize]>(
        "capacities", "LIST", help: "capacities of the curve, separated by commas; powers of two by default"
    ) { (text) throws(UsageError) in
        var sizes: [ByteSize] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            sizes.append(try ByteSize(String(part.drop { $0 == " " })))
        }
        guard sizes.count <= 64 else { throw UsageError("\(sizes.count) capacities are more than 64") }
        return sizes
    }
    static let admission = CommandOption<Admission>.choice(
        "admission",
        help: "by default the rule of the cache's memory tier; any takes each body that fits, at the cost of its length"
    )
    static let policies = CommandOption<[String]>(
        "policy", "LIST", help: "policies, separated by commas, or all; the command policies lists them; lru by default"
    ) { (text) throws(UsageError) in
        let known = PolicyKind.all.map(\.name) + OfflinePolicy.allCases.map(\.rawValue)
        if text == "all" { return known }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.drop { $0 == " " }) }
        for name in names where !known.contains(name) {
            throw UsageError(
                "'\(name)' is unknown\(NearNames.question(name, among: known)); "
                    + "the choice is \(known.joined(separator: ", ")), or all")
        }
        guard Set(names).count == names.count else { throw UsageError("a policy is named twice") }
        return names
    }
    static let twoTier = CommandOption.size(
        "two-tier",
        help:
            "adds a disk tier of this capacity to each cache of the curve: inclusive, as in this package, and exclusive"
    )
    static let format = CommandOption<CurveReport.Format>.choice(
        "format", help: "a table for people, or JSON or CSV for programs; text by default")
    static let merge = CommandOption.flag("merge", help: "joins the results of shards, which FILE… hold as JSON")

    private static let simulationOptions: [any AnyOption] =
        TraceOptions.all + [
            unit, policies, capacities, twoTier, admission,
        ] + SampleOptions.all

    static let specification = CommandSpecification(
        name: "mrc", summary: "Computes miss-ratio curves of many policies over a trace, for many capacities at once.",
        operands: ["FILE…"],
        options: simulationOptions + [merge, format, CommonOptions.seed],
        notes: TraceOptions.notes + [
            """
            By entries every object counts as one; the curve of a trace without HTTP metadata comes from stack distances in
            one pass. By bytes each capacity is simulated: an entry costs as much as in the memory tier, one above 5 % of
            the capacity is not kept, and an object whose size changes is a miss. The rules of HTTP are those of replay,
            expiry included, so that both have the same hits. --admission any and --size-changes ignore count as
            libCacheSim does.
            """,
            """
            --two-tier has three curves for a policy: the memory tier alone, before a disk tier that keeps a copy (inclusive:
            a store goes to both, and a disk hit is copied to memory), and before one that takes what memory evicts
            (exclusive: a disk hit moves back). The difference of the last two is the cost of holding entries twice. The disk
            tier evicts the least recently used. By entries, SIZE is a number. Policies that know the future have both
            capacities together.
            """,
            SampleOptions.notes,
            "By entries, LIST holds numbers: 256,1024,4096. By bytes, it holds sizes: 1MiB,4MiB,24MiB.",
        ])

    let trace: TraceOptions
    /// The results to be merged; empty without `--merge`.
    let merged: [String]
    let sample: KeySample?
    let unit: MissRatioCurve.Unit?
    let policies: [PolicyKind]
    let offline: [OfflinePolicy]
    let capacities: [Int]?
    let disk: Int?
    let admission: Admission
    let form: CurveReport.Format
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        trace = try TraceOptions(arguments)
        unit = arguments[Self.unit]
        let names = arguments[Self.policies] ?? [PolicyKind.lru.name]
        policies = PolicyKind.all.filter { names.contains($0.name) }
        offline = OfflinePolicy.allCases.filter { names.contains($0.rawValue) }
        capacities = arguments[Self.capacities]?.map(\.bytes)
        disk = arguments[Self.twoTier]?.bytes
        admission = arguments[Self.admission] ?? .tier
        form = arguments[Self.format] ?? .text
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
        sample = SampleOptions.sample(arguments, seed: seed)
        merged = arguments.has(Self.merge) ? arguments.operands : []
        guard merged.isEmpty || merged.count > 1 else {
            throw UsageError("--merge joins several results; write mrc --merge FILE FILE…")
        }
        if !merged.isEmpty {
            try arguments.refuse(
                Self.simulationOptions + [CommonOptions.seed],
                because: "--merge joins results and simulates nothing")
        }
        guard sample == nil || arguments[Self.policies] == nil || !policies.isEmpty else {
            throw UsageError("a policy that knows the future needs the whole trace; leave out --sample and --shard")
        }
        if unit == .entries, trace.writtenSizes != nil {
            throw UsageError("--by entries counts objects, however long their bodies are; leave out --sizes")
        }
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let environment = RunEnvironment(settings: RunSettings(seed: seed), directory: nil)
        if !merged.isEmpty {
            try console.write(
                try CurveReport(merging: merged, environment: environment).text(form, width: console.width))
            return .ok
        }
        return try trace.advising {
            let interruption = try Interruption()
            var reader = try trace.reader(interruption, sample: sample)
            guard let first = try reader.next() else {
                guard !interruption.isRequested else { return .interrupted }
                throw reader.noRequest
            }
            let unit = unit ?? (trace.hasSizes(first) ? .bytes : .entries)
            var rules = trace.rules(gauge.cachingRules, admission: admissionRule(of: gauge), seed: seed)
            rules.countsBytes = unit == .bytes
            var maker = MissRatioCurveMaker(
                unit: unit, capacities: capacities, disk: disk, policies: policies, offline: offline,
                admission: rules.admission, usesDistances: first.exchange == nil, sample: sample)
            var progress = CountProgress("requests", on: console)
            try maker.read(&reader, first: first, &rules, isStopped: { interruption.isRequested }) {
                progress.show("\($0)")
            }
            progress.clear()
            try trace.warn(of: reader, console)
            try trace.requireKeys(rules.uncached, reader)
            let curve = maker.curve()
            guard curve.sample == nil || curve.objects > 0 || (sample?.shards ?? 1) > 1 else {
                throw GaugeError("the sample holds none of the trace's keys, so it says nothing; raise --sample")
            }
            let notes = SizeNotes.all(rules, reader)
            for warning in CurveWarnings(curve, offline: offline).texts { console.note("warning: \(warning)\n") }
            let report = CurveReport(
                curve: curve, trace: trace.path, assumedSizes: trace.assumedSizes,
                admission: rules.admission.description,
                sizeChanges: trace.sizeChanges, format: reader.format,
                isGuessed: reader.isGuessed, isComplete: !interruption.isRequested,
                digest: reader.digest, environment: environment,
                uncached: sample == nil ? rules.uncached : UncachedRequests(), notes: notes)
            try console.write(try report.text(form, width: console.width))
            return interruption.isRequested ? .interrupted : trace.exitCode(after: reader, console)
        }
    }
}

extension MRCCommand {
    /// How the simulated caches count and admit entries.
    enum Admission: String, CaseIterable, Sendable { case tier, any }

    func admissionRule(of gauge: Gauge) -> AdmissionRule { admission == .tier ? gauge.admission ?? .any : .any }
}

/// `policies`: lists the policies that `mrc` simulates.
struct PoliciesCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "policies", summary: "Lists the eviction policies that mrc simulates.", options: [])

    init(_ arguments: ParsedArguments) {}

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let rows =
            PolicyKind.all.map { ($0.name, $0.summary) } + OfflinePolicy.allCases.map { ($0.rawValue, $0.summary) }
        try console.write(HelpText.table(rows, width: console.width) + "\n")
        return .ok
    }
}

/// Reasons to trust a curve less, or to miss a policy in it.
struct CurveWarnings {
    let texts: [String]

    /// - Parameter offline: the requested policies that know the future.
    init(_ curve: MissRatioCurve, offline: [OfflinePolicy]) {
        texts = [Self.missing(offline, in: curve), Self.smallCapacities(of: curve)].compactMap { $0 }
    }

    private static func missing(_ offline: [OfflinePolicy], in curve: MissRatioCurve) -> String? {
        let missing = offline.filter { !curve.policies.contains($0.rawValue) }
        guard !missing.isEmpty else { return nil }
        let names = missing.map(\.rawValue).joined(separator: " and ")
        if curve.sample != nil { return "\(names) left out: they need the whole trace; leave out --sample and --shard" }
        if curve.requests > ReuseLog.longest {
            return "\(names) left out: the trace has more than \(ReuseLog.longest) requests; pass a part of it"
        }
        return "\(names) left out: computed only by bytes; pass --by bytes"
    }

    /// A sampled cache of few entries says little about one of many.
    private static func smallCapacities(of curve: MissRatioCurve) -> String? {
        guard let rate = curve.sample?.rate, rate < 1 else { return nil }
        let mean = curve.unit == .entries ? 1 : Double(curve.requestedBytes) / Double(max(1, curve.requests))
        let least = mean * Double(leastEntries) / rate
        let small = Set(curve.points.map(\.capacity).filter { $0 > 0 && Double($0) < least }).sorted()
        guard let largest = small.last else { return nil }
        func text(_ capacity: Int) -> String {
            curve.unit == .bytes ? ByteSize(bytes: capacity).description : "\(capacity)"
        }
        return
            "at \(small.count == 1 ? text(largest) : "\(text(small[0])) to \(text(largest))") the sampled cache holds fewer than "
            + "\(leastEntries) entries of mean size, and the estimate is rough; raise --sample or the capacity"
    }

    private static let leastEntries = 100
}

enum SampleOptions {
    static let rate = CommandOption.number(
        "sample", "RATE", in: 1e-9...1, help: "simulate this share of the keys, such as 0.01, and estimate the rest")
    static let objects = CommandOption<Int>.whole(
        "sample-objects", in: 64...1 << 30, help: "simulate at most so many keys, such as 8192, and estimate the rest")
    static let shard = CommandOption<(number: Int, count: Int)>(
        "shard", "I/N", help: "simulate the Ith of N parts of the keys; --merge joins the results"
    ) { (text) throws(UsageError) in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...100_000).contains(count),
            (1...count).contains(number)
        else { throw UsageError("'\(text)' is not like 3/8: the third of eight shards, of at most 100000") }
        return (number, count)
    }

    static let all: [any AnyOption] = [rate, objects, shard]

    static let notes: HelpNote = """
        A sample holds every request for some of the keys, and simulates caches that are smaller by the same rate
        (SHARDS). The rest of the trace is read and counted, but takes no memory. The error stated is half of a 95 %
        interval. Results of shards, written with --format json, are joined with mrc --merge FILE…; every shard reads
        the whole trace.
        """

    static func sample(_ arguments: ParsedArguments, seed: UInt64) -> KeySample? {
        let (rate, objects, shard) = (arguments[Self.rate], arguments[Self.objects], arguments[Self.shard])
        guard rate != nil || objects != nil || shard != nil else { return nil }
        return KeySample(
            seed: SplitMix64.derive(seed, "sample"), rate: rate ?? 1, mostKeys: objects,
            shard: (shard?.number ?? 1) - 1, of: shard?.count ?? 1)
    }
}
