import GaugeSupport

/// The layout of a trace: its format, and whatever else is needed to read a log's lines.
package struct TraceLayout: Hashable, Sendable {
    package let format: TraceFormat
    /// The layouts of a text log without a decoder of its own.
    package var patterns: [LogPattern] = []
    /// The member names that the user gave for a JSON log or CSV.
    package var fields: LogFields?
    /// What stands around each line.
    package var envelope = LogEnvelope.none
    /// Whether the first field of a combined log is the virtual host.
    package var hasHostFirst = false
    /// Whether a text log has words `name=value` instead of a pattern.
    package private(set) var isLogfmt = false

    static var logfmt: TraceLayout {
        var layout = TraceLayout(.textLog)
        layout.isLogfmt = true
        return layout
    }

    /// Whether the user named members, but no format.
    private var isNamedOnly = false

    /// Members named by the user, in a trace of any format that has names.
    package init(fields: LogFields) {
        self.init(.jsonLog, fields: fields)
        isNamedOnly = true
    }

    package init(_ format: TraceFormat, patterns: [LogPattern] = [], fields: LogFields? = nil) {
        (self.format, self.patterns, self.fields) = (format, patterns, fields)
    }

    /// The layout for `--log-format`: a name of GoAccess's or of a preset, or a format in the specifiers of GoAccess,
    /// Apache or nginx, alone or in a line of the server's settings.
    ///
    /// - Throws: `GaugeError` that names the fault.
    package init(logFormat written: String) throws(GaugeError) {
        guard written.utf8.count <= LogPattern.longestFormat else {
            throw GaugeError("the log format is longer than \(LogPattern.longestFormat) bytes")
        }
        let text = LogSetting.format(written)
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

    /// The layout with the user's member names, in the form in which the trace begins: CSV, words, or JSON.
    ///
    /// - Throws: ``TraceError`` when the beginning can't be read.
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

    /// A decoder on all processors, if the input can be read ahead.
    private static func parallel(_ lines: some LineDecoder) -> any TraceDecoder {
        lines.input.isLive ? lines : ParallelLines(lines)
    }

    /// The format's name, and what was found out about the lines.
    package var text: String {
        var text = format.rawValue
        if let pattern = patterns.first { text += " \(pattern.name)" }
        if isLogfmt { text += " \(LogfmtLog.name)" }
        if hasHostFirst { text += ", the first field is the host" }
        if envelope != .none { text += ", in lines of \(envelope.rawValue)" }
        return text
    }
}

extension TraceLayout {
    /// The layout whose signature the trace begins with. A log's first lines needn't be requests.
    ///
    /// - Parameter format: the format that the user named; only the rest is then guessed.
    /// - Throws: ``TraceError`` when there is no known signature: it shows the first line, the nearest format and what
    ///   that lacks.
    package static func guess(_ input: TraceInput, format: TraceFormat? = nil) throws(TraceError) -> TraceLayout {
        if let format, !format.hasLayouts { return TraceLayout(format) }
        try input.skipByteOrderMark()
        var beginning = try input.peek(searchedBytes)
        guard !beginning.isEmpty else {
            if let format { return TraceLayout(format) }
            throw TraceError(input.name, .whole, "empty; pass a trace with requests")
        }
        if format == nil {
            if HARTrace.hasSignature(beginning) { return TraceLayout(.har) }
            if W3CLog.hasSignature(beginning) { return TraceLayout(.w3c) }
            if CSVTrace.hasSignature(beginning) { return TraceLayout(.csv) }
            if JSONDocumentLog.hasSignature(beginning) { return TraceLayout(.jsonLog) }
        }
        if beginning.count == searchedBytes, !beginning.contains(UInt8(ascii: "\n")) {
            beginning = try input.peek(TraceInput.longestLine)
        }
        let lines = lines(of: beginning)
        if let layout = layout(of: lines, format: format) { return layout }
        if let format { return TraceLayout(format) }
        if let damage = input.damage { throw damage }
        throw TraceError(
            input.name, .whole,
            nearest(to: lines)
                + "not of a format with a signature; describe the lines with --log-format or --fields, or "
                + "pass --trace-format with one of these:\n\(TraceFormat.list)")
    }

    private static func layout(of lines: [ArraySlice<UInt8>], format: TraceFormat?) -> TraceLayout? {
        for envelope in envelopes {
            let contents = envelope == .none ? lines : lines.compactMap { envelope.content(of: $0) }
            for line in contents {
                guard var layout = layout(of: line, in: envelope, format: format) else { continue }
                layout.envelope = envelope
                if layout.format == .combined { layout.hasHostFirst = CombinedLog.hasHostFirst(contents) }
                return layout
            }
        }
        return nil
    }

    /// In this order: lines in an envelope may look like lines without one that have odd first fields.
    private static let envelopes: [LogEnvelope] = [
        .docker, .cri, .syslog, .program, .bar, .date, .none, .member, .object,
    ]

    private static func layout(
        of line: ArraySlice<UInt8>, in envelope: LogEnvelope, format: TraceFormat?
    ) -> TraceLayout? {
        func isTried(_ other: TraceFormat) -> Bool { format == nil || format == other }
        if isTried(.squid), SquidLog.hasSignature(line) { return TraceLayout(.squid) }
        if isTried(.combined), CombinedLog.hasSignature(line) { return TraceLayout(.combined) }
        if isTried(.jsonLog), JSONLog.hasSignature(line) { return TraceLayout(.jsonLog) }
        guard isTried(.textLog) else { return nil }
        let presets = PatternLog.presets(fitting: line)
        if !presets.isEmpty { return TraceLayout(.textLog, patterns: presets) }
        // A date before the words is read with them.
        guard ![.date, .program, .syslog].contains(envelope), LogfmtLog.hasSignature(line) else { return nil }
        return .logfmt
    }

    /// How much of a trace is searched for a line with a signature; more if the first line is longer.
    private static let searchedBytes = 1 << 14

    /// The whole lines at the beginning of a trace, without line ends and leading NUL bytes; the first line even if it
    /// is longer.
    private static func lines(of beginning: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines = beginning.split(separator: UInt8(ascii: "\n"))
        if beginning.count >= searchedBytes, lines.count > 1, beginning.last != UInt8(ascii: "\n") {
            lines.removeLast()
        }
        return lines.map { CombinedLog.withoutHole($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    }

    /// The first line, the format that it comes nearest to, and what it lacks; empty if it resembles none.
    private static func nearest(to lines: [ArraySlice<UInt8>]) -> String {
        guard let line = lines.first(where: { !$0.isEmpty && $0.first != UInt8(ascii: "#") }) else { return "" }
        let shown =
            "its first line is \(QuotedText.of(String(decoding: line.prefix(1024), as: UTF8.self), limit: 200)); "
        var best: (name: String, score: Int, fault: String)?
        func offer(_ name: String, _ record: LogRecord, _ fault: LineFault?) {
            guard record.score > best?.score ?? 1 else { return }
            let reason = fault?.reason() ?? missing(in: record)
            if let reason { best = (name, record.score, reason) }
        }
        for (name, pattern) in decoded {
            let (record, fault) = pattern.record(line)
            offer(name, record, fault)
        }
        if let record = try? JSONLog.record(line, nil) {
            best = missing(in: record).map { (TraceFormat.jsonLog.rawValue, record.score, $0) }
            return shown + (best.map { "the nearest format is \($0.name), but \($0.fault); " } ?? "")
        }
        for pattern in LogPattern.presets {
            let (record, fault) = pattern.record(line)
            offer(pattern.name, record, fault)
        }
        if line.contains(UInt8(ascii: "=")) { offer(LogfmtLog.name, LogfmtLog.record(line, nil), nil) }
        return shown + (best.map { "the nearest format is \($0.name), but \($0.fault); " } ?? "")
    }

    /// The formats with their own decoders, as patterns.
    private static let decoded: [(name: String, pattern: LogPattern)] = [
        (TraceFormat.combined.rawValue, LogPatternReader.preset("", #"%^ %^ %^ [%x] "%r" %s %{size}"#, .unknown)),
        (TraceFormat.squid.rawValue, LogPatternReader.preset("", "%x %^ %^ %^/%s %{size} %m %U %^ %^", .unknown)),
    ].compactMap { name, pattern in pattern.map { (name, $0) } }

    private static func missing(in record: LogRecord) -> String? {
        do throws(LineFault) {
            _ = try record.request()
            return nil
        } catch {
            return error.reason()
        }
    }
}
