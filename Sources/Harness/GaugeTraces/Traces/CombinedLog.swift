import GaugeSupport

/// The access log of Apache and nginx, common or combined:
/// `host ident user [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.0" status bytes "referrer" "agent"`.
///
/// Referrer and agent may be missing; anything after them is ignored. A virtual host may come first, as in Apache's
/// `vhost_combined` (`shop.example:443 192.0.2.7 - - […`), or without a port; it is then part of the URL. The date may have
/// decimals of seconds, or be that of ISO 8601.
///
/// `-` in place of the bytes means that none were sent, as Apache writes it (`%b`).
package struct CombinedLog: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package var isLog: Bool { true }

    /// Whether a trace begins with a line of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool { (try? parse(line)) != nil }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest { try Self.parse(line) }

    private static func parse(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var fields = TextFields(line)
        guard let first = fields.next(), let second = fields.next() else {
            throw LineFault("fewer than the fields of a log line")
        }
        // A user's name may contain spaces; the date begins at the bracket.
        var user = fields
        var date: ArraySlice<UInt8>?
        for _ in 0..<16 {
            guard user.next() != nil else { break }
            var after = user
            if let found = after.next(from: "[", to: "]") {
                date = found
                fields = after
                break
            }
        }
        guard let date else { throw LineFault("no date in brackets after host, identity and user") }
        guard let time = LogDate.parse(date) ?? LogDate.parseISO8601(date) else {
            throw LineFault("the date \(QuotedText.of(date)) is not of the form 10/Oct/2000:13:55:36 -0700")
        }
        guard let request = fields.next(from: "\"", to: "\"") else {
            throw LineFault("no request line in quotes after the date")
        }
        guard let status = fields.next().flatMap(AccessLogLine.status) else {
            throw LineFault("no status of three digits after the request line")
        }
        guard let bytes = fields.next() else { throw LineFault("no size after the status") }
        let size = bytes.elementsEqual("-".utf8) ? 0 : DecimalText.integer(bytes).flatMap(Int.init(exactly:))
        guard let size else { throw LineFault("the size \(QuotedText.of(bytes)) is neither a number of bytes nor -") }
        guard let line = RequestLine(request) else {
            throw LineFault("the request line \(QuotedText.of(request)) has no method and path")
        }
        return try AccessLogLine.request(
            method: line.method, target: LogEscapes.resolved(line.target), origin: origin(first, second),
            status: status, size: size, time: time)
    }

    /// The origin that the first fields name: `host:port client`, or `host client`. Before an identity of `-`, as nearly all
    /// are, stands the client, also if the log names its port.
    private static func origin(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> String {
        let hasPort = first.contains(UInt8(ascii: ":"))
        guard !AccessLogLine.isAddress(first), !second.elementsEqual("-".utf8),
            hasPort || AccessLogLine.isAddress(second)
        else {
            return AccessLogLine.unknownOrigin
        }
        return AccessLogLine.origin(ofHost: first) ?? AccessLogLine.unknownOrigin
    }
}
