import GaugeSupport
import GaugeTraces

/// The options of commands that read a trace.
struct TraceOptions: Sendable {
    static let format = CommandOption<TraceFormat>.choice(
        "trace-format", "NAME",
        help:
            "format of FILE, one of those below; by default recognised by its beginning if it has a signature")
    static let skipDamaged = CommandOption.flag(
        "skip-damaged", help: "skip damaged requests and count them, instead of stopping at the first")
    static let strict = CommandOption.flag(
        "strict", help: "stop even at lines of a log that are not requests, which are skipped and counted by default")
    static let sizes = CommandOption.text(
        "sizes", "KIND,…",
        help:
            "lengths of bodies that the trace omits: constant,bytes=4096 by default, lognormal,mu=9.4,sigma=1.3, or JSON"
    )

    static let sizeChanges = CommandOption<SizeChanges>.choice(
        "size-changes",
        help:
            "an object whose size changed is by default a new version; or the change is ignored, or updates the entry"
    )

    /// The options for a command's list.
    static let all = [
        format.specification, skipDamaged.specification, strict.specification, sizes.specification,
        sizeChanges.specification,
    ]

    /// A paragraph for a command's help.
    static let notes = """
        FILE may be - for the standard input. It may be compressed by gzip or zstd. Several files, or those that a pattern
        such as 'part-*.csv' matches, are one trace: with times they are read side by side, in the order of the times,
        otherwise one after another. Trace formats:
        \(TraceFormat.list)
        """

    /// The files as the user named them: paths, patterns or `-`.
    let operands: [String]
    let format: TraceFormat?
    let skipping: TraceReader.Skipping
    /// The text of `--sizes`; `nil` without it.
    let writtenSizes: String?
    /// The meaning of a size that differs from the one before.
    let sizeChanges: SizeChanges
    private let distribution: BodySizes.Distribution

    /// Reads the options; the operands are the files.
    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        format = arguments[Self.format]
        let isStrict = arguments.has(Self.strict)
        if isStrict, arguments.has(Self.skipDamaged) {
            throw UsageError("--strict stops at what --skip-damaged would skip; leave out one of them")
        }
        skipping = isStrict ? .nothing : arguments.has(Self.skipDamaged) ? .damage : .noise
        writtenSizes = arguments[Self.sizes]
        sizeChanges = arguments[Self.sizeChanges] ?? .version
        distribution = try WorkloadOptions.sizes(in: arguments) ?? .oneSize
    }

    /// The trace in messages and reports.
    var path: String { operands.joined(separator: " ") }

    /// The options and the operands as arguments, to be placed last on a command line.
    var arguments: [String] {
        (format.map { ["--trace-format=\($0.rawValue)"] } ?? []) + skippingArguments
            + (writtenSizes.map { ["--sizes=\($0)"] } ?? [])
            + (sizeChanges == .version ? [] : ["--size-changes=\(sizeChanges.rawValue)"]) + ["--"] + operands
    }

    private var skippingArguments: [String] {
        switch skipping {
        case .nothing: ["--strict"]
        case .noise: []
        case .damage: ["--skip-damaged"]
        }
    }

    /// The lengths of bodies that the trace omits.
    func sizes(seed: UInt64) -> BodySizes { BodySizes(distribution, seed: seed) }

    /// The same lengths, for people.
    var assumedSizes: String { "where the trace has none: \(sizes(seed: 0))" }

    /// Opens the trace.
    func reader(_ interruption: Interruption) throws -> TraceReader {
        let inputs = try TracePaths(operands).paths.map {
            try TraceInput(path: $0, interruption: interruption.descriptor)
        }
        return try TraceReader(inputs, format: format, skipping: skipping)
    }

    /// Runs `body`, which reads the trace, and adds advice to an error on how to continue in spite of it.
    func advising<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TraceError where error.isSkippable {
            let advice = error.isNoise ? "without --strict it is skipped" : "--skip-damaged goes on without it"
            throw TraceError(error.trace, error.place, "\(error.reason); \(advice)", isSkippable: true)
        }
    }
}
