import GaugeSupport

/// The members of a line of a JSON access log, filled in as they are read. Of duplicate members the last counts; members of
/// an unexpected type, and empty ones, count as missing.
struct JSONLogLine {
    /// The text of each member, and the rank of its name.
    private var texts = [(text: [UInt8], rank: Int)](repeating: ([], .max), count: JSONLogMember.allCases.count)
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
            case "request" where try json.kind() == .object:
                try json.forEachMember { (name, json) throws(TraceError) in try readMember(name, &json) }
            case "resp_headers": responseFields = try HARFields(lists: &json)
            default: try readMember(name, &json)
            }
        }
        try json.end()
    }

    private mutating func readMember(_ name: String, _ json: inout JSONStream) throws(TraceError) {
        switch name {
        case "headers": requestFields = try HARFields(lists: &json)
        case "tls":
            isEncrypted = try json.kind() == .object
            try json.skipValue()
        default:
            guard let (member, rank) = JSONLogMember.named(name) else { return try json.skipValue() }
            let text = try json.optionalScalar()
            if name == "request" { noteLine(text, rank) } else { note(text, member, rank) }
        }
    }

    /// A whole URL, better than a path beside a host.
    private static func isWhole(_ target: some Collection<UInt8>) -> Bool {
        let start = target.prefix(8)
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// Keeps a text unless one of a better name is kept.
    private mutating func note(_ text: some Collection<UInt8>, _ member: JSONLogMember, _ rank: Int) {
        let rank = member == .target && Self.isWhole(text) ? -1 : rank
        guard !text.isEmpty, rank <= texts[member.rawValue].rank else { return }
        texts[member.rawValue] = (Array(text), rank)
    }

    /// A request line: `GET /path HTTP/1.1`.
    private mutating func noteLine(_ text: [UInt8], _ rank: Int) {
        guard let line = RequestLine(text[...]) else { return }
        note(line.method, .method, .max)
        note(line.target, .target, rank)
    }

    private func text(_ member: JSONLogMember) -> ArraySlice<UInt8> { texts[member.rawValue].text[...] }

    /// The target with its query, which some formats name apart.
    private var target: ArraySlice<UInt8> {
        let (target, query) = (text(.target), text(.query))
        guard !target.isEmpty, !query.isEmpty, !target.contains(UInt8(ascii: "?")) else { return target }
        return target + [UInt8(ascii: "?")] + query
    }

    /// The request of the line.
    func request() throws(LineFault) -> TraceRequest {
        let (method, target, host, time, status) = (text(.method), target, text(.host), text(.time), text(.status))
        guard !method.isEmpty, !target.isEmpty else { throw LineFault("no method and path of a request") }
        guard let code = AccessLogLine.status(status) else {
            throw LineFault("the status \(QuotedText.of(status)) does not have three digits")
        }
        guard let logged = Self.seconds(time) else {
            throw LineFault("the time \(QuotedText.of(time)) is neither a date nor a number of seconds")
        }
        let named = text(.scheme)
        let scheme = named.isEmpty ? isEncrypted ? "https" : nil : String(decoding: named, as: UTF8.self)
        var request = try AccessLogLine.request(
            method: method, target: target,
            origin: AccessLogLine.origin(
                ofHost: host, scheme: scheme == "https" ? "https" : scheme == nil ? nil : "http")
                ?? AccessLogLine.unknownOrigin,
            status: code, size: DecimalText.integer(text(.size)).flatMap(Int.init(exactly:)), time: logged)
        guard let responseFields else { return request }
        if let excess = requestFields.excess ?? responseFields.excess { throw LineFault(excess) }
        let taken = DecimalText.number(text(.duration)) ?? 0
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
        return LogDate.parseISO8601(text) ?? LogDate.parse(text) ?? LogDate.parseWithoutZone(text)
    }
}
