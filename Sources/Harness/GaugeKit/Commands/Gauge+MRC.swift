import GaugeMeasurement
import GaugeReports
import GaugeSupport
import GaugeTraces

/// `mrc`: the miss ratio of LRU for one trace over many capacities.
struct MRCCommand: GaugeCommand {
    static let unit = CommandOption<MissRatioCurve.Unit>.choice(
        "by", help: "unit of capacities; unless said, bytes where the trace or --sizes gives sizes, otherwise entries")
    static let capacities = CommandOption<[ByteSize]>(
        "capacities", "LIST", help: "those of the curve, apart by commas; powers of two unless said"
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
        help: "the rule of the cache's memory tier, unless said; or any body that fits, at the cost of its length"
    )
    static let format = CommandOption<CurveReport.Format>.choice(
        "format", help: "a table for people, or JSON or CSV for programs; text unless said")

    static let specification = CommandSpecification(
        name: "mrc", summary: "Computes the miss-ratio curve of LRU over a trace, for many capacities at once.",
        operands: ["FILE"],
        options: TraceOptions.all + [
            unit.specification, capacities.specification, admission.specification, format.specification,
            CommonOptions.seed.specification,
        ],
        notes: [
            TraceOptions.notes,
            """
            By entries every object counts as one; the curve of a trace without HTTP metadata comes from stack distances in
            one pass. By bytes each capacity is simulated: an entry costs what it costs the memory tier, one above 5 % of
            the capacity is not kept, and an object whose size changes is a miss. The rules of HTTP are those of replay,
            expiry included, so that both have the same hits. --admission any and --size-changes ignore count as
            libCacheSim does.
            """,
            "LIST has numbers by entries, and sizes by bytes: 256,1024,4096 or 1MiB,4MiB,24MiB.",
        ])

    let trace: TraceOptions
    let unit: MissRatioCurve.Unit?
    let capacities: [Int]?
    let admission: Admission
    let form: CurveReport.Format
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        trace = try TraceOptions(arguments)
        unit = arguments[Self.unit]
        capacities = arguments[Self.capacities]?.map(\.bytes)
        admission = arguments[Self.admission] ?? .tier
        form = arguments[Self.format] ?? .text
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
        if unit == .entries, trace.writtenSizes != nil {
            throw UsageError("--by entries counts objects, however long their bodies are; leave out --sizes")
        }
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        try trace.advising {
            let interruption = try Interruption()
            var reader = try trace.reader(interruption)
            guard let first = try reader.next() else {
                throw TraceError(
                    reader.name, .whole, "holds no request\(reader.skipped > 0 ? " that is not damaged" : "")")
            }
            let hasSizes = first.size != nil || first.exchange != nil || trace.writtenSizes != nil
            let unit = unit ?? (hasSizes ? .bytes : .entries)
            var rules = AccessRules(sizes: trace.sizes(seed: seed), urls: RequestURLs(seed: seed))
            rules.caching = gauge.cachingRules ?? RulesOfThumb()
            rules.admission = admission == .tier ? gauge.admission ?? .any : .any
            rules.sizeChanges = trace.sizeChanges
            rules.countsBytes = unit == .bytes
            var maker = MissRatioCurveMaker(
                unit: unit, capacities: capacities, admission: rules.admission, hasExchanges: first.exchange != nil)
            var next: TraceRequest? = first
            while let request = next {
                maker.add(rules.access(request))
                if reader.count & 1023 == 0, interruption.isRequested { break }
                next = try reader.next()
            }
            if let warning = reader.skipWarning { console.note("warning: \(warning)\n") }
            let report = CurveReport(
                curve: maker.curve, trace: trace.path, assumedSizes: trace.assumedSizes, admission: rules.admission,
                sizeChanges: trace.sizeChanges, format: reader.format,
                isGuessed: reader.isGuessed, isComplete: !interruption.isRequested,
                digest: reader.digest, environment: RunEnvironment(settings: RunSettings(seed: seed), directory: nil))
            try console.write(try report.text(form))
            return interruption.isRequested ? .interrupted : .ok
        }
    }
}

extension MRCCommand {
    /// The rule by which the simulated caches count and admit entries.
    enum Admission: String, CaseIterable, Sendable { case tier, any }
}
