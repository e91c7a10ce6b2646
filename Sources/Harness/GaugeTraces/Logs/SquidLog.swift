import GaugeSupport

/// Squid's native access log: `time.ms elapsed client code/status bytes method URL user hierarchy/peer type`.
///
/// The time is when the response ended. The bytes are those of the whole response with its header; squid logs no other
/// size. The code tells whether the body was the stored one, and whether it was sent whole.
package struct SquidLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope: LogEnvelope

    package init(_ input: TraceInput, envelope: LogEnvelope = .none) { (self.input, self.envelope) = (input, envelope) }

    package var isLog: Bool { true }

    /// Whether a trace begins with a line of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool {
        var fields = TextFields(line)
        guard let time = fields.next(), let point = time.firstIndex(of: UInt8(ascii: ".")),
            time.distance(from: point, to: time.endIndex) == 4, (try? parse(line)) != nil
        else { return false }
        return true
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest { try Self.parse(line) }

    private static func parse(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var fields = TextFields(line)
        guard let time = fields.next(), let elapsed = fields.next(), fields.next() != nil,
            let result = fields.next(), let bytes = fields.next(), let method = fields.next(),
            let url = fields.next(), fields.next() != nil, fields.next() != nil
        else { throw LineFault("fewer than the ten fields of a squid log") }
        guard let seconds = DecimalText.number(time) else {
            throw LineFault("the time \(QuotedText.of(time)) is not a number of seconds")
        }
        let digits = elapsed.first == UInt8(ascii: "-") ? elapsed.dropFirst() : elapsed
        guard DecimalText.number(digits) != nil else {
            throw LineFault("the elapsed time \(QuotedText.of(elapsed)) is not a number of milliseconds")
        }
        guard let slash = result.lastIndex(of: UInt8(ascii: "/")),
            let status = AccessLogLine.status(result[(slash + 1)...])
        else { throw LineFault("the result \(QuotedText.of(result)) is not a code and a status: TCP_MISS/200") }
        guard let size = DecimalText.integer(bytes).flatMap(Int.init(exactly:)) else {
            throw LineFault("the size \(QuotedText.of(bytes)) is not a number of bytes")
        }
        let code = result[..<slash]
        return try AccessLogLine.request(
            method: method, target: url, status: status, size: isCut(code) ? nil : size, time: seconds,
            counted: isStored(code) ? .sameResponse : .response)
    }

    /// Whether squid answered with its stored body: `TCP_HIT`, `TCP_MEM_HIT`, `TCP_REFRESH_UNMODIFIED`, … including a
    /// negative hit (`TCP_NEGATIVE_HIT`).
    private static func isStored(_ code: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: code, as: UTF8.self)
        return text.contains("_HIT") || text.contains("UNMODIFIED")
    }

    private static func isCut(_ code: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: code, as: UTF8.self)
        return text.hasSuffix("_ABORTED") || text.hasSuffix("_TIMEDOUT")
    }
}
