/// What commands that read a trace are told about it.
struct TraceOptions: Sendable {
    static let format = CommandOption<TraceFormat>.choice(
        "trace-format", "NAME",
        help:
            "what FILE is, one of the formats below; recognised by its beginning unless said, where it has a signature")
    static let skipDamaged = CommandOption.flag(
        "skip-damaged", help: "pass over damaged requests and count them, instead of ending at the first")

    /// For the notes of a command.
    static let notes = "FILE may be - for the standard input. Trace formats:\n\(TraceFormat.list)"

    let path: String
    let format: TraceFormat?
    let skipsDamaged: Bool

    /// Reads the options; the file is the first operand.
    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
        format = arguments[Self.format]
        skipsDamaged = arguments.has(Self.skipDamaged)
    }

    /// The options and the operand as arguments again, the last of a command line.
    var arguments: [String] {
        (format.map { ["--trace-format=\($0.rawValue)"] } ?? []) + (skipsDamaged ? ["--skip-damaged"] : [])
            + ["--", path]
    }

    /// Opens the trace.
    func reader(_ interruption: Interruption) throws -> TraceReader {
        try TraceReader(
            TraceInput(path: path, interruption: interruption.descriptor), format: format, skipsDamaged: skipsDamaged)
    }

    /// Runs what reads the trace, and tells of an error how to go on in spite of it.
    func advising<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TraceError where error.isSkippable {
            throw TraceError(
                error.trace, error.place, error.reason + "; --skip-damaged goes on without it", isSkippable: true)
        }
    }
}
