import GaugeMeasurement
import GaugeReports
import GaugeSupport
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

    private static let simulationOptions =
        TraceOptions.all + [
            unit.specification, policies.specification, capacities.specification, twoTier.specification,
            admission.specification,
        ] + SampleOptions.all

    static let specification = CommandSpecification(
        name: "mrc", summary: "Computes miss-ratio curves of many policies over a trace, for many capacities at once.",
        operands: ["FILE…"],
        options: simulationOptions + [merge.specification, format.specification, CommonOptions.seed.specification],
        notes: [
            TraceOptions.notes,
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
        sample = SampleOptions(arguments).sample(seed: seed)
        merged = arguments.has(Self.merge) ? arguments.operands : []
        guard merged.isEmpty || merged.count > 1 else {
            throw UsageError("--merge joins several results; write mrc --merge FILE FILE…")
        }
        if !merged.isEmpty {
            try arguments.refuse(
                Self.simulationOptions + [CommonOptions.seed.specification],
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
            try console.write(try CurveReport(merging: merged, environment: environment).text(form))
            return .ok
        }
        return try trace.advising {
            let interruption = try Interruption()
            var reader = try trace.reader(interruption, sample: sample)
            guard let first = try reader.next() else {
                guard !interruption.isRequested else { return .interrupted }
                throw reader.noRequest
            }
            let hasSizes = first.size != nil || first.exchange != nil || trace.writtenSizes != nil
            let unit = unit ?? (hasSizes ? .bytes : .entries)
            let sizes = trace.sizes(seed: seed)
            var rules = AccessRules(sizes: sizes, urls: RequestURLs(seed: seed))
            rules.caching = gauge.cachingRules ?? RulesOfThumb()
            rules.admission = admissionRule(of: gauge)
            rules.sizeChanges = trace.sizeChanges
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
            let curve = maker.curve()
            let notes = SizeNotes.all(rules, reader)
            for warning in CurveWarnings(curve, offline: offline).texts { console.note("warning: \(warning)\n") }
            let report = CurveReport(
                curve: curve, trace: trace.path, assumedSizes: trace.assumedSizes,
                admission: rules.admission.description,
                sizeChanges: trace.sizeChanges, format: reader.format,
                isGuessed: reader.isGuessed, isComplete: !interruption.isRequested,
                digest: reader.digest, environment: environment, notes: notes)
            try console.write(try report.text(form))
            return interruption.isRequested ? .interrupted : trace.exitCode(after: reader, console)
        }
    }
}

extension MRCCommand {
    /// The rule by which the simulated caches count and admit entries.
    enum Admission: String, CaseIterable, Sendable { case tier, any }

    func admissionRule(of gauge: Gauge) -> AdmissionRule { admission == .tier ? gauge.admission ?? .any : .any }
}
