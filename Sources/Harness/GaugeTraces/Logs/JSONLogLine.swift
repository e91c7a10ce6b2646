import GaugeSupport

/// Reads a line of a JSON log into a ``LogRecord``. Of duplicate members the last counts; members of an unexpected type, and
/// empty ones, count as missing. Members of nested objects count too, by the end of their path.
struct JSONLogLine {
    private static let deepest = 4

    private(set) var record = LogRecord()
    private let fields: LogFields?

    /// - Parameter fields: the names of the members; `nil` for those in use.
    init(_ fields: LogFields? = nil) {
        self.fields = fields
        record.absent = fields?.absent ?? []
    }

    /// Reads a line.
    ///
    /// - Throws: ``TraceError`` if it is no JSON object.
    mutating func read(_ line: ArraySlice<UInt8>) throws(TraceError) {
        var json = JSONStream(TraceInput(name: "", bytes: Array(line)))
        guard try json.kind() == .object else { throw json.fault("no object") }
        try readObject(&json, path: [])
        try json.end()
    }

    private mutating func readObject(_ json: inout JSONStream, path: [String]) throws(TraceError) {
        try json.forEachMember { (name, json) throws(TraceError) in try readMember(name, &json, path: path) }
    }

    /// Reads the value of a member.
    mutating func readMember(_ name: String, _ json: inout JSONStream, path: [String] = []) throws(TraceError) {
        let name = name.lowercased()
        switch try json.kind() {
        case .object: try readNested(name, &json, path: path)
        case .string, .number: try readScalar(name, &json, path: path)
        default: try json.skipValue()
        }
    }

    private mutating func readNested(_ name: String, _ json: inout JSONStream, path: [String]) throws(TraceError) {
        switch name {
        case "resp_headers": record.responseFields = try HARFields(lists: &json)
        case "headers" where fields == nil:
            // Those of a response are read as fields only where whole responses are logged, as Caddy does.
            let headers = try HARFields(lists: &json)
            if path.last == "response" || path.last == "res" {
                let length = headers.fields.first { $0.isNamed("content-length") }
                if let length { record.note(length.value, .size, rank: .max) }
            } else {
                record.requestFields = headers
            }
        case "tls":
            record.isEncrypted = true
            try json.skipValue()
        default:
            guard path.count < Self.deepest else { return try json.skipValue() }
            try readObject(&json, path: path + [name])
        }
    }

    private mutating func readScalar(_ name: String, _ json: inout JSONStream, path: [String]) throws(TraceError) {
        guard let (member, rank) = member(name, path) else { return try json.skipValue() }
        let text = try json.optionalScalar()
        record.noteNamed(text[...], member, rank: rank, isLine: name == "request")
    }

    private func member(_ name: String, _ path: [String]) -> (LogMember, Int)? {
        if let fields {
            return fields.member((path + [name]).joined(separator: ".")).map { ($0, 0) }
        }
        // Paths may be written out: `"http.request.method"`.
        let parts = name.split(separator: ".")
        if parts.count > 1 { return member(String(parts[parts.count - 1]), path + parts.dropLast().map(String.init)) }
        if path.isEmpty { return LogMember.named(name) }
        let found =
            LogMember.named((path.suffix(2) + [name]).joined(separator: "."))
            ?? LogMember.named((path.suffix(1) + [name]).joined(separator: ".")) ?? LogMember.named(name)
        // The size of a request says nothing of the response.
        guard let found, ![.size, .body, .response].contains(found.member) || !path.contains("request") else {
            return nil
        }
        return found
    }
}
