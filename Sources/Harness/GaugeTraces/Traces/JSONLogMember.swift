/// The members of JSON access logs that tell something of a request, by the names that Caddy and usual formats of nginx give
/// them.
enum JSONLogMember: Int, CaseIterable {
    case method, target, query, host, scheme, status, size, time, duration

    /// The names of a member. Of several in one line, the first of this list counts, since it tells the most.
    private var names: [String] {
        switch self {
        case .method: ["method", "request_method"]
        // nginx's `$uri` has no query, and is another one after an internal redirect.
        case .target: ["request_uri", "request", "url", "uri", "path"]
        case .query: ["args", "query_string"]
        // `$server_name` is the same for all hosts of a server.
        case .host: ["host", "http_host", "vhost", "server_name"]
        case .scheme: ["scheme"]
        case .status: ["status"]
        // `$bytes_sent` counts the header too.
        case .size: ["body_bytes_sent", "size", "response_size", "bytes", "bytes_sent"]
        case .time: ["ts", "msec", "time_iso8601", "@timestamp", "timestamp", "time_local", "time"]
        case .duration: ["duration", "request_time"]
        }
    }

    /// The member of a name, and the rank of the name among those of the member.
    static func named(_ name: String) -> (member: JSONLogMember, rank: Int)? { all[name] }

    private static let all: [String: (member: JSONLogMember, rank: Int)] = {
        var all: [String: (member: JSONLogMember, rank: Int)] = [:]
        for member in allCases {
            for (rank, name) in member.names.enumerated() { all[name] = (member, rank) }
        }
        return all
    }()
}
