import GaugeSupport

/// Logs of words `name=value`, as Heroku's router, Traefik and many programs in Go write them: `at=info method=GET
/// path="/a?b=1" host=shop.example status=200 bytes=512`.
///
/// Members are found by the names of JSON logs (``LogMember``) or by those that the user gives. A value with spaces is
/// quoted; words without a name are ignored, except a date at the beginning of the line.
package struct LogfmtLog: LineDecoder {
    /// The name on the command line.
    package static let name = "LOGFMT"

    package let input: TraceInput
    package var line = 0
    package var envelope: LogEnvelope
    private let fields: LogFields?

    package init(_ input: TraceInput, fields: LogFields? = nil, envelope: LogEnvelope = .none) {
        (self.input, self.fields, self.envelope) = (input, fields, envelope)
    }

    package var isLog: Bool { true }

    /// Whether a line is of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>, fields: LogFields? = nil) -> Bool {
        line.contains(UInt8(ascii: "=")) && line.first != UInt8(ascii: "{")
            && (try? record(line, fields).request()) != nil
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        try Self.record(line, fields).request()
    }

    static func record(_ line: ArraySlice<UInt8>, _ fields: LogFields?) -> LogRecord {
        var record = LogRecord()
        record.absent = fields?.absent ?? [.time]
        var rest = line
        var isFirst = true
        while let start = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) {
            rest = rest[start...]
            let name = rest.prefix { $0 != 0x20 && $0 != 0x09 && $0 != UInt8(ascii: "=") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else {
                if isFirst, LooseDate(name) != nil { record.note(name, .time, rank: .max) }
                isFirst = false
                continue
            }
            isFirst = false
            let value = value(rest.dropFirst())
            rest = value.rest
            let text = String(decoding: name, as: UTF8.self).lowercased()
            guard let (member, rank) = fields.map({ $0.member(text).map { ($0, 0) } }) ?? LogMember.named(text) else {
                continue
            }
            record.noteNamed(value.text, member, rank: rank, isLine: fields == nil && text == "request")
        }
        return record
    }

    /// A value without its quotes, and what follows.
    private static func value(_ text: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
        if text.first == UInt8(ascii: "\"") {
            var fields = TextFields(text)
            if let quoted = fields.next(from: "\"", to: "\"") {
                return (LogEscapes.resolved(quoted), text[(quoted.endIndex + 1)...])
            }
        }
        let value = text.prefix { $0 != 0x20 && $0 != 0x09 }
        return (value, text[value.endIndex...])
    }
}
