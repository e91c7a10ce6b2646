import GaugeTraces
import Platform

/// The options that select and change a workload.
struct WorkloadOptions: Sendable {
    static let keys = CommandOption.text(
        "keys", "KIND,…", help: "pattern of the requests for objects: zipf,exponent=0.9, hotspot,share=0.8, pages,…")
    static let objects = CommandOption.whole("objects", in: WorkloadPlan.Bounds.objects, help: "number of objects")
    static let sizes = CommandOption.text(
        "sizes", "KIND,…", help: "lengths of bodies: constant,bytes=4096, lognormal,mu=9.4,sigma=1.3, or JSON")
    static let headers = CommandOption.text(
        "headers", "CLASS;…", help: "caching fields: max_age=60,etag=true;no_store=true, with weight=N before others")
    static let operations = CommandOption.text(
        "operations", "MIX", help: "operations by weight: read=0.9,store=0.09,remove=0.01")
    static let revisit = CommandOption.text(
        "revisit", "KIND,…", help: "time between visits: constant,seconds=1 or exponential,seconds=30")
    static let duplicates = CommandOption.number(
        "duplicates", "SHARE", in: 0...1, help: "part of the reads that is sent twice at the same time")

    static let changes: [any AnyOption] = [
        keys, objects, sizes, headers, operations, revisit, duplicates,
    ]

    static let note: HelpNote = """
        A workload is a preset (the command workloads lists them) or a file in JSON, whose members the options above
        change one by one; WORKLOADS.md in Sources/Harness/GaugeTraces/Workloads describes them.
        """

    /// The workload named `name`, with the changes in `arguments`; without a name, that of ``WorkloadPlan/init()``.
    ///
    /// - Parameter name: a preset, the path of a file, or JSON, which begins with `{`.
    /// - Returns: `nil` with neither a name nor a change.
    static func plan(named name: String?, _ arguments: ParsedArguments) throws -> WorkloadPlan? {
        let isChanged = try changed(WorkloadPlan(), arguments) != WorkloadPlan()
        guard name != nil || isChanged else { return nil }
        return try changed(name.map(plan(named:)) ?? WorkloadPlan(), arguments)
    }

    static func plan(named name: String) throws -> WorkloadPlan {
        if name.hasPrefix("{") {
            return try reading("the workload") { () throws(JSONError) in
                try WorkloadPlan(json: Array(name.utf8))
            }
        }
        if let preset = WorkloadPlan.preset(name) { return preset }
        guard name.contains("/") || name.contains(".") else {
            let names = WorkloadPlan.presets.map(\.name)
            throw UsageError(
                "there is no workload '\(name)'\(NearNames.question(name, among: names)); the presets are "
                    + names.joined(separator: ", ") + "; a file is named with its ending or folder, as ./\(name)")
        }
        let bytes = try contents(of: name)
        return try reading(name) { () throws(JSONError) in try WorkloadPlan(json: bytes) }
    }

    private static func changed(_ plan: WorkloadPlan, _ arguments: ParsedArguments) throws -> WorkloadPlan {
        var plan = plan
        plan.objects = arguments[objects] ?? plan.objects
        plan.duplicates = arguments[duplicates] ?? plan.duplicates
        func change<Part>(
            _ option: CommandOption<String>, _ part: WritableKeyPath<WorkloadPlan, Part>,
            _ read: (String) throws(JSONError) -> Part
        ) throws {
            guard let text = arguments[option] else { return }
            plan[keyPath: part] = try reading("--\(option.name)") { () throws(JSONError) in
                try read(text)
            }
        }
        try change(keys, \.keys) { (text) throws(JSONError) in try KeyPattern(WorkloadPlan.shorthand(text)) }
        plan.sizes = try sizes(in: arguments) ?? plan.sizes
        try change(headers, \.headers) { (text) throws(JSONError) in
            try WorkloadPlan.headers(WorkloadPlan.shorthandList(text))
        }
        try change(operations, \.operations) { (text) throws(JSONError) in
            try OperationMix(WorkloadPlan.shorthand(text))
        }
        try change(revisit, \.revisit) { (text) throws(JSONError) in
            try RevisitInterval(WorkloadPlan.shorthand(text))
        }
        return plan
    }

    /// The distribution from `--sizes`, for workloads and traces alike; `nil` without it.
    static func sizes(in arguments: ParsedArguments) throws -> BodySizes.Distribution? {
        guard let text = arguments[sizes] else { return nil }
        return try reading("--sizes") { () throws(JSONError) in
            try BodySizes.Distribution(WorkloadPlan.shorthand(text))
        }
    }

    private static func reading<Part>(_ name: String, _ read: () throws(JSONError) -> Part) throws -> Part {
        do { return try read() } catch { throw UsageError("\(name): \(error)") }
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw GaugeError("\(path) cannot be read: \(SystemError.last)") }
        defer { close(file) }
        do {
            return try GaugeSupport.contents(of: file, atMost: JSONReader.longestDocument)
        } catch { throw GaugeError("\(path) cannot be read: \(error)") }
    }
}
