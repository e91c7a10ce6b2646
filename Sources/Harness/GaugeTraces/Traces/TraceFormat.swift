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

    /// A one-line description.
    package var summary: String {
        switch self {
        case .har: "HTTP archive 1.2 (JSON); methods, statuses and header fields decide what is stored, and how long"
        case .squid: "squid's access log: time elapsed client code/status bytes method URL user hierarchy/peer type"
        case .combined: "access log of Apache or nginx, common or combined; paths are put below http://origin.invalid"
        case .csv: "a header line naming the columns key or url, and optionally size (bytes) and time (seconds)"
        case .libcachesimCSV: "libCacheSim's CSV: time,id,size, or named by a header line; never guessed"
        case .oracleGeneral: "libCacheSim's oracleGeneral, 24 bytes a request; never guessed, it has no signature"
        case .webcachesim: "webcachesim's text, time id size; never guessed, it has no signature"
        case .be32: "big-endian signed 32-bit keys, no header; never guessed, it has no signature"
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
        switch self {
        case .har: try HARTrace(input)
        case .squid: SquidLog(input)
        case .combined: CombinedLog(input)
        case .csv: try CSVTrace(input)
        case .libcachesimCSV: try LibCacheSimCSV(input)
        case .oracleGeneral: OracleGeneralTrace(input)
        case .webcachesim: WebcachesimTrace(input)
        case .be32: BE32Trace(input)
        }
    }

    /// The format whose signature the trace begins with.
    ///
    /// - Throws: ``TraceError`` when the beginning has no known signature, or is that of a compressed file.
    package static func guess(_ input: TraceInput) throws(TraceError) -> TraceFormat {
        let beginning = try input.peek(4096)
        if let archive = archive(beginning) {
            throw TraceError(
                input.name, .offset(0),
                "compressed by \(archive.name); decompress it on the way: \(archive.tool) FILE | cachegauge replay -")
        }
        let line = try input.peekLine()
        if HARTrace.hasSignature(beginning) { return .har }
        if CSVTrace.hasSignature(beginning) { return .csv }
        if SquidLog.hasSignature(line) { return .squid }
        if CombinedLog.hasSignature(line) { return .combined }
        throw TraceError(
            input.name, .whole, "not of a format with a signature; pass --trace-format with one of these:\n\(list)")
    }

    private static let archives: [(signature: [UInt8], name: String, tool: String)] = [
        ([0x1F, 0x8B], "gzip", "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "zstdcat"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz", "xzcat"), (Array("BZh".utf8), "bzip2", "bzcat"),
    ]

    private static func archive(_ beginning: ArraySlice<UInt8>) -> (name: String, tool: String)? {
        archives.first { beginning.starts(with: $0.signature) }.map { ($0.name, $0.tool) }
    }
}
