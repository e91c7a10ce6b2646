import GaugeSupport

/// Logs with a JSON object on each line: of Caddy, nginx (`escape=json`), Traefik, Envoy, Cloudflare, Google Cloud,
/// Azure, …
///
/// Members are found by the names that these give them (``LogMember``), also in nested objects, or by those that the
/// user gives (``LogFields``). Caddy's header fields decide how long a response is fresh.
package struct JSONLog: LineDecoder {
    package let input: TraceInput
    package var line = 0
    package var envelope = LogEnvelope.none
    private let fields: LogFields?

    package init(_ input: TraceInput, fields: LogFields? = nil, envelope: LogEnvelope = .none) {
        (self.input, self.fields, self.envelope) = (input, fields, envelope)
    }

    package var isLog: Bool { true }

    /// Whether a line is of this kind.
    package static func hasSignature(_ line: ArraySlice<UInt8>) -> Bool {
        line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "{") && (try? parse(line, nil)) != nil
    }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest { try Self.parse(line, fields) }

    static func parse(_ line: ArraySlice<UInt8>, _ fields: LogFields?) throws(LineFault) -> TraceRequest {
        try record(line, fields).request()
    }

    static func record(_ line: ArraySlice<UInt8>, _ fields: LogFields?) throws(LineFault) -> LogRecord {
        var entry = JSONLogLine(fields)
        do throws(TraceError) {
            try entry.read(line)
        } catch {
            throw LineFault(error.reason)
        }
        return entry.record
    }
}

/// Reads a line of a JSON log into a ``LogRecord``. The last of duplicate members counts; empty members and those of an
/// unexpected type count as missing. Members of nested objects are found by the end of their path.
struct JSONLogLine {
    private static let deepest = 4

    private(set) var record = LogRecord()
    private let fields: LogFields?

    /// - Parameter fields: the names of the members; `nil` for the usual ones.
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
            // A response's headers count as fields only where whole responses are logged, as in Caddy.
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
        if let fields { return fields.member((path + [name]).joined(separator: ".")).map { ($0, 0) } }
        // A path may be written as one name: `"http.request.method"`.
        let parts = name.split(separator: ".")
        if parts.count > 1 { return member(String(parts[parts.count - 1]), path + parts.dropLast().map(String.init)) }
        if path.isEmpty { return LogMember.named(name) }
        let found =
            LogMember.named((path.suffix(2) + [name]).joined(separator: "."))
            ?? LogMember.named((path.suffix(1) + [name]).joined(separator: ".")) ?? LogMember.named(name)
        // A request's size says nothing about the response.
        guard let found, ![.size, .body, .response].contains(found.member) || !path.contains("request") else {
            return nil
        }
        return found
    }
}

/// A log that is one JSON document or several, as command lines and cloud exports write it: a list of objects, an
/// object with a list of them (`{"records": […]}`), or objects over several lines. Each is read like a line of
/// ``JSONLog``. The document is never held as a whole.
struct JSONDocumentLog: TraceDecoder {
    /// The names of lists of entries.
    private static let lists: Set = [
        "records", "entries", "items", "logs", "events", "results", "value", "data", "hits",
    ]
    /// The deepest nesting of lists, and of members in them.
    private static let deepest = 3

    private let fields: LogFields?
    private var json: JSONStream
    /// The open brackets around the entries, the innermost last: whether each is a list.
    private var open: [Bool] = []
    private var entry = 0
    private var isAtEnd = false

    init(_ input: TraceInput, fields: LogFields? = nil) {
        self.fields = fields
        json = JSONStream(input)
    }

    /// Whether this is the beginning of a document rather than of lines with an object each.
    static func hasSignature(_ beginning: ArraySlice<UInt8>, fields: LogFields? = nil) -> Bool {
        guard let start = beginning.firstIndex(where: { !" \t\r\n".utf8.contains($0) }),
            beginning[start] == UInt8(ascii: "[") || beginning[start] == UInt8(ascii: "{")
        else { return false }
        let input = TraceInput(name: "", bytes: Array(beginning[start...]))
        var log = JSONDocumentLog(input, fields: fields)
        guard (try? log.next(isTold: false)) != nil else { return false }
        return !log.open.isEmpty || beginning[start...].prefix(input.offset).contains(UInt8(ascii: "\n"))
    }

    mutating func next(isTold: Bool) throws(TraceError) -> TraceRequest? {
        while !isAtEnd {
            var record: LogRecord?
            let offset: Int
            do throws(TraceError) {
                offset = try entryOffset()
                record = try nextRecord()
            } catch {
                // Reading can't resume after damaged JSON. An interruption ends it without damage.
                isAtEnd = true
                guard json.input.isCutShort else { throw error }
                return nil
            }
            guard let record else { continue }
            entry += 1
            do throws(LineFault) {
                return try record.request()
            } catch {
                throw TraceError(
                    json.input.name, .offset(offset), isTold ? "entry \(entry): \(error.reason())" : "",
                    isSkippable: true, isNoise: true)
            }
        }
        return nil
    }

    private mutating func entryOffset() throws(TraceError) -> Int {
        _ = try json.kind()
        return json.input.offset
    }

    /// Reads to the end of the next object that doesn't contain a list of others.
    ///
    /// - Returns: `nil` if a bracket was opened or closed, and at the end.
    private mutating func nextRecord() throws(TraceError) -> LogRecord? {
        switch open.last {
        case true?:
            guard try json.nextElement() else {
                open.removeLast()
                return nil
            }
        case false?:
            // The list's siblings in its object.
            while let name = try json.nextMember() {
                if try enters(name) { return nil }
                try json.skipValue()
            }
            open.removeLast()
            return nil
        case nil:
            // Documents may follow each other, with or without commas.
            while try json.kind() == .other, try json.take(UInt8(ascii: ",")) {}
        }
        switch try json.kind() {
        case .end:
            isAtEnd = true
            return nil
        case .array where open.count < Self.deepest:
            try json.beginArray()
            open.append(true)
            return nil
        case .object: return try object()
        default:
            guard !open.isEmpty else { throw json.valueExpected() }
            try json.skipValue()
            return nil
        }
    }

    /// Reads an object: an entry, or one that contains a list of them, which is then open.
    private mutating func object() throws(TraceError) -> LogRecord? {
        var line = JSONLogLine(fields)
        try json.beginObject()
        while let name = try json.nextMember() {
            if try enters(name) { return nil }
            try line.readMember(name, &json)
        }
        return line.record
    }

    private mutating func enters(_ name: String) throws(TraceError) -> Bool {
        guard open.count < Self.deepest, Self.lists.contains(name.lowercased()), try json.kind() == .array else {
            return false
        }
        try json.beginArray()
        open += open.last == false ? [true] : [false, true]
        return true
    }
}
