import GaugeTraces

/// `advise`: which capacity and policy a trace asks for, in sentences and one picture.
struct AdviseCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "advise", summary: "Says which capacity and which policy a trace asks for.", operands: ["FILE…"],
        options: TraceOptions.all + [CommonOptions.format, CommonOptions.seed],
        notes: TraceOptions.notes + [
            """
            The capacities are powers of two around the bytes of all objects, so FILE is read twice; a pipe or the standard
            input is read once, with 64 KiB to 64 GiB, which takes twice as much memory. An entry costs as much as in the
            memory tier, and the rules of HTTP are those of mrc and replay. A star marks the policies that an application can
            choose (\(policyNames)).
            """
        ])

    /// The capacities for a trace whose objects aren't known before it is read.
    private static func ladder(_ unit: MissRatioCurve.Unit) -> [Int] {
        (unit == .bytes ? 16...36 : 0...24).map { 1 << $0 }
    }

    private static let policyNames = ".leastRecentlyUsed, .greedyDualSizeFrequency"

    let trace: TraceOptions
    let format: ReportFormat
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        trace = try TraceOptions(arguments)
        format = arguments[CommonOptions.format] ?? .text
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        try trace.advising {
            let interruption = try Interruption()
            let isStopped = { interruption.isRequested }
            let workingSet = try TracePaths(trace.operands).areRegularFiles ? measured(gauge, interruption) : nil
            guard !isStopped() else { return .interrupted }
            var (reader, rules) = try begin(gauge, interruption)
            guard let first = try reader.next() else { throw reader.noRequest }
            rules.countsBytes = trace.hasSizes(first)
            let unit: MissRatioCurve.Unit = rules.countsBytes ? .bytes : .entries
            let share = unit == .bytes ? rules.admission.share : 1
            func wanted(_ objects: WorkingSet) -> [Int] {
                CacheAdvice.capacities(
                    workingSet: objects.bytes, largest: objects.largest, median: objects.median, share: share,
                    least: unit == .bytes ? 1 << 16 : 1)
            }
            var maker = MissRatioCurveMaker(
                unit: unit, capacities: workingSet.map(wanted) ?? Self.ladder(unit), policies: [.lru, .gdsf],
                admission: rules.admission, usesDistances: false)
            try maker.read(&reader, first: first, &rules, isStopped: isStopped)
            guard !isStopped() else { return .interrupted }
            try trace.warn(of: reader, console)
            try trace.requireKeys(rules.uncached, reader)
            let objects = rules.workingSet
            let report = AdviceReport(
                CacheAdvice(maker.curve(), wanted: wanted(objects)), objects, unit: unit, share: share,
                trace: trace.path,
                layout: reader.layout, notes: SizeNotes.all(rules, reader))
            switch format {
            case .text: try console.write(report.text(width: console.width))
            case .json: try console.write(try report.json)
            }
            return trace.exitCode(after: reader, console)
        }
    }

    private func begin(_ gauge: Gauge, _ interruption: Interruption) throws -> (TraceReader, AccessRules) {
        (
            try trace.reader(interruption),
            trace.rules(gauge.cachingRules, admission: gauge.admission ?? .any, seed: seed)
        )
    }

    /// Reads the trace once, for its objects.
    private func measured(_ gauge: Gauge, _ interruption: Interruption) throws -> WorkingSet {
        var (reader, rules) = try begin(gauge, interruption)
        while let request = try reader.next() {
            if reader.count == 1 { rules.countsBytes = trace.hasSizes(request) }
            _ = rules.access(request)
            if reader.count & 1023 == 0, interruption.isRequested { break }
        }
        return rules.workingSet
    }
}
