import GaugeSupport

/// The members of a line of a JSON access log, filled in as they are read. Of duplicate members the last counts; members of
/// an unexpected type count as missing.
struct JSONLogLine {
    private var method: [UInt8] = []
    private var target: [UInt8] = []
    private var host: [UInt8] = []
    private var scheme: [UInt8] = []
    private var status: [UInt8] = []
    private var size: [UInt8] = []
    private var time: [UInt8] = []
    private var duration: [UInt8] = []
    private var isEncrypted = false
    private var requestFields = HARFields()
    private var responseFields: HARFields?

    /// Reads a line.
    ///
    /// - Throws: ``TraceError`` if it is no JSON object.
    mutating func read(_ line: ArraySlice<UInt8>) throws(TraceError) {
        var json = JSONStream(TraceInput(name: "", bytes: Array(line)))
        guard try json.kind() == .object else { throw json.fault("no object") }
        try json.forEachMember { (name, json) throws(TraceError) in
            switch name {
            case "request":
                if try json.kind() == .object {
                    try json.forEachMember { (name, json) throws(TraceError) in try readRequest(name, &json) }
                } else {
                    readLine(try json.optionalScalar())
                }
            case "resp_headers": responseFields = try HARFields(lists: &json)
            case "status": status = try json.optionalScalar()
            case "size", "bytes", "body_bytes_sent", "bytes_sent", "response_size": size = try json.optionalScalar()
            case "ts", "time", "msec", "time_iso8601", "time_local", "timestamp", "@timestamp":
                let text = try json.optionalScalar()
                if !text.isEmpty { time = text }
            case "duration", "request_time": duration = try json.optionalScalar()
            default: try readRequest(name, &json)
            }
        }
        try json.end()
    }

    private mutating func readRequest(_ name: String, _ json: inout JSONStream) throws(TraceError) {
        switch name {
        case "method", "request_method": method = try json.optionalScalar()
        case "uri", "request_uri", "url", "path":
            if target.isEmpty || name != "path" { target = try json.optionalScalar() } else { try json.skipValue() }
        case "host", "http_host", "server_name", "vhost":
            if host.isEmpty || name == "host" { host = try json.optionalScalar() } else { try json.skipValue() }
        case "scheme": scheme = try json.optionalScalar()
        case "headers": requestFields = try HARFields(lists: &json)
        case "tls":
            isEncrypted = try json.kind() == .object
            try json.skipValue()
        default: try json.skipValue()
        }
    }

    /// A request line: `GET /path HTTP/1.1`.
    private mutating func readLine(_ text: [UInt8]) {
        var parts = TextFields(text[...])
        guard let method = parts.next(), let target = parts.next() else { return }
        if self.method.isEmpty { self.method = Array(method) }
        if self.target.isEmpty { self.target = Array(target) }
    }

    /// The request of the line.
    func request() throws(LineFault) -> TraceRequest {
        guard !method.isEmpty, !target.isEmpty else { throw LineFault("no method and path of a request") }
        guard let code = AccessLogLine.status(status[...]) else {
            throw LineFault("the status \(QuotedText.of(status[...])) is not of three digits")
        }
        guard let logged = Self.seconds(time[...]) else {
            throw LineFault("the time \(QuotedText.of(time[...])) is neither a date nor a number of seconds")
        }
        let scheme = scheme.isEmpty ? isEncrypted ? "https" : nil : String(decoding: scheme, as: UTF8.self)
        var request = try AccessLogLine.request(
            method: method[...], target: target[...],
            origin: AccessLogLine.origin(
                ofHost: host[...], scheme: scheme == "https" ? "https" : scheme == nil ? nil : "http")
                ?? AccessLogLine.unknownOrigin,
            status: code, size: DecimalText.integer(size[...]).flatMap(Int.init(exactly:)), time: logged)
        guard let responseFields else { return request }
        if let excess = requestFields.excess ?? responseFields.excess { throw LineFault(excess) }
        let taken = DecimalText.number(duration[...]) ?? 0
        request.exchange = HTTPExchange(
            method: request.exchange?.method ?? "GET", status: code, requestFields: requestFields.fields,
            responseFields: responseFields.fields, sent: logged - taken, duration: taken)
        return request
    }

    /// A time as these logs write it: seconds since 1970, also in thousandths, millionths or billionths, or a date.
    private static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
        if let number = DecimalText.number(text) {
            switch number {
            case ..<1e11: return number
            case ..<1e14: return number / 1e3
            case ..<1e17: return number / 1e6
            default: return number / 1e9
            }
        }
        return LogDate.parseISO8601(text) ?? LogDate.parse(text)
    }
}
