import GaugeTraces

extension ReplayCommand {
    /// `replay --no-bodies`: the hits of this package's tiers, simulated in this process.
    func simulate(_ type: any CacheSubject.Type, _ gauge: Gauge, _ console: Console) throws -> ExitCode {
        try options.trace.advising {
            let interruption = try Interruption()
            var reader = try options.trace.reader(interruption)
            let report = ReplayReport(options, subject: type, reader: reader, directory: nil)
            guard let first = try reader.next() else {
                guard !interruption.isRequested else { return .interrupted }
                throw reader.noRequest
            }
            var settings = options.settings(directory: "", rules: gauge.cachingRules)
            settings.admission = gauge.admission ?? .any
            var rules = settings.accessRules
            var maker = MissRatioCurveMaker(
                unit: options.capacity.unit, capacities: [options.capacity.count], disk: options.diskCapacity,
                arrangements: [.inclusive], admission: rules.admission, usesDistances: false)
            try maker.read(&reader, first: first, &rules) { interruption.isRequested }
            try options.trace.warn(of: reader, console)
            try options.trace.requireKeys(rules.uncached, reader)
            let result = ReplayResult(
                simulated: maker.curve(), reader, rules, unsized: maker.unsized,
                isStopped: interruption.isRequested)
            try console.write(report.text(of: result, width: console.width))
            return interruption.isRequested ? .interrupted : options.trace.exitCode(after: reader, console)
        }
    }
}
