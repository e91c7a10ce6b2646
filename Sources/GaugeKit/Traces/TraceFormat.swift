/// The formats that traces come in.
public enum TraceFormat: String, CaseIterable, Sendable {
    /// Keys alone: big-endian signed 32-bit integers, one after the other, no header.
    case be32
    /// Lines of comma-separated fields (RFC 4180), the first line with the names of the columns: `key` or `url`, and if
    /// they are there `size` (bytes) and `time` (seconds).
    case csv

    /// One line for people.
    public var summary: String {
        switch self {
        case .be32: "big-endian signed 32-bit keys, no header; never guessed, since it has no signature"
        case .csv: "a header line naming the columns key or url, and optionally size (bytes) and time (seconds)"
        }
    }

    /// The formats with their summaries, a line each, for messages.
    public static var list: String {
        allCases.map { "  \($0.rawValue.padded(to: 6))\($0.summary)" }.joined(separator: "\n")
    }

    /// What a trace's beginning has the signature of.
    ///
    /// - Throws: ``TraceError`` when the beginning has no signature, or one that says how to go on.
    static func guess(_ input: TraceInput) throws(TraceError) -> TraceFormat {
        let beginning = try input.peek(4096)
        if let archive = archive(beginning) {
            throw TraceError(
                input.name, .offset(0),
                "compressed by \(archive.name); decompress it on the way: \(archive.tool) FILE | cachegauge replay -")
        }
        if CSVTrace.hasSignature(beginning) { return .csv }
        throw TraceError(
            input.name, .whole, "not of a format with a signature; pass --trace-format with one of these:\n\(list)")
    }

    private static func archive(_ beginning: ArraySlice<UInt8>) -> (name: String, tool: String)? {
        let signatures: [([UInt8], String, String)] = [
            ([0x1F, 0x8B], "gzip", "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "zstdcat"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz", "xzcat"), (Array("BZh".utf8), "bzip2", "bzcat"),
        ]
        return signatures.first { beginning.starts(with: $0.0) }.map { ($0.1, $0.2) }
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
