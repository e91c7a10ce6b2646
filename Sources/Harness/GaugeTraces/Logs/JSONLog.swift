import GaugeSupport

/// Logs with a JSON object on each line: of Caddy, nginx (`escape=json`), Traefik, Envoy, Cloudflare, Google Cloud, Azure, …
///
/// Members are found by the names that these give them (``LogMember``), also in nested objects, or by those that the user
/// names (``LogFields``). Caddy's header fields decide how long a response is fresh.
package struct JSONLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope = LogEnvelope.none
    private let fields: LogFields?

    package init(_ input: TraceInput, fields: LogFields? = nil, envelope: LogEnvelope = .none) {
        (self.input, self.fields, self.envelope) = (input, fields, envelope)
    }

    package var isLog: Bool { true }

    /// Whether a line is of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "{") && (try? parse(line, nil)) != nil
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest { try Self.parse(line, fields) }

    static func parse(_ line: ArraySlice<UInt8>, _ fields: LogFields?) throws(LineFault) -> TraceRequest {
        try record(line, fields).request()
    }

    static func record(_ line: ArraySlice<UInt8>, _ fields: LogFields?) throws(LineFault) -> LogRecord {
        var entry = JSONLogLine(fields)
        do throws(TraceError) {
            try entry.read(line)
        } catch {
            throw LineFault(error.reason)
        }
        return entry.record
    }
}
