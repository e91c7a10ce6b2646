import GaugeTraces

/// Writes requests in the format that they were read from.
enum TraceWriter {
    /// - Returns: the trace and its requests, without those whose time has no plain decimal form. `nil` for a format
    ///   with another oracle.
    static func write(_ requests: [TraceRequest], _ format: TraceFormat) -> (text: [UInt8], expected: [TraceRequest])? {
        func isWritable(_ request: TraceRequest) -> Bool {
            let time = request.time ?? 0
            switch format {
            case .combined: return hasDate(time)
            case .vscsi: return microseconds(time).map { Double($0) / 1e6 == time } ?? false
            case .jsonLog: return JSONLogWriter.canWrite(request)
            default: return Int(exactly: time) != nil || decimal(time) != nil
            }
        }
        // Usually all requests are writable, and no copy is needed.
        let expected = requests.allSatisfy(isWritable) ? requests : requests.filter(isWritable)
        guard let first = expected.first else { return nil }
        switch format {
        case .har, .w3c, .textLog: return nil
        case .be32: return (records(expected) { $0.append(UInt32(truncatingIfNeeded: $1.id).byteSwapped) }, expected)
        case .oracleGeneral: return (records(expected, oracleRecord), expected)
        case .webcachesim:
            let rows = lines(expected) { text, request in
                text.append(time(request))
                text.append(" \(request.id)")
                text.append(" \(request.size ?? 0)")
            }
            return (rows, expected)
        case .libcachesimCSV, .csv:
            var header = first.url == nil ? "key" : "url"
            if first.size != nil { header += ",size" }
            if first.time != nil { header += ",time" }
            let rows = lines(expected, header) { text, request in
                if let url = request.url { text.append(quoting: url) } else { text.append("\(request.id)") }
                if let size = request.size { text.append(",\(size)") }
                if request.time != nil { text.append("," + time(request)) }
            }
            return (rows, expected)
        case .jsonLog: return (lines(expected) { $0 += JSONLogWriter.line($1) }, expected)
        case .ids: return (lines(expected) { $0.append("\($1.id)") }, expected)
        case .vscsi: return (records(expected, vscsiRecord), expected)
        case .squid: return (lines(expected, appendLine: appendSquid), expected)
        case .combined: return (lines(expected, appendLine: appendCombined), expected)
        }
    }

    private static func lines(
        _ requests: [TraceRequest], _ header: String? = nil, appendLine: (inout [UInt8], TraceRequest) -> Void
    ) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 * (requests.count + 1))
        if let header { text.append(header + "\n") }
        for request in requests {
            appendLine(&text, request)
            text.append("\n")
        }
        return text
    }

    private static func appendSquid(_ text: inout [UInt8], _ request: TraceRequest) {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        text.append(time(request))
        // The size of a cut answer is unknown.
        text.append(request.size == nil ? " 0 c T_ABORTED/" : " 0 c T/")
        text.append(exchange.status == 0 ? "000" : "\(exchange.status)")
        text.append(" \(request.size ?? 0) ")
        text.append(exchange.method)
        text.append(" ")
        text.append(request.url ?? "")
        text.append(" - D/- t")
    }

    private static func appendCombined(_ text: inout [UInt8], _ request: TraceRequest) {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        text.append("h - - [")
        appendDate(request.time ?? 0, to: &text)
        text.append("] \"")
        text.append(exchange.method)
        text.append(" ")
        for byte in (request.url ?? "").utf8 {
            if byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text.append("\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
            } else {
                text.append(byte)
            }
        }
        text.append(" HTTP/1.1\" ")
        text.append(exchange.status == 0 ? "000" : "\(exchange.status)")
        text.append(request.size.map { " \($0)" } ?? " -")
    }

    private static func records(
        _ requests: [TraceRequest], _ append: (inout LittleEndianBytes, TraceRequest) -> Void
    ) -> [UInt8] {
        var records = LittleEndianBytes()
        records.bytes.reserveCapacity(24 * requests.count)
        for request in requests { append(&records, request) }
        return records.bytes
    }

    private static func oracleRecord(_ record: inout LittleEndianBytes, _ request: TraceRequest) {
        record.append(UInt32(truncatingIfNeeded: UInt64(request.time ?? 0)))
        record.append(request.id)
        record.append(UInt32(truncatingIfNeeded: request.size ?? 0))
        record.append(UInt64.max)
    }

    /// Version 2.
    private static func vscsiRecord(_ record: inout LittleEndianBytes, _ request: TraceRequest) {
        record.append(UInt64(2) << 24)
        record.append(UInt64(request.size ?? 0))
        record.append(request.id)
        record.append(microseconds(request.time ?? 0) ?? 0)
        record.append(UInt64(0))
    }

    private static func microseconds(_ time: Double) -> UInt64? { UInt64(exactly: (time * 1e6).rounded()) }

    /// Numbers, each with its lowest byte first.
    private struct LittleEndianBytes {
        var bytes: [UInt8] = []

        mutating func append(_ value: some FixedWidthInteger) {
            for place in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> place))
            }
        }
    }

    private static func time(_ request: TraceRequest) -> String { decimal(request.time ?? 0) ?? "0" }

    /// The time in digits with at most one point.
    static func decimal(_ time: Double) -> String? {
        if let whole = Int(exactly: time) { return "\(whole)" }
        let text = "\(time)"
        return text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") } ? text : nil
    }

    /// Seconds from the year 0 to 1970.
    private static let epoch = 62_167_219_200.0
    /// The seconds of 400 years, after which the calendar repeats.
    private static let period = 146_097 * 86_400

    /// Whether a time is a whole second in a year of four digits.
    private static func hasDate(_ time: Double) -> Bool {
        Int(exactly: time + epoch).map { (0..<25 * period).contains($0) } ?? false
    }

    /// Appends a time like `10/Oct/2000:13:55:36 +0000`. Requires ``hasDate(_:)``.
    private static func appendDate(_ time: Double, to text: inout [UInt8]) {
        var seconds = Int(time + epoch)
        var year = seconds / period * 400
        seconds %= period
        func days(_ year: Int) -> Int { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
        while seconds >= days(year) * 86_400 {
            seconds -= days(year) * 86_400
            year += 1
        }
        var month = 0
        while true {
            let length = (month == 1 ? days(year) - 337 : lengths[month]) * 86_400
            if seconds < length { break }
            seconds -= length
            month += 1
        }
        text.append(digits(seconds / 86_400 + 1, 2))
        text.append("/\(months[month])/")
        text.append(digits(year, 4))
        for part in [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60] { text.append(":" + digits(part, 2)) }
        text.append(" +0000")
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// Appends a field in quotes, with each quote inside doubled.
    fileprivate mutating func append(quoting field: String) {
        append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            append(byte)
            if byte == UInt8(ascii: "\"") { append(byte) }
        }
        append(UInt8(ascii: "\""))
    }
}

/// Writes requests as lines of Caddy's log.
enum JSONLogWriter {
    /// Whether a request has plain decimal times, and field names that are kept whole.
    static func canWrite(_ request: TraceRequest) -> Bool {
        let exchange = request.exchange
        let fields = (exchange?.requestFields ?? []) + (exchange?.responseFields ?? [])
        let times = [request.time ?? 0, exchange?.duration ?? 0]
        return times.allSatisfy { $0 >= 0 && $0 < 1e11 && (TraceWriter.decimal($0)?.utf8.count ?? 99) <= 40 }
            && fields.allSatisfy { $0.name.count < 200 && !$0.value.contains(0x0A) }
    }

    static func line(_ request: TraceRequest) -> [UInt8] {
        let exchange = request.exchange ?? HTTPExchange(method: "GET", status: 200)
        var text = Array("{\"ts\":\(TraceWriter.decimal(request.time ?? 0) ?? "0"),\"request\":{\"method\":".utf8)
        text += quoted(Array(exchange.method.utf8)) + Array(",\"uri\":".utf8) + quoted(Array((request.url ?? "").utf8))
        text += Array(",\"headers\":".utf8) + lists(exchange.requestFields)
        let status = String(exchange.status)
        text += Array("},\"status\":\"\(String(repeating: "0", count: max(0, 3 - status.count)))\(status)\"".utf8)
        if let size = request.size { text += Array(",\"size\":\(size)".utf8) }
        if exchange.hasFields {
            text += Array(",\"duration\":\(TraceWriter.decimal(exchange.duration) ?? "0"),\"resp_headers\":".utf8)
            text += lists(exchange.responseFields)
        }
        return text + [UInt8(ascii: "}")]
    }

    private static func lists(_ fields: [HTTPExchange.Field]) -> [UInt8] {
        let members = fields.map { quoted($0.name) + Array(":[".utf8) + quoted($0.value) + [UInt8(ascii: "]")] }
        return [UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8(ascii: "\"")]
        for byte in bytes {
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            } else {
                text.append(byte)
            }
        }
        return text + [UInt8(ascii: "\"")]
    }
}
