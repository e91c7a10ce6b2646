/// The formats that traces come in.
package enum TraceFormat: String, CaseIterable, Sendable {
    /// An HTTP archive from a browser: JSON, with methods, statuses and header fields.
    case har
    /// Squid's native access log.
    case squid
    /// The common or combined access log of Apache and nginx.
    case combined
    /// Comma-separated lines (RFC 4180). The first line names the columns: `key` or `url`, and optionally `size`
    /// (bytes), `time` (seconds or a date), `status`, `method` and `lifetime` (seconds).
    case csv
    /// libCacheSim's CSV: `time,id,size`, or columns named by a header line.
    case libcachesimCSV = "libcachesim-csv"
    /// libCacheSim's oracleGeneral: 24 bytes a request, little-endian.
    case oracleGeneral = "oracle-general"
    /// webcachesim's text: `time id size`.
    case webcachesim
    /// Keys alone: big-endian signed 32-bit integers, no header.
    case be32
    /// Access logs of Caddy, nginx, proxies and networks with a JSON object on each line, or a list of them.
    case jsonLog = "json-log"
    /// One id on each line: libCacheSim's txt, LIRS's traces.
    case ids
    /// VMware's vscsi traces, of version 1 or 2.
    case vscsi
    /// Logs in W3C's extended format, with fields named by a line `#Fields:`: IIS, CloudFront.
    case w3c
    /// Other text logs, one request a line: presets, and formats that `--log-format` describes.
    case textLog = "text-log"

    /// Whether a trace of this format is text, in UTF-8 or ASCII.
    var isText: Bool {
        switch self {
        case .oracleGeneral, .be32, .vscsi: false
        default: true
        }
    }

    /// Whether a size in this format may count the response's header.
    var mayCountHeaders: Bool {
        switch self {
        case .squid, .combined, .jsonLog, .w3c, .textLog: true
        default: false
        }
    }

    /// Whether this format has several layouts.
    var hasLayouts: Bool {
        switch self {
        case .combined, .jsonLog, .squid, .textLog: true
        default: false
        }
    }

    package var summary: String {
        switch self {
        case .har: "HTTP archive 1.2 (JSON); methods, statuses and header fields decide what is stored, and how long"
        case .squid: "squid's access log: time elapsed client code/status bytes method URL user hierarchy/peer type"
        case .combined:
            "access log of Apache, nginx, lighttpd: common or combined; without a host it is http://origin.invalid"
        case .csv: "a header line naming the columns key or url, and others as size, time, status, method, lifetime"
        case .libcachesimCSV: "libCacheSim's CSV: time,id,size, or named by a header line; never guessed"
        case .oracleGeneral: "libCacheSim's oracleGeneral, 24 bytes a request; never guessed, it has no signature"
        case .webcachesim: "webcachesim's text, time id size; never guessed, it has no signature"
        case .be32: "big-endian signed 32-bit keys, no header; never guessed, it has no signature"
        case .jsonLog:
            "JSON objects, one a line or in a list: Caddy, nginx, Traefik, Envoy, Cloudflare, Google, Azure"
        case .w3c: "W3C's extended log format with a line #Fields: IIS, CloudFront; Zeek"
        case .textLog: "others: --log-format, \(Self.presetNames)"
        case .ids: "an id on each line: libCacheSim's txt, LIRS's traces; never guessed, it has no signature"
        case .vscsi: "VMware's vscsi, version 1 or 2, the logical block as id; never guessed"
        }
    }

    /// The formats with their summaries, a line each, for messages.
    package static let list: String = {
        let width = (allCases.map(\.rawValue.count).max() ?? 0) + 2
        return allCases.map { "  \($0.rawValue.padded(to: width))\($0.summary)" }.joined(separator: "\n")
    }()

    private static let presetNames = (Set(LogPattern.presets.map(\.name)) + [LogfmtLog.name]).sorted().joined(
        separator: ", ")

    /// The decoder for a trace of this format.
    ///
    /// - Throws: ``TraceError`` when its header is damaged.
    package func decoder(of input: TraceInput) throws(TraceError) -> any TraceDecoder {
        try TraceLayout(self).decoder(of: input)
    }

    /// The format whose signature the trace begins with; see ``TraceLayout/guess(_:format:)``.
    package static func guess(_ input: TraceInput) throws(TraceError) -> TraceFormat {
        try TraceLayout.guess(input).format
    }
}
