/// The formats that traces come in.
package enum TraceFormat: String, CaseIterable, Sendable {
    /// An HTTP archive as browsers export it: JSON, with methods, statuses and header fields.
    case har
    /// Squid's native access log.
    case squid
    /// The common or combined access log of Apache and nginx.
    case combined
    /// Comma-separated lines (RFC 4180). The first line names the columns: `key` or `url`, and optionally `size`
    /// (bytes) and `time` (seconds).
    case csv
    /// libCacheSim's CSV: `time,id,size`, or columns named by a header line.
    case libcachesimCSV = "libcachesim-csv"
    /// libCacheSim's oracleGeneral: 24 bytes a request, little-endian.
    case oracleGeneral = "oracle-general"
    /// webcachesim's text: `time id size`.
    case webcachesim
    /// Keys alone: big-endian signed 32-bit integers, one after the other, no header.
    case be32
    /// Access logs with a JSON object on each line, of Caddy or nginx.
    case jsonLog = "json-log"
    /// One id on each line: libCacheSim's txt, LIRS's traces.
    case ids
    /// VMware's vscsi traces, of version 1 or 2.
    case vscsi

    /// Whether a trace of this format is text, in UTF-8 or ASCII.
    private var isText: Bool {
        switch self {
        case .oracleGeneral, .be32, .vscsi: false
        default: true
        }
    }

    /// A one-line description.
    package var summary: String {
        switch self {
        case .har: "HTTP archive 1.2 (JSON); methods, statuses and header fields decide what is stored, and how long"
        case .squid: "squid's access log: time elapsed client code/status bytes method URL user hierarchy/peer type"
        case .combined:
            "access log of Apache or nginx: common, combined or vhost_combined; no host is http://origin.invalid"
        case .csv: "a header line naming the columns key or url, and optionally size (bytes) and time (seconds)"
        case .libcachesimCSV: "libCacheSim's CSV: time,id,size, or named by a header line; never guessed"
        case .oracleGeneral: "libCacheSim's oracleGeneral, 24 bytes a request; never guessed, it has no signature"
        case .webcachesim: "webcachesim's text, time id size; never guessed, it has no signature"
        case .be32: "big-endian signed 32-bit keys, no header; never guessed, it has no signature"
        case .jsonLog: "access log of Caddy or nginx with a JSON object on each line; Caddy's fields decide how long"
        case .ids: "an id on each line: libCacheSim's txt, LIRS's traces; never guessed, it has no signature"
        case .vscsi: "VMware's vscsi, version 1 or 2, the logical block as id; never guessed"
        }
    }

    /// The formats with their summaries, a line each, for messages.
    package static let list: String = {
        let width = (allCases.map(\.rawValue.count).max() ?? 0) + 2
        return allCases.map { "  \($0.rawValue.padded(to: width))\($0.summary)" }.joined(separator: "\n")
    }()

    /// The decoder for a trace of this format.
    ///
    /// - Throws: ``TraceError`` when its header is damaged.
    package func decoder(of input: TraceInput) throws(TraceError) -> any TraceDecoder {
        if isText { try input.skipByteOrderMark() }
        return switch self {
        case .har: HARTrace(input)
        case .squid: SquidLog(input)
        case .combined: CombinedLog(input)
        case .csv: try CSVTrace(input)
        case .libcachesimCSV: try LibCacheSimCSV(input)
        case .oracleGeneral: OracleGeneralTrace(input)
        case .webcachesim: WebcachesimTrace(input)
        case .be32: BE32Trace(input)
        case .jsonLog: JSONLog(input)
        case .ids: IDTrace(input)
        case .vscsi: try VscsiTrace(input)
        }
    }

    /// The format whose signature the trace begins with. Of a log, the first line may be no request.
    ///
    /// - Throws: ``TraceError`` when the beginning has no known signature.
    package static func guess(_ input: TraceInput) throws(TraceError) -> TraceFormat {
        try input.skipByteOrderMark()
        var beginning = try input.peek(searchedBytes)
        guard !beginning.isEmpty else { throw TraceError(input.name, .whole, "empty; pass a trace with requests") }
        if HARTrace.hasSignature(beginning) { return .har }
        if CSVTrace.hasSignature(beginning) { return .csv }
        if beginning.count == searchedBytes, !beginning.contains(UInt8(ascii: "\n")) {
            beginning = try input.peek(TraceInput.longestLine)
        }
        for line in lines(of: beginning) {
            if SquidLog.hasSignature(line) { return .squid }
            if CombinedLog.hasSignature(line) { return .combined }
            if JSONLog.hasSignature(line) { return .jsonLog }
        }
        if let damage = input.damage { throw damage }
        throw TraceError(
            input.name, .whole, "not of a format with a signature; pass --trace-format with one of these:\n\(list)")
    }

    /// The bytes of a trace in which a line with a signature is looked for; more if the first line is longer.
    private static let searchedBytes = 1 << 14

    /// The whole lines of the beginning of a trace, without their ends and the hole before them; the first also if it is
    /// longer than that.
    private static func lines(of beginning: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines = beginning.split(separator: UInt8(ascii: "\n"))
        if beginning.count >= searchedBytes, lines.count > 1, beginning.last != UInt8(ascii: "\n") {
            lines.removeLast()
        }
        return lines.map { CombinedLog.withoutHole($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    }
}
