import GaugeSupport

/// Fields separated by commas, semicolons, tabs or bars, with a header line that names them: `key` or `url`, and
/// optionally `size`, `time` (seconds, or a date, or milli-, micro- or nanoseconds since 1970), `method`, `status` and
/// `lifetime` (seconds). A log's columns are known by their usual names (``LogMember``) or by those that the user
/// gives; other columns are then ignored, as they are beside a URL with a status or a method.
///
/// Keys are compared as text. A plain decimal number below 2^64 is its own id; any other text is hashed.
package struct CSVTrace: LineDecoder {
    private enum Column: String, CaseIterable { case key, url, size, time, method, status, lifetime }

    package let input: TraceInput
    private var columns: [Column] = []
    /// The columns of a log, `nil` for ignored ones; empty for a trace.
    private var members: [(member: LogMember, rank: Int)?] = []
    private var absent: Set<LogMember> = []
    package var line: Int
    private var fields: CSVFields

    /// Whether a trace begins with a header line: only names, among them a key or a URL.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        let line = beginning.drop { " \t\r\n".utf8.contains($0) }
            .prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return separator(in: line) { names in names.contains { $0 == "key" || $0 == "url" } || isOfLog(names) } != nil
    }

    /// Whether a header line has the column that the user gave for the URL.
    package static func hasColumns(_ named: LogFields, in beginning: ArraySlice<UInt8>) -> Bool {
        let line = beginning.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return separator(in: line) { namesObjects($0, named) } != nil
    }

    private static func namesObjects(_ names: [String], _ named: LogFields) -> Bool {
        names.contains { LogFields.namesObjects(named.member($0)) }
    }

    private static let separators = ",;\t|".utf8

    /// The byte that splits a header line into accepted names.
    private static func separator(in line: ArraySlice<UInt8>, _ isAccepted: ([String]) -> Bool) -> UInt8? {
        separators.first { separator in
            guard separator == separators.first || line.contains(separator) else { return false }
            var fields = CSVFields(separator: separator)
            guard fields.split(line) == nil else { return false }
            let names = fields.map(name(of:))
            return isAccepted(names) && names.allSatisfy(isName)
        }
    }

    /// Whether a header names the columns of a log: a URL and a status or method, not all by the names of a trace.
    private static func isOfLog(_ names: [String]) -> Bool {
        let found = Set(names.compactMap { LogMember.named($0)?.member })
        return found.contains(.url) && (found.contains(.status) || found.contains(.method)) && !names.contains("key")
            && !names.allSatisfy { Column(rawValue: $0) != nil }
    }

    private static func member(_ name: String, _ named: LogFields?) -> (LogMember, Int)? {
        if let named { return named.member(name).map { ($0, 0) } }
        return name == Column.lifetime.rawValue ? (.lifetime, 0) : LogMember.named(name)
    }

    /// Reads the header line.
    ///
    /// - Parameter named: the columns as the user names them.
    package init(_ input: TraceInput, fields named: LogFields? = nil) throws(TraceError) {
        self.input = input
        line = try input.skipBlankLines() + 1
        let place = TraceError.Place.line(line)
        fields = CSVFields()
        guard let header = try input.line(number: line) else {
            throw TraceError(input.name, .whole, "empty; a CSV trace begins with a line that names its columns")
        }
        try Self.header(header, input.name, line)
        let separator = Self.separator(in: header) { names in
            named.map { Self.namesObjects(names, $0) }
                ?? (names.contains { Column(rawValue: $0) != nil } || Self.isOfLog(names))
        }
        fields = CSVFields(separator: separator ?? UInt8(ascii: ","))
        if let fault = fields.split(header) { throw TraceError(input.name, place, fault) }
        let names = fields.map(Self.name(of:))
        if named != nil || Self.isOfLog(names) {
            members = names.map { Self.member($0, named) }
            absent = Set([.method, .status, .time].filter { member in !members.contains { $0?.member == member } })
            if members.contains(where: { $0?.member == .line }) { absent.remove(.method) }
            if members.contains(where: { $0?.member == .key }) { absent.insert(.url) }
            guard members.contains(where: { LogFields.namesObjects($0?.member) }) else {
                throw TraceError(input.name, place, "no column has the name that --fields gives to url or key")
            }
            if let missing = named?.names.first(where: { !names.contains($0) }) {
                let question = NearNames.question(missing, among: names)
                let present = names.prefix(20).map { QuotedText.of($0) }.joined(separator: ", ")
                throw TraceError(
                    input.name, place,
                    "no column is named \(QuotedText.of(missing)), as --fields says\(question); there are \(present)")
            }
        } else {
            columns = try Self.columns(names, input.name, place)
        }
    }

    private static func columns(
        _ names: [String], _ trace: String, _ place: TraceError.Place
    ) throws(TraceError) -> [Column] {
        let columns = names.compactMap(Column.init)
        let unknown = names.filter { Column(rawValue: $0) == nil }
        guard unknown.isEmpty else {
            throw TraceError(
                trace, place,
                "unknown \(unknown.count == 1 ? "column" : "columns") \(unknown.map { QuotedText.of($0) }.joined(separator: ", ")); "
                    + "the columns of a CSV trace are key or url, size, time, method, status and lifetime; "
                    + "--trace-format \(TraceFormat.libcachesimCSV.rawValue) passes over others, and --fields names them"
            )
        }
        if let twice = columns.first(where: { column in columns.count { $0 == column } > 1 }) {
            throw TraceError(trace, place, "column \(twice.rawValue) appears twice")
        }
        guard columns.contains(.key) != columns.contains(.url) else {
            throw TraceError(
                trace, place,
                columns.contains(.key)
                    ? "both key and url are there, and either could tell the objects apart; keep one of them"
                    : "neither key nor url is there, so that nothing tells the objects apart")
        }
        return columns
    }

    package mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        if let fault = fields.split(line) { throw LineFault(fault) }
        let (count, expected) = (fields.count, max(columns.count, members.count))
        guard count == expected else { throw LineFault("\(count) fields under a header of \(expected)") }
        if columns.isEmpty { return try logged() }
        var request = TraceRequest(id: 0)
        for (index, column) in columns.enumerated() { try read(column, fields[index], into: &request) }
        if let exchange = request.exchange {
            if exchange.hasFields { request.exchange?.sent = request.time }
            if exchange.status == 304 || exchange.method == "HEAD" { request.size = nil }
        }
        return request
    }

    private func logged() throws(LineFault) -> TraceRequest {
        var record = LogRecord()
        record.absent = absent
        for (index, column) in members.enumerated() {
            guard let column else { continue }
            let cell = CSVFields.trimmed(fields[index])
            if Self.usual[column.member] != nil, StatedSize.isNone(cell) { continue }
            record.noteNamed(cell, column.member, rank: column.rank)
        }
        for (member, usual) in Self.usual where !absent.contains(member) && record.text(member).isEmpty {
            record.note(usual.utf8, member)
        }
        return try record.request()
    }

    /// What a row without a value has, as if the column were absent.
    private static let usual: [LogMember: String] = [.method: "GET", .status: "200"]

    private func read(
        _ column: Column, _ field: ArraySlice<UInt8>, into request: inout TraceRequest
    ) throws(LineFault) {
        switch column {
        case .key:
            guard !field.isEmpty else { throw LineFault("the key is empty") }
            request.id = DecimalText.integer(field) ?? DecimalText.hash(field)
        case .url:
            let field = CSVFields.trimmed(field)
            guard String(validating: field, as: UTF8.self) != nil, !field.isEmpty else {
                throw LineFault(field.isEmpty ? "the URL is empty" : "the URL is not UTF-8")
            }
            let url = AccessLogLine.url(TraceURL.encoded(field).map { $0[...] } ?? field)
            request.id = URLIdentity.hash(of: url.utf8)
            request.url = url
        case .size:
            request.size = try StatedSize.bytes(CSVFields.trimmed(field))
        case .time:
            let field = CSVFields.trimmed(field)
            if StatedSize.isNone(field) { break }
            guard let time = (LooseDate(field) ?? LooseDate(dayFirst: field))?.seconds else {
                throw LineFault("the time \(QuotedText.of(field)) is neither a number of seconds nor a date")
            }
            request.time = time
        case .method, .status, .lifetime: try readExchange(column, CSVFields.trimmed(field), into: &request)
        }
    }

    private func readExchange(
        _ column: Column, _ field: ArraySlice<UInt8>, into request: inout TraceRequest
    ) throws(LineFault) {
        var exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        defer { request.exchange = exchange }
        if StatedSize.isNone(field) { return }
        switch column {
        case .method:
            guard let method = String(validating: field, as: UTF8.self) else {
                throw LineFault("the method \(QuotedText.of(field)) is not a method's name")
            }
            exchange.method = method
        case .status:
            guard let status = AccessLogLine.status(field) else {
                throw LineFault("the status \(QuotedText.of(field)) does not have three digits")
            }
            exchange.status = status
        default:
            guard let lifetime = StatedSize.number(field) else {
                throw LineFault("the lifetime \(QuotedText.of(field)) is not a number of seconds")
            }
            exchange = HTTPExchange(method: exchange.method, status: exchange.status, lifetime: lifetime)
        }
    }

    private static func name(of field: ArraySlice<UInt8>) -> String {
        String(decoding: CSVFields.trimmed(field), as: UTF8.self).lowercased()
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
}
