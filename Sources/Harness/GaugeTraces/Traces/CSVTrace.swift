import GaugeSupport

/// Comma-separated fields with a header line that names them.
///
/// Keys are compared as text. A plain decimal number below 2^64 is its own id; any other text is hashed.
package struct CSVTrace: LineDecoder {
    private enum Column: String, CaseIterable { case key, url, size, time }

    package let input: TraceInput
    private let columns: [Column]
    package var line: Int
    private var fields = CSVFields()

    /// Whether a trace begins with a header line: one that names a key or a URL and consists only of names.
    package static func hasSignature(_ beginning: ArraySlice<UInt8>) -> Bool {
        let line = beginning.drop { " \t\r\n".utf8.contains($0) }
            .prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        var fields = CSVFields()
        guard fields.split(line) == nil else { return false }
        let names = fields.map(name(of:))
        return names.contains { $0 == "key" || $0 == "url" } && names.allSatisfy(isName)
    }

    /// Reads the header line.
    package init(_ input: TraceInput) throws(TraceError) {
        self.input = input
        line = try input.skipBlankLines() + 1
        let place = TraceError.Place.line(line)
        guard let header = try input.line(number: line) else {
            throw TraceError(input.name, .whole, "empty; a CSV trace begins with a line that names its columns")
        }
        if let fault = fields.split(header) { throw TraceError(input.name, place, fault) }
        var columns: [Column] = []
        columns.reserveCapacity(fields.count)
        var unknown: [String] = []
        for name in fields.lazy.map(Self.name(of:)) {
            if let column = Column(rawValue: name) { columns.append(column) } else { unknown.append(name) }
        }
        self.columns = columns
        guard unknown.isEmpty else {
            throw TraceError(
                input.name, place,
                "unknown \(unknown.count == 1 ? "column" : "columns") \(unknown.map { QuotedText.of($0) }.joined(separator: ", ")); "
                    + "the columns of a CSV trace are key or url, size and time; "
                    + "--trace-format \(TraceFormat.libcachesimCSV.rawValue) passes over others")
        }
        if let twice = columns.first(where: { column in columns.count { $0 == column } > 1 }) {
            throw TraceError(input.name, place, "column \(twice.rawValue) appears twice")
        }
        guard columns.contains(.key) != columns.contains(.url) else {
            throw TraceError(
                input.name, place,
                columns.contains(.key)
                    ? "both key and url are there, and either could tell the objects apart; keep one of them"
                    : "neither key nor url is there, so that nothing tells the objects apart")
        }
    }

    package mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        if let fault = fields.split(line) { throw LineFault(fault) }
        let (count, expected) = (fields.count, columns.count)
        guard count == expected else { throw LineFault("\(count) fields under a header of \(expected)") }
        var request = TraceRequest(id: 0)
        for (index, column) in columns.enumerated() { try read(column, fields[index], into: &request) }
        return request
    }

    private func read(
        _ column: Column, _ field: ArraySlice<UInt8>, into request: inout TraceRequest
    ) throws(LineFault) {
        switch column {
        case .key:
            guard !field.isEmpty else { throw LineFault("the key is empty") }
            request.id = DecimalText.integer(field) ?? DecimalText.hash(field)
        case .url:
            guard let url = String(validating: field, as: UTF8.self), !url.isEmpty else {
                throw LineFault(field.isEmpty ? "the URL is empty" : "the URL is not UTF-8")
            }
            request.id = URLIdentity.hash(of: field)
            request.url = url
        case .size:
            guard let size = DecimalText.integer(field).flatMap(Int.init(exactly:)) else {
                throw LineFault("the size \(QuotedText.of(field)) is not a number of bytes")
            }
            request.size = size
        case .time:
            guard let time = DecimalText.number(field) else {
                throw LineFault("the time \(QuotedText.of(field)) is not a number of seconds")
            }
            request.time = time
        }
    }

    private static func name(of field: ArraySlice<UInt8>) -> String {
        String(decoding: CSVFields.trimmed(field), as: UTF8.self).lowercased()
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
}
