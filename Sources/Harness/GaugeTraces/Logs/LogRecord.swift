import GaugeSupport

/// The texts of a log's line, filled in as they are read, and the request that they make. Empty texts and `-` count as
/// missing.
struct LogRecord {
    private var texts = [(text: [UInt8], rank: Int)](repeating: ([], .max), count: LogMember.allCases.count)
    /// Whether the connection was encrypted, if the log doesn't name the scheme.
    var isEncrypted = false
    var requestFields = HARFields()
    /// `nil` if the log has no header fields.
    var responseFields: HARFields?
    /// Members that the log's layout doesn't have and that are assumed: GET, 200, no time. Without a URL it has keys.
    var absent: Set<LogMember> = []

    /// Keeps a text unless a better name's is kept already. Of equal ranks the last counts.
    mutating func note(_ text: some Collection<UInt8>, _ member: LogMember, rank: Int = 0) {
        if member == .line { return noteLine(Array(text)[...], rank) }
        let isWhole = member == .url && Self.isWhole(text)
        let rank = isWhole ? min(rank, -1) : rank
        guard !text.isEmpty, !text.elementsEqual("-".utf8), rank <= texts[member.rawValue].rank else { return }
        texts[member.rawValue] = (Array(text), rank)
    }

    /// Keeps a named text. nginx's `$request` is the whole line, and so are a few others.
    mutating func noteNamed(_ text: ArraySlice<UInt8>, _ member: LogMember, rank: Int, isLine: Bool = false) {
        let isLine =
            isLine
            || member == .url && text.contains(0x20)
                && RequestLine(text).map { !$0.method.contains(UInt8(ascii: "/")) } == true
        note(text, isLine ? .line : member, rank: rank)
    }

    /// A request line: `GET /path HTTP/1.1`.
    private mutating func noteLine(_ text: ArraySlice<UInt8>, _ rank: Int) {
        guard let line = RequestLine(text) else { return }
        note(line.method, .method, rank: .max)
        note(line.target, .url, rank: rank)
    }

    /// A whole URL is better than a path and a host.
    private static func isWhole(_ target: some Collection<UInt8>) -> Bool {
        let start = target.prefix(8)
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    func text(_ member: LogMember) -> ArraySlice<UInt8> { texts[member.rawValue].text[...] }

    /// How many members of the line make sense: finds the format that comes nearest.
    var score: Int {
        let target = text(.url)
        let hasURL = target.first == UInt8(ascii: "/") || Self.isWhole(target)
        let hasMethod = !text(.method).isEmpty && text(.method).allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
        let hasStatus = AccessLogLine.status(text(.status)) != nil
        let hasTime = (try? seconds()).flatMap(\.self) != nil
        return [hasURL, hasMethod, hasStatus].count { $0 } * 2 + (hasTime ? 1 : 0)
    }

    /// The target with its query, which some formats have apart.
    private var target: ArraySlice<UInt8> {
        let query = text(.query).drop { $0 == UInt8(ascii: "?") }
        var target = text(.url)
        guard !target.isEmpty else { return target }
        if Self.isWhole(target) { target = Self.withoutDefaultPort(target) }
        if !query.isEmpty, !target.contains(UInt8(ascii: "?")) { target += [UInt8(ascii: "?")] + query }
        if target.first != UInt8(ascii: "/"), !target.contains(UInt8(ascii: ":")), !text(.host).isEmpty {
            target = [UInt8(ascii: "/")] + target
        }
        return target
    }

    /// The URL without `:443` or `:80`, which load balancers add.
    private static func withoutDefaultPort(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isEncrypted = url.starts(with: "https".utf8)
        let start = url.startIndex + (isEncrypted ? 8 : 7)
        let end = url[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? url.endIndex
        let port = Array((isEncrypted ? ":443" : ":80").utf8)
        guard end - start > port.count, url[(end - port.count)..<end].elementsEqual(port) else { return url }
        return url[..<(end - port.count)] + url[end...]
    }

    func request() throws(LineFault) -> TraceRequest {
        if absent.contains(.url) { return try keyedRequest() }
        let (target, status) = (target, text(.status))
        var method = text(.method)
        if method.isEmpty, absent.contains(.method) { method = Array("GET".utf8)[...] }
        guard !method.isEmpty || !target.isEmpty else { throw LineFault("no method and path of a request") }
        guard !method.isEmpty else { throw LineFault("no method of a request") }
        guard !target.isEmpty else { throw LineFault("no path or URL of a request") }
        guard let code = status.isEmpty && absent.contains(.status) ? 200 : AccessLogLine.status(status) else {
            throw LineFault(
                status.isEmpty ? "no status" : "the status \(QuotedText.of(status)) does not have three digits")
        }
        let logged = try seconds()
        let (size, counted) = try size()
        var request = try AccessLogLine.request(
            method: method, target: target, origin: origin, status: code, size: size, time: logged, counted: counted)
        try addFields(to: &request, status: code, logged: logged)
        return request
    }

    /// The request of a line whose objects have keys in place of URLs.
    private func keyedRequest() throws(LineFault) -> TraceRequest {
        let key = text(.key)
        guard !key.isEmpty else { throw LineFault("the key is empty") }
        var request = TraceRequest(id: DecimalText.integer(key) ?? DecimalText.hash(key), time: try seconds())
        (request.size, request.counted) = try size()
        let hasExchange = [LogMember.method, .status, .lifetime].contains { !text($0).isEmpty }
        guard hasExchange || responseFields != nil else { return request }
        let method = text(.method).isEmpty ? "GET" : String(decoding: text(.method), as: UTF8.self)
        guard let status = text(.status).isEmpty ? 200 : AccessLogLine.status(text(.status)) else {
            throw LineFault("the status \(QuotedText.of(text(.status))) does not have three digits")
        }
        request.exchange = HTTPExchange(method: method, status: status)
        if status == 304 || method == "HEAD" { request.size = nil }
        try addFields(to: &request, status: status, logged: request.time)
        return request
    }

    private func addFields(to request: inout TraceRequest, status: Int, logged: Double?) throws(LineFault) {
        if !StatedSize.isNone(text(.lifetime)) {
            guard let lifetime = StatedSize.number(text(.lifetime)) else {
                throw LineFault("the lifetime \(QuotedText.of(text(.lifetime))) is not a number of seconds")
            }
            request.exchange = HTTPExchange(
                method: request.exchange?.method ?? "GET", status: status, lifetime: lifetime, sent: logged)
        }
        guard let responseFields else { return }
        if let excess = requestFields.excess ?? responseFields.excess { throw LineFault(excess) }
        let taken = DecimalText.number(text(.duration)) ?? 0
        request.exchange = HTTPExchange(
            method: request.exchange?.method ?? "GET", status: status, requestFields: requestFields.fields,
            responseFields: responseFields.fields, sent: logged.map { $0 - taken }, duration: taken)
    }

    private var origin: String {
        var host = text(.host)
        // What the client sent tells more than the name of a server or machine.
        if host.isEmpty || texts[LogMember.host.rawValue].rank >= LogMember.rankOfServers,
            let field = requestFields.fields.first(where: { $0.isNamed("host") })
        {
            host = field.value[...]
        }
        let named = String(decoding: text(.scheme), as: UTF8.self).lowercased()
        let port = text(.port)
        let isEncrypted = named == "https" || named.isEmpty && (isEncrypted || port.elementsEqual("443".utf8))
        let isPlain = named == "http" || named.isEmpty && port.elementsEqual("80".utf8)
        let scheme = isEncrypted ? "https" : isPlain || !named.isEmpty ? "http" : nil
        return AccessLogLine.origin(ofHost: host, scheme: scheme) ?? AccessLogLine.unknownOrigin
    }

    private func seconds() throws(LineFault) -> Double? {
        let text = text(.time)
        let day = self.text(.date)
        if text.isEmpty, day.isEmpty, absent.contains(.time) { return nil }
        if let date = LooseDate(text) ?? LooseDate(dayFirst: text) { return date.seconds }
        guard day.isEmpty else { return try seconds(of: day, clock: text.isEmpty ? self.text(.clock) : text) }
        let quoted = QuotedText.of(text)
        throw LineFault("the time \(quoted) is neither a date nor a number of seconds")
    }

    /// The time from a day and a clock time; without the latter, the day may be a date with a clock time, or anything.
    private func seconds(of day: ArraySlice<UInt8>, clock: ArraySlice<UInt8>) throws(LineFault) -> Double? {
        let text = clock.isEmpty ? day : day + [UInt8(ascii: " ")] + clock
        guard let date = LooseDate(text) ?? LooseDate(dayFirst: text) else {
            if clock.isEmpty { return nil }
            let text = QuotedText.of(text)
            throw LineFault("the time \(text) is neither a date nor a number of seconds")
        }
        return date.seconds
    }

    private func size() throws(LineFault) -> (Int?, CountedBytes) {
        var fault: LineFault?
        for (member, counted) in [(.body, .body), (.response, .response), (.size, .unknown)]
            as [(LogMember, CountedBytes)]
        {
            do throws(LineFault) {
                if let bytes = try StatedSize.bytes(text(member)) { return (bytes, counted) }
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        return (nil, .unknown)
    }
}

extension HTTPExchange.Field {
    /// Whether the field has this name, in lower case.
    func isNamed(_ other: String) -> Bool { String(decoding: name, as: UTF8.self).lowercased() == other }
}
