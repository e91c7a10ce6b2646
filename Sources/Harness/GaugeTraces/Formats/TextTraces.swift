import GaugeSupport

/// Comma-separated traces as libCacheSim's tools write and read them.
///
/// With a header line, columns are found by name; others are ignored (`version`, `op`, `next_access_vtime`, …). Without
/// one they are time, id and size, and any others are ignored. Twitter's traces (seven columns, a command in the sixth)
/// have time, id, bytes of the key and bytes of the value; the last is the size. Ids are compared as text; a plain
/// decimal number below 2^64 is its own id.
package struct LibCacheSimCSV: LineDecoder {
    private static let names: (id: [String], size: [String], time: [String]) = (
        ["id", "key", "obj_id", "object_id", "object", "obj", "lbn", "cachekey", "anonymizedkey"],
        ["size", "obj_size", "object_size", "objectsize", "req_size", "value_size", "valuesize"],
        ["time", "timestamp", "clock_time", "real_time", "op_time"]
    )

    package let input: TraceInput
    package var line = 0
    private var fields = CSVFields()
    private var id = 1
    private var size: Int? = 2
    private var time: Int? = 0
    private let columnCount: Int?

    /// Reads the header line, if there is one: a first line with a field that begins with a letter, unless time and
    /// size are numbers and only the id is a text.
    package init(_ input: TraceInput) throws(TraceError) {
        self.input = input
        line = try input.skipBlankLines()
        let beginning = try input.peekLine()
        if fields.split(beginning) == nil, Self.isOfMicrosoft(fields) {
            throw TraceError(
                input.name, .line(line + 1),
                "a block trace of Microsoft Research, whose columns are time, host, disk, type, offset, size and duration; take "
                    + "those that are needed: awk -F, '{ print $1 / 1e7 \",\" $2 $3 \"-\" $5 \",\" $6 }'")
        }
        guard fields.split(beginning) == nil, fields.contains(where: Self.isWord), !Self.isRequest(fields) else {
            columnCount = nil
            if fields.count == 7, Self.isWord(fields[5]) { size = 3 }
            return
        }
        line += 1
        if let header = try input.line(number: line) { try Self.header(header, input.name, line) }
        let names = fields.map(Self.name)
        let first = names.firstIndex(where: Self.names.id.contains)
        guard let id = first, id == names.lastIndex(where: Self.names.id.contains) else {
            throw TraceError(
                input.name, .line(line),
                "\(first == nil ? "no column" : "more than one column") is an id; the header names one of them id, obj_id, key or lbn, and may name size and time"
            )
        }
        self.id = id
        size = names.firstIndex { Self.names.size.contains($0) }
        time = names.firstIndex { Self.names.time.contains($0) }
        columnCount = names.count
    }

    /// Whether the columns are those of Microsoft Research's block traces.
    private static func isOfMicrosoft(_ fields: CSVFields) -> Bool {
        fields.count == 7 && (fields[3].elementsEqual("Read".utf8) || fields[3].elementsEqual("Write".utf8))
    }

    /// The name in a field of the header, without spaces and the first name's `#`.
    private static func name(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.contains(where: isPadding) ? field.filter { !isPadding($0) }[...] : field, as: UTF8.self)
            .lowercased()
    }

    private static func isRequest(_ fields: CSVFields) -> Bool {
        fields.count >= 3 && DecimalText.number(CSVFields.trimmed(fields[0])) != nil
            && DecimalText.integer(CSVFields.trimmed(fields[2])) != nil
    }

    private static func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "#") }

    private static func isWord(_ field: ArraySlice<UInt8>) -> Bool {
        guard let first = field.first(where: { !isPadding($0) }) else { return false }
        return first | 0x20 >= UInt8(ascii: "a") && first | 0x20 <= UInt8(ascii: "z")
    }

    package mutating func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        if let fault = fields.split(line) { throw LineFault(fault) }
        let count = fields.count
        if let columnCount, count != columnCount { throw LineFault("\(count) fields under a header of \(columnCount)") }
        guard count > max(id, size ?? 0, time ?? 0) else {
            throw LineFault("fewer than the three fields of a libCacheSim trace without a header: time, id and size")
        }
        let key = CSVFields.trimmed(fields[id])
        guard !key.isEmpty else { throw LineFault("the id is empty") }
        var request = TraceRequest(id: DecimalText.integer(key) ?? DecimalText.hash(key))
        if let size {
            let field = CSVFields.trimmed(fields[size])
            guard let bytes = DecimalText.integer(field).flatMap(Int.init(exactly:)) else {
                throw LineFault("the size \(QuotedText.of(field)) is not a number of bytes")
            }
            request.size = bytes
        }
        if let time {
            let field = CSVFields.trimmed(fields[time])
            guard let seconds = DecimalText.number(field) else {
                throw LineFault("the time \(QuotedText.of(field)) is not a number of seconds")
            }
            request.time = seconds
        }
        return request
    }
}

/// webcachesim's text: `time id size` on each line, whole numbers separated by spaces. The rest of a line (e.g.
/// features of the object) is ignored.
package struct WebcachesimTrace: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        var fields = TextFields(line)
        guard let time = fields.next(), let id = fields.next(), let size = fields.next() else {
            throw LineFault("fewer than the three fields of webcachesim: time, id and size")
        }
        guard let seconds = DecimalText.number(time) else {
            throw LineFault("the time \(QuotedText.of(time)) is not a number")
        }
        guard let id = DecimalText.integer(id) else {
            throw LineFault("the id \(QuotedText.of(id)) is not a whole number from 0 to 18446744073709551615")
        }
        guard let size = DecimalText.integer(size).flatMap(Int.init(exactly:)) else {
            throw LineFault("the size \(QuotedText.of(size)) is not a number of bytes")
        }
        return TraceRequest(id: id, size: size, time: seconds)
    }
}

/// One id on each line, as in libCacheSim's txt and the traces of the LIRS paper. A plain decimal number below 2^64 is
/// its own id; any other text is hashed. Lines with `*` alone, which separate phases in LIRS traces, are skipped.
package struct IDTrace: LineDecoder {
    package let input: TraceInput
    package var line = 0

    package init(_ input: TraceInput) { self.input = input }

    package func request(_ line: ArraySlice<UInt8>) throws(LineFault) -> TraceRequest {
        let id = CSVFields.trimmed(line)
        guard id.count <= 4096 else { throw LineFault("the id is longer than 4096 bytes") }
        guard id.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw LineFault(
                "the id \(QuotedText.of(id)) has control characters; either it is not text, or its lines do not end with LF"
            )
        }
        return TraceRequest(id: DecimalText.integer(id) ?? DecimalText.hash(id))
    }

    package func isPassedOver(_ line: ArraySlice<UInt8>) -> Bool {
        let id = CSVFields.trimmed(line)
        return id.isEmpty || id.elementsEqual("*".utf8)
    }
}
