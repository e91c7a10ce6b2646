import GaugeSupport

/// A log that is one JSON document, or several one after another, as command lines and exports of clouds write it: a list of
/// objects, an object with a list of them (`{"records": […]}`), or objects over several lines. Each is read as ``JSONLog`` reads
/// a line. The document is never held as a whole.
struct JSONDocumentLog: TraceDecoder {
    /// The names of lists of entries.
    private static let lists: Set = [
        "records", "entries", "items", "logs", "events", "results", "value", "data", "hits",
    ]
    /// Lists within lists, and members within them.
    private static let deepest = 3

    private let fields: LogFields?
    private var json: JSONStream
    /// The brackets that are open around the entries, the innermost last: whether each is a list.
    private var open: [Bool] = []
    private var entry = 0
    private var isAtEnd = false

    init(_ input: TraceInput, fields: LogFields? = nil) {
        self.fields = fields
        json = JSONStream(input)
    }

    /// Whether a beginning is that of a document rather than of lines with an object each.
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
                // Reading cannot resume after damaged JSON. An interruption ends it without damage.
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

    /// Reads on to the end of the next object that is no frame of others.
    ///
    /// - Returns: `nil` where a bracket was opened or closed, and at the end.
    private mutating func nextRecord() throws(TraceError) -> LogRecord? {
        switch open.last {
        case true?:
            guard try json.nextElement() else {
                open.removeLast()
                return nil
            }
        case false?:
            // What stands beside a list in its object.
            while let name = try json.nextMember() {
                if try enters(name) { return nil }
                try json.skipValue()
            }
            open.removeLast()
            return nil
        case nil:
            // Documents may follow each other, also divided by commas.
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

    /// Reads an object: an entry, or one with a list of them, which is then open.
    private mutating func object() throws(TraceError) -> LogRecord? {
        var line = JSONLogLine(fields)
        try json.beginObject()
        while let name = try json.nextMember() {
            if try enters(name) { return nil }
            try line.readMember(name, &json)
        }
        return line.record
    }

    /// Enters a list of entries, if the member is one.
    private mutating func enters(_ name: String) throws(TraceError) -> Bool {
        guard open.count < Self.deepest, Self.lists.contains(name.lowercased()), try json.kind() == .array else {
            return false
        }
        try json.beginArray()
        open += open.last == false ? [true] : [false, true]
        return true
    }
}
