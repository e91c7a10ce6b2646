import GaugeSupport

/// Access logs with a JSON object on each line: Caddy's, and nginx's with a `log_format` of `escape=json`.
///
/// Caddy's `request`, `resp_headers`, `ts`, `duration`, `size` and `status` are read; its header fields decide how long a
/// response is fresh. In nginx's the members have the names of variables: `request_method` and `request_uri` or `request`,
/// `host`, `scheme`, `status`, `body_bytes_sent`, `time_iso8601`, `time_local` or `msec`; for each there are other usual
/// names (``JSONLogMember``).
package struct JSONLog: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package var isLog: Bool { true }

    /// Whether a line is of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "{") && (try? parse(line)) != nil
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest { try Self.parse(line) }

    private static func parse(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var entry = JSONLogLine()
        do throws(TraceError) {
            try entry.read(line)
        } catch {
            throw LineFault(error.reason)
        }
        return try entry.request()
    }
}
