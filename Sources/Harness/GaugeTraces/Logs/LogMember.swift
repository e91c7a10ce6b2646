import GaugeSupport

/// What a line of a log may tell about a request.
package enum LogMember: Int, CaseIterable, Sendable {
    /// The request line, with method and target.
    case line
    case method
    /// A path or a whole URL.
    case url
    case query, host, scheme, port, status
    /// Bytes of the response, with or without its header.
    case size
    /// Bytes of the body.
    case body
    /// Bytes of the whole response.
    case response
    /// A date with a clock time, or seconds.
    case time
    case date, clock
    /// Seconds that the response took.
    case duration
    /// Seconds for which the response may be reused.
    case lifetime
    /// What tells the objects apart in place of a URL: an id, or a hash.
    case key

    /// The names that servers, proxies and CDNs give the member in JSON, in lower case. A dotted name is the end of a
    /// path. If a line has several, the first of the list counts, since it tells the most.
    private var names: [String] {
        switch self {
        case .line: ["request_line"]
        case .method:
            [
                "method", "request_method", "requestmethod", "clientrequestmethod", "httpmethod", "http_method",
                "cs-method", "cs_method", "verb", "reqmethod", "http_verb",
            ]
        // nginx's `$uri` has no query, and changes with an internal redirect.
        case .url:
            [
                "proxy.path", "request_uri", "request", "requesturl", "clientrequesturi", "requesturi", "url.full",
                "url.original", "original", "original_path", "x_envoy_original_path", "http_url", "request_url", "url",
                "uri", "requestpath", "request_path", "http.target", "http_path", "reqpath", "path", "cs-uri-stem",
                "cs_uri",
            ]
        case .query:
            [
                "args", "query_string", "querystring", "requestquery", "request_query", "http_query", "url.query",
                "query", "cs-uri-query", "querystr",
            ]
        // `$server_name` is the same for all hosts of a server, and `hostname` is often the machine's.
        case .host:
            [
                "proxy.host", "host", "http_host", "requesthost", "clientrequesthost", "authority", ":authority",
                "x-host-header", "reqhost", "request_host", "cs-host", "originalhost", "url.domain", "domain",
                "cs_host", "cs(host)", "vhost", "server_name", "requestaddr", "hostname",
            ]
        case .scheme:
            [
                "scheme", "requestscheme", "clientrequestscheme", "x_forwarded_proto", "request_scheme", "url.scheme",
                "cs-protocol",
            ]
        case .port: ["server_port", "s-port", "url.port"]
        case .status:
            [
                "status", "downstreamstatus", "edgeresponsestatus", "response_code", "httpstatuscode", "httpstatus",
                "status_code", "statuscode", "response_status", "sc-status", "sc_status", "http_status",
                "http_status_code", "response_status_code",
            ]
        case .body:
            [
                "body_bytes_sent", "downstreamcontentsize", "edgeresponsebodybytes", "response_body_size",
                "response.body.bytes", "resp_body_size", "response_body_len", "response_content_length",
                "body_sent.bytes", "rspcontentlen", "responsebytesize",
            ]
        // nginx's `$bytes_sent` counts the header; Envoy's member of that name doesn't.
        case .size:
            [
                "size", "response_size", "bytes", "bytes_sent", "resp_size", "content_length", "contentlength",
                "length", "response_length", "responselength", "response_bytes", "bytes_out", "bytes_read",
            ]
        case .response:
            ["responsesize", "edgeresponsebytes", "responsebytes", "sentbytes", "sc-bytes", "sc_bytes", "totalbytes"]
        case .time:
            [
                "ts", "msec", "time_iso8601", "@timestamp", "timestamp", "start_time", "startutc",
                "edgestarttimestamp", "time_local", "time", "datetime", "date_time", "time_micros", "started_at",
                "reqtimesec", "requesttime",
            ]
        case .duration: ["duration", "request_time"]
        case .date: ["date"]
        case .clock, .lifetime, .key: []
        }
    }

    /// What the user calls it.
    var word: String {
        switch self {
        case .body: "body-size"
        case .response: "response-size"
        default: "\(self)"
        }
    }

    static func worded(_ word: String) -> LogMember? { allCases.first { $0.word == word } }

    /// The rank of the first host name that stands for a server rather than the site.
    static let rankOfServers = named("server_name")?.rank ?? .max

    /// The member that a name stands for, and the name's rank for it.
    static func named(_ name: String) -> (member: LogMember, rank: Int)? { all[name] }

    private static let all: [String: (member: LogMember, rank: Int)] = {
        var all: [String: (member: LogMember, rank: Int)] = [:]
        for member in allCases {
            for (rank, name) in member.names.enumerated() { all[name] = (member, rank) }
        }
        return all
    }()
}

/// The names that the user gives to members of a log's lines: `method=req.verb,url=req.path,status=res.code`. A dotted
/// name is a path into nested objects.
package struct LogFields: Hashable, Sendable {
    package let text: String
    private let members: [String: LogMember]
    /// Members without a name, which are assumed; the URL if there is a key.
    let absent: Set<LogMember>

    /// - Throws: `GaugeError` that names the fault.
    package init(_ text: String) throws(GaugeError) {
        guard text.utf8.count <= LogPattern.longestFormat else {
            throw GaugeError("the names of fields are longer than \(LogPattern.longestFormat) bytes")
        }
        self.text = text
        var members: [String: LogMember] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces }
            guard sides.count == 2, !sides[1].isEmpty else {
                throw GaugeError("'\(part)' is not like status=response.code: what it is, and the name in the log")
            }
            guard let member = LogMember.worded(sides[0] == "path" ? "url" : sides[0]) else {
                let names = LogMember.allCases.map(\.word)
                throw GaugeError(
                    "'\(sides[0])' is nothing that a request has\(NearNames.question(sides[0], among: names)); "
                        + "there are \(names.joined(separator: ", "))")
            }
            members[sides[1].lowercased()] = member
        }
        let named = Set(members.values)
        let hasLine = named.contains(.line)
        guard named.contains(.url) || hasLine || named.contains(.key) else {
            throw GaugeError(
                "neither url nor key is there, and nothing else tells the objects apart; add url=NAME, or key=NAME for ids"
            )
        }
        guard !named.contains(.key) || !named.contains(.url) && !hasLine else {
            throw GaugeError("both key and a URL are there, and either could tell the objects apart; keep one of them")
        }
        self.members = members
        absent = Set([.method, .status, .time].filter { !named.contains($0) && !(hasLine && $0 == .method) })
            .subtracting(named.contains(.date) ? [.time] : []).union(named.contains(.key) ? [.url] : [])
    }

    /// The names in a JSON object whose texts are GoAccess's specifiers or nginx's variables:
    /// `{"req": {"method": "%m"}, "status": "$status"}`.
    ///
    /// - Throws: `GaugeError` that names the fault.
    package init(template: String) throws(GaugeError) {
        let node: JSONNode
        do throws(JSONError) { node = try JSONReader.read(Self.quotingVariables(template)) } catch {
            throw GaugeError("the log format begins as JSON, but \(error)")
        }
        var parts: [String] = []
        Self.collect(node, path: [], &parts)
        try self.init(parts.joined(separator: ","))
    }

    /// The template with its bare variables (`"status": $status`) in quotes.
    private static func quotingVariables(_ template: String) -> [UInt8] {
        var text: [UInt8] = []
        var rest = Array(template.utf8)[...]
        var isInText = false
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { isInText.toggle() }
            guard byte == UInt8(ascii: "$"), !isInText else {
                text.append(byte)
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { text.append(escaped) }
                continue
            }
            let isBraced = rest.first == UInt8(ascii: "{")
            let name = rest.prefix { !",}] \t\r\n".utf8.contains($0) }
            rest = rest[name.endIndex...].dropFirst(isBraced ? 1 : 0)
            text += [UInt8(ascii: "\""), byte] + name + [UInt8(ascii: "\"")]
        }
        return text
    }

    private static func collect(_ node: JSONNode, path: [String], _ parts: inout [String]) {
        switch node.value {
        case .object(let members): for (name, value) in members { collect(value, path: path + [name], &parts) }
        case .text(let text):
            guard let member = LogPatternReader.member(inTemplate: text) else { return }
            parts.append("\(member.word)=\(path.joined(separator: "."))")
        default: break
        }
    }

    /// Whether a member tells the objects apart.
    static func namesObjects(_ member: LogMember?) -> Bool { member == .url || member == .line || member == .key }

    /// The names, in lower case and in order.
    var names: [String] { members.keys.sorted() }

    func member(_ path: String) -> LogMember? { members[path] }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
