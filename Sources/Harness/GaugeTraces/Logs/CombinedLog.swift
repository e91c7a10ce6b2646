import GaugeSupport

/// The access log of Apache and nginx, common or combined: `host ident user [10/Oct/2000:13:55:36 -0700] "GET /path
/// HTTP/1.0" status bytes "referrer" "agent"`.
///
/// Referrer and agent may be missing; anything after them is ignored. A virtual host becomes part of the URL. It may
/// come first, as in Apache's `vhost_combined` (`shop.example:443 192.0.2.7 - - […`), with or without a port, or
/// without a client (`comonvhost`), or second, as in lighttpd. The date may have decimals of seconds, or be in the form
/// of ISO 8601 or HTTP.
///
/// The bytes are those of the body (`%b`, `$body_bytes_sent`) or of the whole response (`%O`, `$bytes_sent`), depending
/// on the server's settings. A response without a body shows which: for no bytes of a body Apache writes `-`, nginx 0.
package struct CombinedLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope: LogEnvelope
    /// Whether the first field is the virtual host, as in Apache's `comonvhost`, rather than the client.
    private let hasHostFirst: Bool

    package init(_ input: TraceInput, hasHostFirst: Bool = false, envelope: LogEnvelope = .none) {
        (self.input, self.hasHostFirst, self.envelope) = (input, hasHostFirst, envelope)
    }

    package var isLog: Bool { true }

    /// Whether a trace begins with a line of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool { (try? parse(line, false)) != nil }

    /// Whether the first fields of lines are virtual hosts without clients: names with a dot, some of them repeated,
    /// and never an address, as some clients would have.
    package static func hasHostFirst(_ lines: [ArraySlice<UInt8>]) -> Bool {
        var names: Set<ArraySlice<UInt8>> = []
        var count = 0
        for line in lines where hasSignature(line) {
            var fields = TextFields(line)
            guard let first = fields.next(), let second = fields.next() else { continue }
            guard !AccessLogLine.isAddress(first), second.elementsEqual("-".utf8), isVirtualHost(first) else {
                return false
            }
            names.insert(first)
            count += 1
        }
        return names.count < count
    }

    private static func isVirtualHost(_ text: ArraySlice<UInt8>) -> Bool {
        !AccessLogLine.isAddress(text) && AccessLogLine.origin(ofHost: text) != nil
            && (text.dropFirst().dropLast().contains(UInt8(ascii: ".")) || text.elementsEqual("localhost".utf8))
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        try Self.parse(line, hasHostFirst)
    }

    private static func parse(_ line: ArraySlice<UInt8>, _ hasHostFirst: Bool) throws(LineFault) -> TraceRequest {
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
        let zoned = LogDate.parse(date) ?? LogDate.parseISO8601(date) ?? LogDate.parseHTTP(date)
        guard let time = zoned ?? LooseDate(dayFirst: date)?.seconds else {
            throw LineFault("the date \(QuotedText.of(date)) is not of the form 10/Oct/2000:13:55:36 -0700")
        }
        guard let request = fields.next(from: "\"", to: "\"") else {
            throw LineFault("no request line in quotes after the date")
        }
        guard let status = fields.next().flatMap(AccessLogLine.status) else {
            throw LineFault("no status of three digits after the request line")
        }
        guard let bytes = fields.next() else { throw LineFault("no size after the status") }
        let hasNoSize = bytes.elementsEqual("-".utf8)
        let size = hasNoSize ? 0 : DecimalText.integer(bytes).flatMap(Int.init(exactly:))
        guard let size else { throw LineFault("the size \(QuotedText.of(bytes)) is neither a number of bytes nor -") }
        guard let line = RequestLine(request) else {
            throw LineFault("the request line \(QuotedText.of(request)) has no method and path")
        }
        return try AccessLogLine.request(
            method: line.method, target: LogEscapes.resolved(line.target),
            origin: hasHostFirst
                ? AccessLogLine.origin(ofHost: first) ?? AccessLogLine.unknownOrigin : origin(first, second),
            // Python's http.server, whose dates have no zone, writes "-" for every response.
            status: status, size: hasNoSize && zoned == nil ? nil : size, time: time,
            counted: hasNoSize ? .body : .unknown)
    }

    /// The origin in the first fields: `host:port client`, `host client`, `"host" client`, or `client host` as in
    /// lighttpd. Before an identity of `-`, as nearly all are, stands the client, even if the log gives its port.
    private static func origin(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> String {
        guard second.first != UInt8(ascii: "-") || second.count > 1 else { return AccessLogLine.unknownOrigin }
        if first.count > 2, first.first == UInt8(ascii: "\""), first.last == UInt8(ascii: "\"") {
            return origin(first.dropFirst().dropLast(), second)
        }
        if AccessLogLine.isAddress(first), isVirtualHost(second) {
            return AccessLogLine.origin(ofHost: second) ?? AccessLogLine.unknownOrigin
        }
        let hasPort = first.contains(UInt8(ascii: ":"))
        guard !AccessLogLine.isAddress(first), hasPort || AccessLogLine.isAddress(second) else {
            return AccessLogLine.unknownOrigin
        }
        return AccessLogLine.origin(ofHost: first) ?? AccessLogLine.unknownOrigin
    }
}
