import GaugeSupport

/// How a trace is laid out: its format, and what a log's lines need beside that.
package struct TraceLayout: Hashable, Sendable {
    package let format: TraceFormat
    /// The layouts of a text log that has no decoder of its own.
    package var patterns: [LogPattern] = []
    /// The names of the members of a JSON log or a CSV, where the user names them.
    package var fields: LogFields?
    /// What stands around each line.
    package var envelope = LogEnvelope.none
    /// Whether the first field of a combined log is the virtual host.
    package var hasHostFirst = false
    /// Whether a text log has words `name=value` instead of a pattern.
    package private(set) var isLogfmt = false

    /// Words `name=value`.
    static var logfmt: TraceLayout {
        var layout = TraceLayout(.textLog)
        layout.isLogfmt = true
        return layout
    }

    /// Whether the user named members, and not the format.
    private var isNamedOnly = false

    /// The members that the user named, in a trace of any format that has names.
    package init(fields: LogFields) {
        self.init(.jsonLog, fields: fields)
        isNamedOnly = true
    }

    package init(_ format: TraceFormat, patterns: [LogPattern] = [], fields: LogFields? = nil) {
        (self.format, self.patterns, self.fields) = (format, patterns, fields)
    }

    /// The layout that `--log-format` names: one of GoAccess's names or of the presets', or a format in the specifiers of
    /// GoAccess, Apache or nginx.
    ///
    /// - Throws: `GaugeError` that names the fault.
    package init(logFormat text: String) throws(GaugeError) {
        guard text.utf8.count <= LogPattern.longestFormat else {
            throw GaugeError("the log format is longer than \(LogPattern.longestFormat) bytes")
        }
        let presets = LogPattern.presets(named: text)
        if let format = Self.named[text.uppercased()] {
            self.init(format)
        } else if !presets.isEmpty {
            self.init(.textLog, patterns: presets)
        } else if text.uppercased() == LogfmtLog.name {
            self = .logfmt
        } else if text.hasPrefix("{") {
            self.init(.jsonLog, fields: try LogFields(template: text))
        } else if text.contains("%") || text.contains("$") {
            self.init(.textLog, patterns: [try LogPatternReader.pattern(text)])
        } else {
            let names = Self.names
            throw GaugeError(
                "'\(text)' is neither a name\(NearNames.question(text.uppercased(), among: names)) nor a format with "
                    + "specifiers; the names are \(names.joined(separator: ", "))")
        }
        if text.uppercased() == "COMONVHOST" { hasHostFirst = true }
    }

    private static let named: [String: TraceFormat] = [
        "COMBINED": .combined, "COMMON": .combined, "VCOMBINED": .combined, "VCOMMON": .combined,
        "COMONVHOST": .combined,
        "TRAEFIKCLF": .combined, "LIGHTTPD": .combined, "SQUID": .squid, "W3C": .w3c, "CLOUDFRONT": .w3c, "IIS": .w3c,
        "CADDY": .jsonLog, "TRAEFIK": .jsonLog, "CLOUDFLARE": .jsonLog, "CLOUDSTORAGE": .csv,
    ]

    /// The names that `--log-format` takes.
    package static let names: [String] = (Array(named.keys) + Set(LogPattern.presets.map(\.name)) + [LogfmtLog.name])
        .sorted()

    /// The layout with the names that the user gave to members, in the form that the trace begins with: CSV, words, or JSON.
    ///
    /// - Throws: ``TraceError`` when the beginning cannot be read.
    package func adapted(to input: TraceInput) throws(TraceError) -> TraceLayout {
        guard let fields, isNamedOnly else { return self }
        try input.skipByteOrderMark()
        let beginning = try input.peek(1 << 14)
        var layout = self
        if CSVTrace.hasColumns(fields, in: beginning) {
            layout = TraceLayout(.csv, fields: fields)
        } else if let line = beginning.split(separator: UInt8(ascii: "\n")).first,
            LogfmtLog.hasSignature(line, fields: fields)
        {
            layout = .logfmt
            layout.fields = fields
        }
        layout.isNamedOnly = false
        return layout
    }

    /// The decoder for a trace of this layout.
    ///
    /// - Throws: ``TraceError`` when its header is damaged.
    package func decoder(of input: TraceInput) throws(TraceError) -> any TraceDecoder {
        if format.isText { try input.skipByteOrderMark() }
        return switch format {
        case .har: HARTrace(input)
        case .squid: Self.parallel(SquidLog(input, envelope: envelope))
        case .combined: Self.parallel(CombinedLog(input, hasHostFirst: hasHostFirst, envelope: envelope))
        case .w3c: W3CLog(input)
        case .textLog where isLogfmt: Self.parallel(LogfmtLog(input, fields: fields, envelope: envelope))
        case .textLog: Self.parallel(PatternLog(input, patterns, envelope: envelope))
        case .jsonLog where JSONDocumentLog.hasSignature(try input.peek(1 << 14), fields: fields):
            JSONDocumentLog(input, fields: fields)
        case .jsonLog: Self.parallel(JSONLog(input, fields: fields, envelope: envelope))
        case .csv: try CSVTrace(input, fields: fields)
        case .libcachesimCSV: try LibCacheSimCSV(input)
        case .oracleGeneral: OracleGeneralTrace(input)
        case .webcachesim: WebcachesimTrace(input)
        case .be32: BE32Trace(input)
        case .ids: IDTrace(input)
        case .vscsi: try VscsiTrace(input)
        }
    }

    /// The decoder on all processors, where the input can be read ahead.
    private static func parallel(_ lines: some LineDecoder) -> any TraceDecoder {
        lines.input.isLive ? lines : ParallelLines(lines)
    }

    /// The name of the format, and what was found out about the lines.
    package var text: String {
        var text = format.rawValue
        if let pattern = patterns.first { text += " \(pattern.name)" }
        if isLogfmt { text += " \(LogfmtLog.name)" }
        if hasHostFirst { text += ", the first field is the host" }
        if envelope != .none { text += ", in lines of \(envelope.rawValue)" }
        return text
    }
}
