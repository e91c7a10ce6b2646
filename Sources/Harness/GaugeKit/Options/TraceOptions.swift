import GaugeTraces
import Platform

struct TraceOptions: Sendable {
    static let format = CommandOption<TraceFormat>.choice(
        "trace-format", "NAME",
        help:
            "format of FILE, one of those below; by default recognised by its beginning if it has a signature")
    static let logFormat = CommandOption<(text: String, layout: TraceLayout)>(
        "log-format", "FORMAT",
        help:
            "layout of a log's lines: a format in the specifiers of GoAccess or Apache, or with nginx's variables, alone or as the settings have it, or a name: COMBINED, AWSALB, …"
    ) { (text) throws(UsageError) in
        do throws(GaugeError) { return (text, try TraceLayout(logFormat: text)) } catch { throw UsageError("\(error)") }
    }
    static let fields = CommandOption<LogFields>(
        "fields", "MEMBER=NAME,…",
        help:
            "names in a JSON log, a CSV or words name=value: url=req.path,status=res.code,size=bytes,time=at; key in place of url for ids and hashes"
    ) { (text) throws(UsageError) in
        do throws(GaugeError) { return try LogFields(text) } catch { throw UsageError("\(error)") }
    }
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
            "an object whose size changed is by default a new version, but for a header's worth in logs that count headers; exact: any change is; or it is ignored, or updates the entry"
    )

    static let all: [any AnyOption] = [
        format, logFormat, fields, skipDamaged, strict, sizes, sizeChanges,
    ]

    static let notes: [HelpNote] = [
        """
        FILE may be - for the standard input. It may be compressed by gzip or zstd. Several files, or those that a pattern
        such as 'part-*.csv' matches, are one trace: with times they are read side by side, in the order of the times,
        otherwise one after another.
        """,
        .table("Trace formats:", TraceFormat.allCases.map { ($0.rawValue, $0.summary) }),
    ]

    /// The files as the user named them: paths, patterns or `-`.
    let operands: [String]
    let format: TraceFormat?
    /// The layout that `--log-format` or `--fields` describes, and its text.
    let layout: TraceLayout?
    private let layoutArguments: [String]
    let skipping: TraceReader.Skipping
    /// The text of `--sizes`; `nil` without it.
    let writtenSizes: String?
    /// What it means that an object's size differs from the one before.
    let sizeChanges: SizeChanges
    private let distribution: BodySizes.Distribution

    init(_ arguments: ParsedArguments) throws {
        operands = arguments.operands
        let format = arguments[Self.format]
        self.format = format
        let (described, fields) = (arguments[Self.logFormat], arguments[Self.fields])
        guard described == nil || fields == nil, format == nil || described == nil else {
            throw UsageError("--log-format describes the whole line; leave out --fields and --trace-format")
        }
        guard fields == nil || format == nil || format == .csv || format == .jsonLog else {
            throw UsageError("--fields names the members of a JSON log or a CSV; leave out --trace-format")
        }
        layout =
            described?.layout
            ?? fields.map { fields in
                format.map { TraceLayout($0, fields: fields) } ?? TraceLayout(fields: fields)
            }
        layoutArguments =
            (described.map { ["--log-format=\($0.text)"] } ?? [])
            + (fields.map { ["--fields=\($0.text)"] } ?? [])
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

    /// The options and operands as arguments, to be placed last on a command line.
    var arguments: [String] {
        (format.map { ["--trace-format=\($0.rawValue)"] } ?? []) + layoutArguments + skippingArguments
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

    /// The lengths of bodies where the trace has none.
    func sizes(seed: UInt64) -> BodySizes { BodySizes(distribution, seed: seed) }

    /// The rules for the trace's requests.
    func rules(_ caching: (any CachingRules)?, admission: AdmissionRule, seed: UInt64) -> AccessRules {
        var rules = AccessRules(sizes: sizes(seed: seed), urls: RequestURLs(seed: seed))
        rules.caching = caching ?? RulesOfThumb()
        (rules.admission, rules.sizeChanges) = (admission, sizeChanges)
        return rules
    }

    /// Whether capacities count bytes by default, by the trace's first request.
    func hasSizes(_ first: TraceRequest) -> Bool { first.size != nil || first.exchange != nil || writtenSizes != nil }

    /// The same for people.
    var assumedSizes: String { "where the trace has none: \(sizes(seed: 0))" }

    /// Opens the trace.
    ///
    /// - Parameter sample: the keys whose sizes matter; `nil` for all.
    func reader(_ interruption: Interruption, sample: KeySample? = nil) throws -> TraceReader {
        let inputs = try TracePaths(operands).paths.map {
            try TraceInput(path: $0, interruption: interruption.descriptor)
        }
        var reader = try TraceReader(inputs, format: format, layout: layout, skipping: skipping)
        if sizeChanges == .version {
            let isNeeded: (@Sendable (UInt64) -> Bool)? =
                if let sample { { sample.hash(of: $0) != nil } } else { nil }
            reader.settleSizes(of: isNeeded)
        }
        return reader
    }

    /// Says what was skipped and what was guessed.
    ///
    /// - Throws: ``TraceError`` if the trace makes no sense in its format.
    func warn(of reader: TraceReader, _ console: Console) throws {
        if let nonsense = reader.nonsense { throw nonsense }
        for warning in [reader.skipWarning, reader.guesses.warning, reader.strangers].compactMap({ $0 }) {
            console.note("warning: \(warning)\n")
        }
    }

    /// Refuses a trace of which the cache takes no URL: every request would be a miss, and no figure the trace's.
    func requireKeys(_ uncached: UncachedRequests, _ reader: TraceReader) throws {
        guard uncached.refusesAllURLs else { return }
        let example = uncached.costliest(1).first.map { ": \(QuotedText.of($0.name, limit: 100)) is none" } ?? ""
        let remedy =
            [.csv, .jsonLog, .textLog].contains(reader.format)
            ? "; if they are ids or hashes, name them: --fields key=NAME, with size=NAME and time=NAME" : ""
        throw TraceError(
            reader.name, .whole,
            "no request has a URL that a cache takes\(example); it begins with http:// or https:// and has no user name, or "
                + "is a path that begins with /\(remedy)")
    }

    /// Failure if more of the trace was skipped than read, unless asked for.
    func exitCode(after reader: TraceReader, _ console: Console) -> ExitCode {
        guard skipping != .damage, let loss = reader.loss else { return .ok }
        console.note("error: \(loss)\n")
        return .failure
    }

    /// Runs `body`, which reads the trace; an error gets advice on how to continue anyway.
    func advising<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TraceError where error.isSkippable {
            let advice = error.isNoise ? "without --strict it is skipped" : "--skip-damaged goes on without it"
            throw TraceError(error.trace, error.place, "\(error.reason); \(advice)", isSkippable: true)
        }
    }
}

/// The files that a command's operands name: paths, `-`, and patterns with `*`, `?` and `[…]`.
struct TracePaths: Sendable {
    /// The most files of one trace, which are all open at once.
    static let most = 512

    /// In the order of the operands; those of a pattern by name, with numbers by value.
    let paths: [String]

    /// Whether they can be read twice: pipes can't.
    var areRegularFiles: Bool {
        paths.allSatisfy { path in
            var status = stat()
            return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// Finds the files. The path of an existing file is no pattern, whatever its characters.
    ///
    /// - Throws: `UsageError` if a pattern matches no file, a file is named twice, or there are too many.
    init(_ operands: [String]) throws(UsageError) {
        var paths: [String] = []
        for operand in operands { paths += try Self.matches(of: operand) }
        if let twice = Dictionary(grouping: paths, by: \.self).first(where: { $0.value.count > 1 })?.key {
            throw UsageError("\(twice) is named twice; name each file of the trace once")
        }
        guard paths.count <= Self.most else {
            throw UsageError(
                "\(paths.count) files are more than the \(Self.most) that are read side by side; join some with cat")
        }
        self.paths = paths
    }

    private static func matches(of operand: String) throws(UsageError) -> [String] {
        guard !operand.isEmpty else {
            throw UsageError("the name of a file is empty; name a file, or - for standard input")
        }
        guard operand != "-", operand.contains(where: { "*?[".contains($0) }), access(operand, F_OK) != 0 else {
            return [operand]
        }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(operand, GLOB_NOSORT, nil, &found) == 0, let names = found.gl_pathv else {
            throw UsageError("no file matches '\(operand)'; check the pattern, or name the files")
        }
        return (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }.sorted(by: isBefore)
    }

    /// Compares names so that `part2` comes before `part10`.
    static func isBefore(_ one: String, _ other: String) -> Bool {
        var (left, right) = (ArraySlice(one.utf8), ArraySlice(other.utf8))
        while let first = left.first, let second = right.first {
            let (number, otherNumber) = (left.prefix(while: isDigit), right.prefix(while: isDigit))
            if !number.isEmpty, !otherNumber.isEmpty {
                let (value, otherValue) = (number.drop { $0 == 0x30 }, otherNumber.drop { $0 == 0x30 })
                guard value.elementsEqual(otherValue) else {
                    return value.count == otherValue.count
                        ? value.lexicographicallyPrecedes(otherValue) : value.count < otherValue.count
                }
                (left, right) = (left.dropFirst(number.count), right.dropFirst(otherNumber.count))
            } else {
                guard first == second else { return first < second }
                (left, right) = (left.dropFirst(), right.dropFirst())
            }
        }
        // Names that differ only in leading zeros are in byte order.
        return left.isEmpty && right.isEmpty ? one < other : left.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// The progress of a command that reads a trace, shown ten times a second on a terminal.
struct CountProgress {
    private let line: ProgressLine
    private let what: String
    private var shown = LatencyRecorder.now()

    /// - Parameter what: what is counted, e.g. `requests`.
    init(_ what: String, on console: Console) {
        line = ProgressLine(console: console)
        self.what = what
    }

    mutating func show(_ count: @autoclosure () -> String) {
        guard LatencyRecorder.now() - shown > 100_000_000 else { return }
        line.show("\(count()) \(what)")
        shown = LatencyRecorder.now()
    }

    /// Removes the line before other output.
    func clear() { line.clear() }
}
