/// What a replay is asked for on the command line.
struct ReplayOptions: Sendable {
    static let traceFormat = CommandOption<TraceFormat>.choice(
        "trace-format", help: "what FILE is; recognised by its beginning unless said, where it has a signature")
    static let subject = CommandOption.text(
        "subject", "NAME", help: "the cache that the trace is sent to; the first of this executable unless said")
    static let entries = CommandOption.whole(
        "entries", in: 1...100_000_000,
        help: "count entries instead of bytes: memory tier only, one shard, bodies of 64 bytes")

    static let all: [OptionSpecification] = [
        traceFormat.specification, subject.specification, entries.specification, CommonOptions.format.specification,
        CommonOptions.memory.specification, CommonOptions.disk.specification, CommonOptions.directory.specification,
        CommonOptions.seed.specification,
    ]

    let path: String
    let traceFormat: TraceFormat?
    let subject: String?
    let entries: Int?
    let format: ReportFormat
    let memory: ByteSize
    let disk: ByteSize
    let directory: String?
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws {
        path = arguments.operands[0]
        traceFormat = arguments[Self.traceFormat]
        subject = arguments[Self.subject]
        entries = arguments[Self.entries]
        format = arguments[CommonOptions.format] ?? .text
        memory = arguments[CommonOptions.memory] ?? RunSettings.defaultMemory
        disk = arguments[CommonOptions.disk] ?? RunSettings.defaultDisk
        directory = arguments[CommonOptions.directory]
        seed = arguments[CommonOptions.seed] ?? RunSettings.defaultSeed
        if entries != nil, arguments[CommonOptions.memory] != nil || arguments[CommonOptions.disk] != nil {
            throw UsageError("--entries counts entries instead of bytes; leave out --memory and --disk")
        }
    }

    /// The options as arguments again, with another directory.
    func arguments(directory: String) -> [String] {
        var arguments = ["--format=\(format.rawValue)", "--directory=\(directory)", "--seed=\(seed)"]
        if let traceFormat { arguments.append("--trace-format=\(traceFormat.rawValue)") }
        if let subject { arguments.append("--subject=\(subject)") }
        if let entries {
            arguments.append("--entries=\(entries)")
        } else {
            arguments += ["--memory=\(memory.bytes)", "--disk=\(disk.bytes)"]
        }
        return arguments + ["--", path]
    }

    func settings(directory: String) -> ReplaySettings {
        ReplaySettings(
            configuration: SubjectConfiguration(
                memoryCapacity: entries == nil ? memory.bytes : 0, diskCapacity: entries == nil ? disk.bytes : 0,
                directory: directory, entryLimit: entries),
            seed: seed)
    }
}
