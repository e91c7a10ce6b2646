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
    static let format = CommandOption<CurveReport.Format>.choice(
        "format", help: "a table for people, or JSON or CSV for programs; text unless said")

    static let specification = CommandSpecification(
        name: "mrc", summary: "Computes the miss-ratio curve of LRU over a trace, for many capacities at once.",
        operands: ["FILE"],
        options: TraceOptions.all + [
            unit.specification, capacities.specification, format.specification, CommonOptions.seed.specification,
        ],
        notes: [
            TraceOptions.notes,
            """
            By entries every object counts as one, and the curve is exact at every capacity, from stack distances in one
            pass. By bytes each capacity is simulated: an object whose size changes is a miss, and one larger than the
            cache is not kept. What is not stored by the rules of HTTP is a miss; expiry is not looked at.
            """,
            "LIST has numbers by entries, and sizes by bytes: 256,1024,4096 or 1MiB,4MiB,24MiB.",
        ])

    let trace: TraceOptions
    let unit: MissRatioCurve.Unit?
    let capacities: [Int]?
    let form: CurveReport.Format
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        trace = try TraceOptions(arguments)
        unit = arguments[Self.unit]
        capacities = arguments[Self.capacities]?.map(\.bytes)
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
            var maker = MissRatioCurveMaker(
                unit: unit ?? (hasSizes ? .bytes : .entries), capacities: capacities)
            let rules = gauge.cachingRules ?? RulesOfThumb()
            let sizes = trace.sizes(seed: seed)
            var lastSizes: [UInt64: Int] = [:]
            var next: TraceRequest? = first
            while let request = next {
                let size = request.size ?? lastSizes[request.id] ?? sizes.size(of: request.id)
                let isStored = request.exchange.map { rules.verdict(on: $0).freshSeconds != nil } ?? true
                // Where a trace omits a size, the object has the size with which it was last stored.
                if request.exchange != nil, isStored { lastSizes[request.id] = size }
                maker.add(request.id, size: size, isStored: isStored)
                if reader.count & 1023 == 0, interruption.isRequested { break }
                next = try reader.next()
            }
            if let warning = reader.skipWarning { console.note("warning: \(warning)\n") }
            let report = CurveReport(
                curve: maker.curve, trace: trace.path, assumedSizes: trace.assumedSizes, format: reader.format,
                isGuessed: reader.isGuessed, isComplete: !interruption.isRequested,
                digest: reader.digest, environment: RunEnvironment(settings: RunSettings(seed: seed), directory: nil))
            try console.write(try report.text(form))
            return interruption.isRequested ? .interrupted : .ok
        }
    }
}
